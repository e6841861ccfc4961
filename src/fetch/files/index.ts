/**
 * Local files: `file:` URLs, for corpora on this machine.
 *
 * `FileFetcher` answers as a server would: a file is a page, a folder is a listing with links. What
 * may be read is decided twice, by `fileLinkRefusal` when a link is found and by `findPlace` on the
 * disk, where symbolic links are known; nothing outside the roots of the seeds is ever opened.
 *
 * A word of this module: *file root*, the folder of a `file:` seed, below which files may be
 * fetched.
 *
 * Read `file-fetch.ts` first.
 */
export { FileFetcher } from "./file-fetcher.ts";
export { type FileLinkRefusal, fileLinkRefusal } from "./file-link.ts";
export { fileRoots } from "./file-roots.ts";
export { type FileUrl, parseFileUrl } from "./file-url.ts";
