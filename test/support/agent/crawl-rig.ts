/**
 * Whole crawls for scenario tests: `trobar crawl` run in this process on a web served on loopback,
 * and everything that it leaves behind, read back: its summary, its crawl log, its archive.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CrawlSummary } from "../../../src/agent/index.ts";
import type { Clock } from "../../../src/base/seams/index.ts";
import { DiskStorage } from "../../../src/base/storage/index.ts";
import { SystemClock } from "../../../src/base/time/index.ts";
import { run } from "../../../src/cli/shell/run.ts";
import type { ReadRecord } from "../../../src/formats/warc/index.ts";
import {
  DEFAULT_RULES,
  ServedWeb,
  type WebRequest,
  type WebResponse,
} from "../../../src/lab/simweb/index.ts";
import type { AccessEntry } from "../../../src/lab/simweb/serve/access-log.ts";
import { type CrawlLine, noteOf, readCrawlLog } from "../../../src/store/archive/index.ts";
import { RecordedTerminal } from "../cli/recorded-terminal.ts";
import { damageOf, recordsOf, scanAll } from "../formats/warc-reading.ts";
import { type TableHost, TableWeb } from "../lab/table-web.ts";

/** Hosts of a web; the function is given the port, which is part of absolute URLs. */
export type Hosts = (port: number) => Readonly<Record<string, TableHost>>;

export interface EndedCrawl {
  readonly code: number;
  /** Null when nothing was printed. */
  readonly summary: CrawlSummary | null;
  readonly terminal: RecordedTerminal;
  readonly folder: string;
  /** Of pages; those of robots.txt are apart. */
  readonly lines: readonly CrawlLine[];
  readonly robotsLines: readonly CrawlLine[];
  readonly records: readonly ReadRecord[];
  readonly robotsRecords: readonly ReadRecord[];
}

/** Flags for a web on loopback, which needs no politeness. */
export function loopbackFlags(dnsPort: number): readonly string[] {
  return [
    "--allow-private",
    // Tests of several lanes ask for them; to start one takes longer than most of these crawls.
    ...["--lanes", "1"],
    ...["--delay", "1ms", "--ip-delay", "0", "--min-free-disk", "0"],
    ...["--set", `dns.servers=['127.0.0.1:${dnsPort}']`, "--set", "dns.timeout=500ms"],
    ...["--set", "fetch.retries=2", "--set", "fetch.retryWait=5ms"],
    ...["--set", "fetch.retryMaxWait=20ms", "--set", "store.checkpoint=1s"],
    // The default is for large crawls: most of the time of a small one would go into its memory.
    ...["--set", "frontier.memory=16Mi"],
    // To load the words of all languages takes longer than most of these crawls; a few tests ask for it.
    ...["--set", "parse.language=false"],
  ];
}

/** Tells how often it was asked. */
class CountedWeb extends TableWeb {
  #count = 0;
  readonly #watchers: { readonly count: number; readonly reached: () => void }[] = [];

