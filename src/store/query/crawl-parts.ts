/** How a crawl compares URLs, and its page index, for those who read its directory. */
import { sqliteDatabases } from "../../base/database/index.ts";
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import { answered } from "../../base/seams/index.ts";
import type { DiskStorage } from "../../base/storage/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { Fingerprinter, keyOf, parseUrl, type UrlKey } from "../../formats/url/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { type CrawlIdentity, fingerprintKeyBytes } from "../directory/index.ts";
import { openPageIndex, type PageIndex } from "../index/index.ts";

/** Of the link graph. */
export const GRAPH_FOLDER = "links/graph";

export class CrawlKeys {
  /** What a URL is compared by; null for what is not a URL of the crawl. */
  readonly keyOf: (url: string) => UrlKey | null;
  readonly fingerprintOf: (url: string) => Fingerprint | null;
  readonly #fingerprinter: Fingerprinter;

  constructor(
    identity: Pick<CrawlIdentity, "fingerprintKey" | "shards">,
    { url: rules, fetch }: Pick<Configuration, "url" | "fetch">,
  ) {
    const schemes = new Set(fetch.protocols.map(([scheme]) => scheme));
    const fingerprintKey = fingerprintKeyBytes(identity);
    this.#fingerprinter = new Fingerprinter({ fingerprintKey, shards: identity.shards });
    this.keyOf = (url) => {
      const parsed = parseUrl(url, { files: true, schemes });
      return parsed.kind === "refused" ? null : keyOf(parsed.url, rules);
    };
    this.fingerprintOf = (url) => {
      const key = this.keyOf(url);
      return key === null ? null : this.ofKey(key);
    };
  }

  ofKey(key: string): Fingerprint {
    this.#fingerprinter.fingerprint(key as UrlKey);
    const [high = 0, low = 0] = this.#fingerprinter.halves;
    return { high, low };
  }
}

/** `DATABASE_…` when it cannot be read. */
export function openIndexOf(storage: DiskStorage, keys: CrawlKeys): Promise<PageIndex> {
  const databases = sqliteDatabases({
    ...{ root: storage.root, clock: new SystemClock(), isReader: true },
  });
  const fingerprintOf = (key: string): Fingerprint => keys.ofKey(key);
  return answered((done) => openPageIndex({ storage, databases, fingerprintOf }, done));
}
