/**
 * What a crawl keeps, and where.
 *
 * - `archive`: WARC files and the crawl log, which agree after any crash.
 * - `directory`: the crawl directory: its identity, its configuration, one process at a time.
 * - `links`: the link graph: links of a page, and links to one.
 * - `export`: pages as lines of JSON or CSV while the crawl runs (`--pages`).
 * - `pages`: stores of other kinds: files of JSON lines, modules of users.
 * - `index`: `crawl.db`, one row for each page, and its readers.
 * - `texts`: what pages say, compressed, at places that the index knows.
 * - `query`: questions about a crawl: pages, records, links in both directions, counts.
 *
 * Start with `archive/page-store.ts`.
 */
export {};
