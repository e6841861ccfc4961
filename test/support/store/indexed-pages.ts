/** Pages for tests of the index. */
import type { Fingerprint } from "../../../src/base/fingerprints/index.ts";
import type { IndexedPage } from "../../../src/store/index/index.ts";

export function pageAt(path: string, facts: Partial<IndexedPage> = {}): IndexedPage {
  const url = `https://a.example/${path}`;
  return {
    ...{ url, key: url, host: "a.example", depth: 1, via: "https://a.example/" },
    ...{ status: 200, mime: "text/html", bytes: 1000, digest: `sha1:${path}`, simhash: null },
    ...{ duplicateOf: null, nearDuplicateOf: null, redirectTo: null, truncated: null },
    ...{ title: `Page ${path}`, language: "en", fetchedAt: "2030-01-01T00:00:00.000Z" },
    ...{ warc: "crawl-1.warc.gz", offset: 0, length: 10, charset: "utf-8", error: null },
    ...{ requisite: false, noindex: false, noarchive: false },
    ...{ contentSignal: null, contentUsage: null, tdmReservation: null },
    ...{ textBlock: null, textEntry: null },
    ...facts,
  };
}

/** Any hash will do. */
export function fingerprintOf(key: string): Fingerprint {
  let high = 0x811c9dc5;
  let low = 5381;
  for (let at = 0; at < key.length; at += 1) {
    high = Math.imul(high ^ key.charCodeAt(at), 0x01000193) >>> 0;
    low = (Math.imul(low, 33) + key.charCodeAt(at)) >>> 0;
  }
  return { high, low };
}
