/**
 * What is built and tested, and waits for the part of the program that will use it. The dead-code
 * check accepts these names and nothing else; a name that has found its user, or is gone, must leave
 * this list. A folder ends with `/` and stands for everything below it; `FILE NAME` is an export.
 */
export const WAITING: Readonly<Record<string, readonly string[]>> = {
  "several agents": [
    "src/base/transport/",
    "src/formats/url/host-hash.ts HostHasher",
    "src/formats/url/index.ts HostHasher",
    "src/rules/config/adopt.ts joinWith",
    "src/rules/config/index.ts joinWith",
  ],
  "continuing a crawl": [
    "src/rules/config/adopt.ts continueWith",
    "src/rules/config/adopt.ts differingKeys",
    "src/rules/config/index.ts continueWith",
    "src/rules/config/index.ts differingKeys",
  ],
  "the page index": ["src/base/database/index.ts SqliteDatabase"],
  "exports of an archive": [
    "src/formats/url/host-notation.ts surtOf",
    "src/formats/url/index.ts surtOf",
    "src/formats/warc/capture.ts contentRecord",
    "src/formats/warc/cdxj.ts cdxjEntry",
    "src/formats/warc/cdxj.ts cdxjLine",
    "src/formats/warc/cdxj.ts compareCdxj",
    "src/formats/warc/index.ts cdxjEntry",
    "src/formats/warc/index.ts cdxjLine",
    "src/formats/warc/index.ts compareCdxj",
    "src/formats/warc/index.ts contentRecord",
  ],
};
