/**
 * The formats of the web, and nothing of crawling: each module reads or writes one of them, as bytes,
 * without files or sockets, and never throws because of what it reads.
 *
 * - `url`: what is sent, what is compared, fingerprints, hosts and domains. `address`: IP addresses,
 *   special ranges and which of them may be connected to.
 * - `http`: HTTP/1.1 as bytes, strict answers, safe requests, cookies.
 * - `robots`: robots.txt and the directives of pages. `sitemap`: sitemaps and feeds, streaming.
 * - `html`: links, text and facts of a page straight from its bytes. `css`: the URLs of style sheets.
 *   `charset`: encodings. `language`: which language a text is in.
 * - `warc`: archive records, writing and reading that goes on after damage; CDXJ.
 *
 * Start with `url/index.ts`, which every other room uses.
 */
export {};
