/** Agents of one crawl in this process, each in a directory of its own, on a web served on loopback. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { openMember, type RunningMember } from "../../src/agent/member/open-member.ts";
import type { CrawlError } from "../../src/base/errors/index.ts";
import { version } from "../../src/base/package/index.ts";
import { SystemClock } from "../../src/base/time/index.ts";
import { InProcessHub, InProcessTransport } from "../../src/base/transport/index.ts";
import { readConfiguration } from "../../src/rules/config/index.ts";
import { type CrawledWeb, type Hosts, linking } from "../support/agent/crawl-rig.ts";

/** Times that are short, so that agents meet and part soon. */
const QUICK = [
  ...["cluster.heartbeat=50ms", "cluster.suspectAfter=250ms", "cluster.deadAfter=500ms"],
  ...["cluster.giveUpAfter=1500ms", "store.checkpoint=200ms", "scope=any", "lanes=1"],
];

export const HOSTS_COUNT = 12;
export const PAGES = 8;

/** Every page links to pages of three other hosts, and to the next one of its own. */
export const LINKED: Hosts = (port) =>
  Object.fromEntries(
    Array.from({ length: HOSTS_COUNT }, (_, host) => {
      const pages = Array.from({ length: PAGES }, (_page, page) => {
        const others = [1, 2, 3].map((step) => {
          const other = (host * 3 + page * 5 + step) % HOSTS_COUNT;
          return `http://h${other}.test:${port}/${(page * step + 1) % PAGES}`;
        });
        return [`/${page}`, linking(...others, `/${(page + 1) % PAGES}`)] as const;
      });
      return [`h${host}.test`, { pages: Object.fromEntries(pages) }];
    }),
  );

type CrawlEnd = Awaited<ReturnType<RunningMember["crawl"]["life"]["run"]>>;

export class MemberRig {
  readonly troubles: CrawlError[] = [];
  readonly #web: CrawledWeb;
  readonly #clock = new SystemClock();
  readonly #hub = new InProcessHub(this.#clock);
  readonly #settings: readonly string[];
  readonly #folder: string;
  readonly #transports = new Map<string, InProcessTransport>();

  /** `folder` keeps several rigs of a web apart. */
  constructor(web: CrawledWeb, settings: readonly string[] = [], folder = "agents") {
    this.#web = web;
    this.#folder = folder;
    this.#settings = settings;
  }

  /**
   * The first founds the crawl, which begins when `expect` agents are there. One that is plain is not given
   * how soon agents meet and part. One with `left` is stopped while it opens its crawl. `own` are settings of
   * this agent.
   */
  async open(
    id: string,
    {
      isPlain = false,
      left = null,
      ...how
    }: { founds: boolean; expect?: number; isPlain?: boolean; left?: AbortController | null },
    own: readonly string[] = [],
  ): Promise<RunningAgent> {
    const quick = isPlain ? ["lanes=1"] : QUICK;
    const all = [...quick, ...this.#assignments(), ...this.#settings, ...own, `cluster.id=${id}`];
    const reading = readConfiguration({
      flags: lastOf(all).map((text, at) => ({
        ...{ kind: "assignment" as const, ordinal: at + 1, text },
      })),
    });
    assert.ok(reading.ok, JSON.stringify(reading));
    const report = (error: CrawlError): void => {
      if (error.code !== "CLUSTER_WAITING") this.troubles.push(error);
    };
    const transport = new InProcessTransport(this.#hub, id);
    const opened = await openMember(
      {
        ...{ configuration: reading.configuration, given: reading, expect: 1, ...how },
        ...{ folder: this.folderOf(id), version: version(), clock: this.#clock, report },
        ...{ connect: async () => transport, startOver: null, shared: () => undefined },
        ready: async () => {
          left?.abort();
          return null;
        },
      },
      (left ?? new AbortController()).signal,
    ).catch((error: unknown) => {
      transport.close();
      throw error;
    });
    this.#transports.set(id, transport);
    const run = async (): Promise<CrawlEnd> => {
      const end = await opened.crawl.life.run();
      transport.close();
      return end;
    };
    return { ...opened, run };
  }

  /** From now on nobody hears the agent, and it hears nobody. */
  cut(id: string): void {
    this.#transports.get(id)?.close();
  }

  folderOf(id: string): string {
    return join(this.#web.folder, this.#folder, id);
  }

  /** As flags say it. */
  #assignments(): readonly string[] {
    const { flags } = this.#web;
    const sets = flags.filter((_flag, at) => flags[at - 1] === "--set");
    return [
      ...["fetch.allowAddresses=[0.0.0.0/0, '::/0']", "fetch.ports=any", "limits.minFreeDisk=0"],
      ...["politeness.hostDelay=1ms", "politeness.ipDelay=0", ...sets],
    ];
  }
}

/** Of several values of a key, the last. */
function lastOf(assignments: readonly string[]): readonly string[] {
  const byKey = new Map(assignments.map((text) => [text.slice(0, text.indexOf("=")), text]));
  return [...byKey.values()];
}

export interface RunningAgent extends RunningMember {
  /** Runs it to its end. */
  run(): Promise<CrawlEnd>;
}

/** Runs agents to the end of their crawl, beginning with these seeds. */
export async function runAll(
  members: readonly RunningAgent[],
  seeds: readonly string[],
): Promise<readonly CrawlEnd[]> {
  const ends = members.map((member) => member.run());
  await members[0]?.member.seed(seeds);
  return await Promise.all(ends);
}

/** The first founds the crawl, which begins when all are there. */
export function openAll(rig: MemberRig, agents: number): Promise<RunningAgent[]> {
  return Promise.all(
    Array.from({ length: agents }, (_, at) =>
      rig.open(`a${at}`, { founds: at === 0, expect: agents }),
    ),
  );
}

/** What was asked for more than once. */
export function again(asked: readonly string[]): readonly string[] {
  const counts = Map.groupBy(asked, (one) => one);
  return [...counts].filter(([, times]) => times.length > 1).map(([what]) => what);
}
