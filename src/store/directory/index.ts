/**
 * The crawl directory: everything of one crawl on one disk, used by one process at a time.
 *
 * `CrawlDirectory.create` makes one, `open` takes one that exists, `startOver` puts another crawl
 * in its place and touches no file that Trobar did not write (`own-files.ts`). Each takes the lock
 * first, an operating system lock that ends with the process (`base/folder`), and names the
 * holder when it is taken. The directory knows its crawl's identity, fixed at creation
 * (`crawl-identity.ts`), and the configuration of its last run. The archive, the logs and the
 * frontier below it belong to other modules, through the storage seam.
 *
 * It works synchronously and throws: it is used when a crawl starts and when it ends.
 *
 * Read `crawl-directory.ts` first.
 */
export { CrawlDirectory, type NewCrawl, type ReservedDirectory } from "./crawl-directory.ts";
export { type CrawlIdentity, fingerprintKeyBytes } from "./crawl-identity.ts";