  override respond(request: WebRequest): WebResponse {
    this.#count += 1;
    for (const { count, reached } of this.#watchers) if (this.#count >= count) reached();
    return super.respond(request);
  }

  /** Resolves when it was asked this often. */
  asked(count: number): Promise<void> {
    return new Promise((reached) => {
      this.#watchers.push({ count, reached });
      if (this.#count >= count) reached();
    });
  }
}

/** A web served by this thread: for what is fetched, not for how politely. */
export class CrawledWeb {
  readonly folder: string = mkdtempSync(join(tmpdir(), "trobar-crawl-"));
  readonly #clock: Clock;
  readonly #served: ServedWeb<CountedWeb>;
  #crawls = 0;

  private constructor(clock: Clock, served: ServedWeb<CountedWeb>) {
    this.#clock = clock;
    this.#served = served;
  }

  static async open(hosts: Hosts): Promise<CrawledWeb> {
    const clock = new SystemClock();
    const served = await ServedWeb.open<CountedWeb>({
      ...{ clock, port: 0, dnsPort: 0, controlPort: 0, rules: DEFAULT_RULES },
      makeWeb: (port) => new CountedWeb(hosts(port)),
      truthFor: () => ({ ok: false, mistakes: ["a web written by hand has no truth"] }),
    });
    return new CrawledWeb(clock, served);
  }

  get flags(): readonly string[] {
    // Only names whose test says so get no answer; all others do, however busy the machine is.
    return [...loopbackFlags(this.#served.dnsPort), "--set", "dns.timeout=30s"];
  }

  /** `a.test/x` as the URL that it has here. */
  url(place: string): string {
    return place.replace(/^([^/]*)/, `http://$1:${this.#served.port}`);
  }

  /** What was asked for, as `a.test/x`, robots.txt left out; in the order of the requests. */
  get asked(): string[] {
    return this.entries
      .filter(({ isRobots }) => !isRobots)
      .map(({ host, target }) => host + target);
  }

  /** On the clock of the entries. */
  get nowMs(): number {
    return this.#clock.nowMs();
  }

  get entries(): AccessEntry[] {
    const { log } = this.#served.server;
    return Array.from({ length: log.size }, (_, row) => log.entry(row));
  }

  /** Resolves when this many requests have come, robots.txt included. */
  requests(count: number): Promise<void> {
    return this.#served.web.asked(count);
  }

  /** Crawls into a directory of its own; seeds are places. */
  async crawl(seeds: readonly string[], args: readonly string[] = []): Promise<EndedCrawl> {
    this.#crawls += 1;
    const folder = join(this.folder, String(this.#crawls));
    const urls = seeds.map((seed) => (seed.includes(":") ? seed : this.url(seed)));
    const common = [...this.flags, "--json", "--quiet", "-o", folder];
    return await crawlInto(folder, ["crawl", ...common, ...args, "--", ...urls]);
  }

  async close(): Promise<void> {
    await this.#served.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Runs a command that crawls into a folder, and reads what it left there. */
export async function crawlInto(
  folder: string,
  argv: readonly string[],
  terminal: RecordedTerminal = new RecordedTerminal(),
): Promise<EndedCrawl> {
  const code = await run(argv, terminal);
  const [summary] = argv.includes("--json") ? terminal.rows() : [];
  const robotsLines = (await everyLine(folder)).filter(isRobots);
  const robots = new Set(robotsLines.map(({ url }) => url));
  const records = everyRecord(folder);
  const isOfRobots = ({ targetUri }: ReadRecord) => robots.has(targetUri ?? "");
  return {
    ...{ code, terminal, folder, robotsLines },
    summary: (summary as unknown as CrawlSummary | undefined) ?? null,
    lines: await crawlLines(folder),
    records: records.filter((record) => !isOfRobots(record)),
    robotsRecords: records.filter(isOfRobots),
  };
}

/** Opens a web, runs `use` with it, and closes it, whatever the outcome. */
export async function withWeb(
  hosts: Hosts,
  use: (web: CrawledWeb) => Promise<void>,
): Promise<void> {
  const web = await CrawledWeb.open(hosts);
  try {
    await use(web);
  } finally {
    await web.close();
  }
}

/** The lines of pages and sitemaps. */
export async function crawlLines(folder: string): Promise<CrawlLine[]> {
  return (await everyLine(folder)).filter((line) => !isRobots(line));
}

function isRobots(line: CrawlLine): boolean {
  return noteOf(line, "robots") !== null;
}

/** Every line of a crawl log; each of them parses, and nothing in the log is anything else. */
async function everyLine(folder: string): Promise<CrawlLine[]> {
  const lines: CrawlLine[] = [];
  const storage = new DiskStorage(folder);
  const damage = await new Promise((resolve) => {
    const take = (line: CrawlLine): undefined => void lines.push(line);
    readCrawlLog(storage, take, (error, found) => resolve(error === null ? found : []));
  });
  assert.deepEqual(damage, []);
  return lines;
}

/** The records of the archive, those of robots.txt left out. */
export function archiveRecords(folder: string): ReadRecord[] {
  return everyRecord(folder).filter(({ targetUri }) => targetUri?.endsWith("/robots.txt") !== true);
}

/** Every record of the archive, which is whole. */
function everyRecord(folder: string): ReadRecord[] {
  return namesIn(join(folder, "warc")).flatMap((name) => {
    const steps = scanAll(readFileSync(join(folder, "warc", name)));
    assert.deepEqual(damageOf(steps), []);
    return recordsOf(steps);
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** A page with these links. */
export function linking(...links: readonly string[]): { readonly body: string } {
  return { body: `<title>page</title>${links.map((to) => `<a href="${to}">x</a>\n`).join("")}` };
}
