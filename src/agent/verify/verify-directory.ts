/**
 * Checks a whole crawl directory: archive, crawl log, page index, links and texts (module `store`), and
 * what the crawl goes on from; then each against the other: URLs that were seen or wait with the crawl
 * log, the link graph with the pages of the archive.
 *
 * What depends on something else is read first, so the crawl may be running. Memory does not depend on the
 * number of pages: both sides are sorted on disk.
 */
import { join } from "node:path";
import { isCrawlError } from "../../base/errors/index.ts";
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import { answered } from "../../base/seams/index.ts";
import { DiskStorage } from "../../base/storage/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { CrawlDirectory, fingerprintKeyBytes } from "../../store/directory/index.ts";
import {
  type KnownRows,
  type LinkReading,
  ProblemList,
  REBUILD,
  type ReplayedLines,
  type Verification,
  type VerifyOptions,
  verifyCrawl,
} from "../../store/query/index.ts";
import { readOrders } from "../control/orders.ts";
import { RetriedPages } from "../control/retried-pages.ts";
import { filePrefix } from "../providers/open-store.ts";
import { linkTerms } from "../saving/reading-mark.ts";
import { markedStore } from "../visit/page-rows.ts";
import { type CheckedCluster, checkCluster, JOIN_ANEW } from "./check-cluster.ts";
import { type CheckedSaved, checkSaved } from "./check-saved.ts";
import { UrlComparison } from "./compare-urls.ts";
import { LinkReader } from "./read-links.ts";
import { refuseHalfRebuilt } from "./rebuild-state.ts";

export interface DirectoryVerification extends Verification {
  readonly hosts: number;
  /** URLs that wait. */
  readonly waiting: number;
  /**
   * Whether what the crawl goes on from was checked; `replaced`: the crawl runs, and replaced it before it
   * was read.
   */
  readonly checkpoint: "checked" | "replaced" | "none";
  /**
   * Whether what an agent knows of the others was checked; `running`: it is not, since the agent runs; `none`: the
   * crawl is a whole one.
   */
  readonly cluster: "checked" | "running" | "none";
}

export interface VerifyDirectoryOptions extends Pick<VerifyOptions, "scratch" | "told"> {
  /** Of Trobar. */
  readonly version: string;
  /** Told what is to be compared with the directories of other agents. */
  readonly shared?: Partial<SharedFindings>;
}

export interface SharedFindings {
  /** This disk has the page of a URL, or has tried to. */
  readonly had: (page: Fingerprint) => void;
  readonly claimed: Parameters<typeof checkCluster>[0]["claimed"];
  readonly cluster: (checked: CheckedCluster) => void;
}

/** `path` is absolute, and holds a crawl. */
export async function verifyDirectory(
  path: string,
  { version, shared = {}, ...options }: VerifyDirectoryOptions,
): Promise<DirectoryVerification> {
  const problems = new ProblemList();
  const storage = new DiskStorage(path);
  const urls = new UrlComparison(join(options.scratch, "urls"), storage, problems);
  try {
    checkOwnFiles(path, problems);
    const parts = readableParts(path);
    const configuration = parts?.configuration ?? null;
    const checking = {
      urls: () => urls.begin(),
      keep: (...opened: Parameters<UrlComparison["open"]>) => urls.open(...opened),
    };
    const checked =
      parts === null ? null : await checkSaved({ storage, ...parts, ...checking }, problems);
    const saved = checked === "replaced" ? null : checked;
    const knownEnd = saved?.logEnd ?? 0;
    let logEnd: number | null = null;
    const found = await verifyCrawl(
      path,
      {
        ...options,
        reading: await openReading(path, options.scratch, { configuration, saved, version }),
        replayed: replayedLines(configuration, saved),
        rows: knownRows(configuration, saved),
        page: (page) => {
          shared.had?.(page);
          if (page.position < knownEnd) urls.page(page, page.url, page.isFailure);
        },
        logEnd: (end) => {
          logEnd = end;
        },
      },
      problems,
    );
    if (saved !== null) {
      await urls.compare(saved);
      await compareEnds(saved, logEnd, problems);
    }
    const cluster = await checkShared({ path, storage, saved, shared }, problems);
    const { kinds, count: countOfProblems } = problems;
    const kept = CrawlDirectory.isOfAgent(path) ? problems.kept.map(ofAgent) : problems.kept;
    const { hosts = 0, waiting = 0 } = saved ?? {};
    const checkpoint = checked === "replaced" ? checked : saved === null ? "none" : "checked";
    const counts = { kinds, problems: kept, countOfProblems, hosts, waiting };
    return { ...found, ...counts, checkpoint, cluster };
  } finally {
    await urls.close();
  }
}

