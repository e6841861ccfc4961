/**
 * Checks a whole crawl directory: archive, crawl log, page index, links and texts (module `store`), and
 * what the crawl goes on from; then each against the other. A page that has its line was seen, so that it
 * is not fetched again; what waits was seen, and has not been fetched.
 *
 * What depends on something else is read first, so the crawl may be running. Memory does not depend on the
 * number of pages: both sides are sorted on disk.
 */
import { join } from "node:path";
import { isCrawlError } from "../../base/errors/index.ts";
import {
  type Fingerprint,
  printFingerprint,
  readFingerprint,
} from "../../base/fingerprints/index.ts";
import { RunWalk } from "../../base/runs/index.ts";
import { DiskStorage } from "../../base/storage/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { CrawlDirectory } from "../../store/directory/index.ts";
import { LineSorter } from "../../store/export/index.ts";
import {
  ProblemList,
  REBUILD,
  type Verification,
  type VerifyOptions,
  verifyCrawl,
} from "../../store/query/index.ts";
import { readOrders } from "../control/orders.ts";
import { RetriedPages } from "../control/retried-pages.ts";
import { type CheckedSaved, checkSaved, type SavedUrls } from "./check-saved.ts";

export interface DirectoryVerification extends Verification {
  readonly hosts: number;
  /** URLs that wait. */
  readonly waiting: number;
}

/** `path` is absolute, and holds a crawl. */
export async function verifyDirectory(
  path: string,
  options: Pick<VerifyOptions, "scratch" | "told">,
): Promise<DirectoryVerification> {
  const problems = new ProblemList();
  const urls = new UrlSorter(join(options.scratch, "urls"));
  try {
    checkOwnFiles(path, problems);
    const configuration = readableConfiguration(path);
    const storage = new DiskStorage(path);
    const saved =
      configuration === null
        ? null
        : await checkSaved({ storage, configuration, urls: () => urls.begin() }, problems);
    const knownEnd = saved?.logEnd ?? 0;
    let logEnd: number | null = null;
    const found = await verifyCrawl(
      path,
      {
        ...options,
        page: (page) => {
          if (page.position < knownEnd) urls.page(page, page.url, page.isFailure);
        },
        logEnd: (end) => {
          logEnd = end;
        },
      },
      problems,
    );
    if (saved !== null) {
      await compareUrls(urls, storage, saved, problems);
      await compareEnds(saved, logEnd, problems);
    }
    const { kept, kinds, count: countOfProblems } = problems;
    const { hosts = 0, waiting = 0 } = saved ?? {};
    return { ...found, kinds, problems: kept, countOfProblems, hosts, waiting };
  } finally {
    urls.close();
  }
}

/** The store tells what is wrong with these. */
function readableConfiguration(path: string): Configuration | null {
  try {
    CrawlDirectory.identityOf(path);
    return CrawlDirectory.configurationOf(path);
  } catch (error) {
    if (!isCrawlError(error)) throw error;
    return null;
  }
}

function checkOwnFiles(path: string, problems: ProblemList): void {
  const files = {
    "orders.json": () => readOrders(path),
    "retried.json": () => new RetriedPages(path),
  };
  for (const [file, read] of Object.entries(files)) {
    try {
      read();
    } catch (error) {
      if (!isCrawlError(error)) throw error;
      const remedy = "Remove it: it only says what was asked of the crawl. Then ask again.";
      problems.add({ file, at: null, url: null, problem: "it cannot be read", remedy });
    }
  }
}

/** Fingerprints with what is said of them, sorted. */
class UrlSorter implements SavedUrls {
  readonly #folder: string;
  #lines: LineSorter;
  #begun = 0;

  constructor(folder: string) {
    this.#folder = folder;
    this.#lines = new LineSorter(`${folder}-0`);
  }

  /** Forgets what was told. */
  begin(): this {
    this.#lines.close();
    this.#begun += 1;
    this.#lines = new LineSorter(`${this.#folder}-${this.#begun}`);
    return this;
  }

  seen(url: Fingerprint): void {
    this.#add(url, "seen");
  }

  waits(url: Fingerprint): void {
    this.#add(url, "waits");
  }

  dropped(url: Fingerprint): void {
    this.#add(url, "dropped");
  }

  page(page: Fingerprint, url: string, isFailure: boolean): void {
    this.#add(page, `${isFailure ? "failed" : "fetched"}\t${url}`);
  }

  /** All that was said of each, in the order of the fingerprints. */
  *groups(): Generator<{ readonly key: string; readonly said: ReadonlyMap<string, string> }> {
    let key: string | null = null;
    let said = new Map<string, string>();
    for (const line of this.#lines.sorted()) {
      const [first = "", what = "", url = ""] = line.split("\t");
      if (first !== key) {
        if (key !== null) yield { key, said };
        key = first;
        said = new Map();
      }
      said.set(what, url);
    }
    if (key !== null) yield { key, said };
  }

  close(): void {
    this.#lines.close();
  }

  #add(url: Fingerprint, what: string): void {
    this.#lines.add(`${printFingerprint(url)}\t${what}`);
  }
}

/** Keys are asked for in their order. */
async function hasKey(runs: RunWalk, key: string): Promise<boolean> {
  const { high, low } = readFingerprint(key);
  return (await runs.find(high, low)) !== null;
}

async function compareUrls(
  urls: UrlSorter,
  storage: DiskStorage,
  { sieve, mayRepeat }: CheckedSaved,
  problems: ProblemList,
): Promise<void> {
  const tell = (file: string, url: string | null, problem: string): void =>
    problems.add({ file, at: null, url, problem, remedy: `${REBUILD}.` });
  const seen = sieve === null ? null : new RunWalk(storage, sieve.runs, { format: sieve.format });
  try {
    for (const { key, said } of urls.groups()) {
      const url = said.get("fetched") ?? said.get("failed") ?? null;
      const isSeen = said.has("seen") || seen === null || (await hasKey(seen, key));
      const isKnown = url !== null || said.has("waits");
      // One that is dropped when it comes out is not fetched again either.
      if (isKnown && !isSeen && !said.has("dropped")) {
        const what = url === null ? "a URL that waits is" : "a page that was fetched is";
        tell("frontier/sieve", url, `${what} not among those that were seen`);
      }
      const isWaiting = said.has("waits") && !said.has("dropped");
      if (isWaiting && said.has("fetched") && !mayRepeat) {
        tell("frontier/queues", url, "the page was fetched, and waits to be fetched");
      }
    }
  } finally {
    await seen?.close();
  }
}

/** A crawl goes on only from a checkpoint that knows its crawl log. */
async function compareEnds(
  { logEnd: knownEnd, isWhole, isStill }: CheckedSaved,
  logEnd: number | null,
  problems: ProblemList,
): Promise<void> {
  if (logEnd === null || logEnd === knownEnd || (logEnd > knownEnd && !isWhole)) return;
  if (!(await isStill())) return;
  const problem =
    logEnd < knownEnd
      ? `its checkpoint knows ${knownEnd} bytes of the crawl log, which has ${logEnd}`
      : `the crawl log has ${logEnd - knownEnd} bytes of lines that its checkpoint does not know`;
  const remedy = `One of them may be an older copy. ${REBUILD}.`;
  problems.add({ file: "crawl.db", at: null, url: null, problem, remedy });
}
