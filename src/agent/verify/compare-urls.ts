/**
 * Compares what was seen and what waits with the crawl log: a page that has its line was seen, so that it
 * is not fetched again; what waits was seen, and has not been fetched. All is sorted on disk by the
 * fingerprints of the URLs, the order of the sieve's runs.
 */
import {
  type Fingerprint,
  printFingerprint,
  readFingerprint,
} from "../../base/fingerprints/index.ts";
import { RunWalk } from "../../base/runs/index.ts";
import type { DiskStorage } from "../../base/storage/index.ts";
import { LineSorter } from "../../store/export/index.ts";
import { type ProblemList, REBUILD, SORTED_BYTES_MAX } from "../../store/query/index.ts";
import type { CheckedSaved, SavedUrls } from "./check-saved.ts";

/** Fingerprints with what is said of them, sorted. */
export class UrlComparison implements SavedUrls {
  readonly #folder: string;
  readonly #storage: DiskStorage;
  readonly #problems: ProblemList;
  #lines: LineSorter;
  #begun = 0;
  /** The runs of all sieves; null if nothing is known of what was seen. */
  #sieve: RunWalk | null = null;

  constructor(folder: string, storage: DiskStorage, problems: ProblemList) {
    this.#folder = folder;
    this.#storage = storage;
    this.#problems = problems;
    this.#lines = new LineSorter(`${folder}-0`, SORTED_BYTES_MAX);
  }

  /** Forgets what was told. */
  begin(): this {
    this.#lines.close();
    this.#begun += 1;
    this.#lines = new LineSorter(`${this.#folder}-${this.#begun}`, SORTED_BYTES_MAX);
    return this;
  }

  /** Opens the runs of the sieves at once: a crawl that runs may remove them when it has newer ones. */
  async open({ sieve }: Pick<CheckedSaved, "sieve">, problems: ProblemList): Promise<void> {
    await this.#sieve?.close();
    this.#sieve = null;
    if (sieve === null) return;
    const walk = new RunWalk(this.#storage, sieve.runs, {
      format: sieve.format,
      damaged: (file, reason) => tellOf(problems, file, null, reason),
    });
    if (await walk.begin(true)) this.#sieve = walk;
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

  async compare({ mayRepeat }: CheckedSaved): Promise<void> {
    for (const { key, said } of groupsOf(this.#lines.sorted())) {
      const url = said.get("fetched") ?? said.get("failed") ?? null;
      const isKnown = url !== null || said.has("waits");
      // One that is dropped when it comes out is not fetched again either.
      const isSaid = said.has("seen") || said.has("dropped");
      if (isKnown && !isSaid && !(await this.#mayBeSeen(key))) {
        const what = url === null ? "a URL that waits is" : "a page that was fetched is";
        this.#tell("frontier/sieve", url, `${what} not among those that were seen`);
      }
      const isWaiting = said.has("waits") && !said.has("dropped");
      if (isWaiting && said.has("fetched") && !mayRepeat) {
        this.#tell("frontier/queues", url, "the page was fetched, and waits to be fetched");
      }
    }
  }

  async close(): Promise<void> {
    this.#lines.close();
    await this.#sieve?.close();
  }

  /** Keys are asked for in their order. */
  async #mayBeSeen(key: string): Promise<boolean> {
    const { high, low } = readFingerprint(key);
    return this.#sieve === null || (await this.#sieve.find(high, low)) !== null;
  }

  #add(url: Fingerprint, what: string): void {
    this.#lines.add(`${printFingerprint(url)}\t${what}`);
  }

  #tell(file: string, url: string | null, problem: string): void {
    tellOf(this.#problems, file, url, problem);
  }
}

function tellOf(problems: ProblemList, file: string, url: string | null, problem: string): void {
  problems.add({ file, at: null, url, problem, remedy: `${REBUILD}.` });
}

interface Group {
  readonly key: string;
  readonly said: ReadonlyMap<string, string>;
}

/** All that was said of each, in the order of the fingerprints. */
function* groupsOf(lines: Iterable<string>): Generator<Group> {
  let key: string | null = null;
  let said = new Map<string, string>();
  for (const line of lines) {
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
