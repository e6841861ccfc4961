/**
 * Doors for programs that want one format of the web and no crawl: `trobar/robots`, `trobar/warc`,
 * `trobar/sitemap`, `trobar/url` and `trobar/html`. Each is a file of its own, so a program loads only
 * what it imports.
 *
 * A door takes plain texts, bytes and streams, and returns plain values. What it knows is in the room
 * `formats`, which the crawler itself uses; a door adds nothing but names that are easy to call. Nothing
 * here throws because of what comes from the web; what is wrong with it is part of the answer.
 *
 * Read `robots.ts` first.
 */
export type { ByteSource } from "./byte-source.ts";