interface SharedParts {
  readonly path: string;
  readonly storage: DiskStorage;
  readonly saved: CheckedSaved | null;
  readonly shared: Partial<SharedFindings>;
}

async function checkShared(
  { path, storage, saved, shared }: SharedParts,
  problems: ProblemList,
): Promise<DirectoryVerification["cluster"]> {
  if (!CrawlDirectory.isOfAgent(path)) return "none";
  if (CrawlDirectory.isInUse(path)) return "running";
  const { agent } = CrawlDirectory.identityOf(path);
  const claimed = shared.claimed ?? ((): void => undefined);
  const { member = null, isWhole: isClosed = false } = saved ?? {};
  const checked = await checkCluster({ storage, agent, member, isClosed, claimed }, problems);
  shared.cluster?.(checked);
  return "checked";
}

type Problem = ProblemList["kept"][number];

/** What an agent among others has cannot be made again by itself. */
function ofAgent(problem: Problem): Problem {
  return { ...problem, remedy: problem.remedy.replace(REBUILD, JOIN_ANEW) };
}

/** What a crawl that was killed, or is running, would read once more; null if it has ended in order. */
function replayedLines(
  configuration: Configuration | null,
  saved: CheckedSaved | null,
): ReplayedLines | null {
  if (configuration === null || saved === null || saved.isWhole) return null;
  const { logEnd: from, isStill } = saved;
  return { from, archives: configuration.store.kind === "warc", isStill };
}

/** What the checkpoint says of the files of stores of lines; null if it is not known. */
function knownRows(
  configuration: Configuration | null,
  saved: CheckedSaved | null,
): KnownRows | null {
  if (configuration === null || saved === null) return null;
  const { rows, isWhole, logEnd } = saved;
  const { kind, output } = configuration.store;
  const own = kind === "jsonl" && output === "files" ? filePrefix(configuration) : null;
  const stores = Object.entries(rows).flatMap(([key, mark]) => {
    const name = markedStore(key);
    return name === null ? [] : [{ name, isOwn: name === own, mark: isWhole ? null : mark }];
  });
  return stores.length === 0
    ? null
    : { stores, logEnd: isWhole ? Number.POSITIVE_INFINITY : logEnd };
}

interface Known {
  readonly configuration: Configuration | null;
  readonly saved: CheckedSaved | null;
  readonly version: string;
}

/** How links are read from archived pages; null if it is not known how the crawl has read them. */
async function openReading(
  path: string,
  scratch: string,
  { configuration, saved, version }: Known,
): Promise<LinkReading | null> {
  if (configuration === null || saved === null) return null;
  const { terms, from } = saved.reading;
  if (terms === null || terms !== linkTerms(configuration, version)) return null;
  const fingerprintKey = fingerprintKeyBytes(CrawlDirectory.identityOf(path));
  const storage = new DiskStorage(join(scratch, "spool"));
  await answered((done) => storage.prepare(done));
  const reader = await LinkReader.open({ configuration, fingerprintKey, scratch: storage });
  if (reader === null) return null;
  const { logEnd: to, isWhole } = saved;
  return { span: { from, to, isWhole }, read: (page) => reader.read(page) };
}

/** The store tells what is wrong with these. */
function readableParts(
  path: string,
): { readonly configuration: Configuration; readonly crawl: string } | null {
  try {
    const { crawl } = CrawlDirectory.identityOf(path);
    return { configuration: CrawlDirectory.configurationOf(path), crawl };
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
  try {
    refuseHalfRebuilt(path);
  } catch (error) {
    if (!isCrawlError(error)) throw error;
    const remedy = "Until then the crawl does not go on.";
    problems.add({ file: "rebuild.json", at: null, url: null, problem: error.message, remedy });
  }
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
