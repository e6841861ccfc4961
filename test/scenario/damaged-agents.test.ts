/**
 * Bits that flip and files that are cut, in what an agent keeps because it is one of several: its table of
 * members, its seeds and limits, what it was told and has told. Whatever is damaged, the crawl ends with every
 * page in the archive of some agent. If an agent refuses to go on, an empty directory in the place of its own
 * is what it asks for, as after the loss of a disk.
 */
import assert from "node:assert/strict";
import {
  appendFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import type { CrawlSummary } from "../../src/agent/index.ts";
import { isCrawlError } from "../../src/base/errors/index.ts";
import { SeededRandom } from "../../src/base/random/index.ts";
import type { Random } from "../../src/base/seams/index.ts";
import { exitCodeOf } from "../../src/cli/shell/exit-code.ts";
import {
  archiveRecords,
  type CrawledWeb,
  type Hosts,
  linking,
  withWeb,
} from "../support/agent/crawl-rig.ts";
import { MemberRig, type RunningAgent } from "./member-rig.ts";

const isFull = process.env["TROBAR_FULL"] === "1";
const TRIALS = isFull ? 300 : 13;
const AT_ONCE = 3;
const HOSTS_COUNT = 10;
const PAGES = 8;
const AGENTS = ["a0", "a1", "a2"];
const SETTINGS = ["politeness.hostDelay=60ms", "store.checkpoint=100ms"];

/** Every page links to pages of two other hosts, and to the next one of its own. */
const WEB: Hosts = (port) =>
  Object.fromEntries(
    Array.from({ length: HOSTS_COUNT }, (_, host) => {
      const pages = Array.from({ length: PAGES }, (_page, page) => {
        const others = [1, 3].map((step) => {
          const other = (host + page * step + step) % HOSTS_COUNT;
          return `http://h${other}.test:${port}/${(page * step + 1) % PAGES}`;
        });
        return [`/${page}`, linking(...others, `/${(page + 1) % PAGES}`)] as const;
      });
      return [`h${host}.test`, { pages: Object.fromEntries(pages) }];
    }),
  );

/** What only an agent among others has. */
const OF_AGENTS = /^(?:cluster|inbox|outbox|claims|frontier\/foreign)\//;

/** Files of one kind have one turn. */
function kindOf(name: string): string {
  return name.replace(/^outbox\/[^/]+/, "outbox/x").replace(/\d+/g, "N");
}

/** Three agents, of which the last came in mid-crawl, so that hosts have changed hands; all were stopped. */
async function stopped(web: CrawledWeb): Promise<MemberRig> {
  const rig = new MemberRig(web, SETTINGS, "sample");
  const founder = await rig.open("a0", { founds: true, expect: 2 });
  const other = await rig.open("a1", { founds: false });
  const ends = [founder.run(), other.run()];
  await founder.member.seed([web.url("h0.test/0")]);
  await web.requests(30);
  const joiner = await rig.open("a2", { founds: false });
  ends.push(joiner.run());
  await web.requests(60);
  for (const { crawl } of [founder, other, joiner]) crawl.life.stop();
  await Promise.all(ends);
  return rig;
}

function damage(random: Random, path: string): string {
  const { size } = statSync(path);
  if (size === 0) {
    appendFileSync(path, "x");
    return "not empty";
  }
  if (random.below(3) === 0) {
    const length = random.below(size);
    truncateSync(path, length);
    return `cut to ${length} of ${size}`;
  }
  const [at, bit] = [random.below(size), random.below(8)];
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
  writeFileSync(path, bytes);
  return `bit ${bit} of byte ${at} of ${size}`;
}

/** Goes on with the agents, one of them perhaps with an empty directory; how that one went on. */
async function goOn(rig: MemberRig, damaged: string): Promise<string> {
  const opening = AGENTS.map((id) => rig.open(id, { founds: id === "a0" && id !== damaged }));
  const opened = await Promise.allSettled(opening);
  const running = new Map<string, RunningAgent>();
  const ends = new Map<string, Promise<CrawlSummary>>();
  const run = (id: string, member: RunningAgent): void => {
    running.set(id, member);
    ends.set(id, member.run());
  };
  let outcome = rig.troubles.length === 0 ? "harmless" : "told";
  const replace = async (how: string): Promise<void> => {
    rmSync(rig.folderOf(damaged), { recursive: true });
    run(damaged, await rig.open(damaged, { founds: false }));
    outcome = how;
  };
  for (const [at, one] of opened.entries()) {
    if (one.status === "fulfilled") run(AGENTS[at] ?? "", one.value);
  }
  try {
    for (const [at, one] of opened.entries()) {
      if (one.status === "fulfilled") continue;
      refusedFor(AGENTS[at] ?? "", damaged, one.reason);
      await replace("refused");
    }
    const { reason } = (await ends.get(damaged)) ?? {};
    if (reason === "disk") {
      assertTold(rig, damaged);
      await replace("met later");
    }
    for (const end of await Promise.all(ends.values())) assert.equal(end.reason, "exhausted");
    return outcome;
  } catch (error) {
    for (const { crawl } of running.values()) crawl.life.stop();
    throw error;
  }
}

/** What is not read when a crawl is opened is met while it runs; then the agent ends, and says why. */
function assertTold(rig: MemberRig, damaged: string): void {
  const codes = rig.troubles.map(({ code }) => code);
  assert.ok(
    codes.some((code) => exitCodeOf(code) === 4),
    `${damaged} has told ${codes}`,
  );
}

/** Only what is damaged is refused, and as damage. */
function refusedFor(id: string, damaged: string, reason: unknown): void {
  assert.equal(id, damaged, String(reason));
  assert.ok(isCrawlError(reason), reason instanceof Error ? reason.stack : String(reason));
  assert.equal(exitCodeOf(reason.code), 4, reason.message);
}

function stored(rig: MemberRig): Set<string> {
  const records = AGENTS.flatMap((id) => archiveRecords(rig.folderOf(id)));
  const bodies = records.filter(({ type }) => type === "response" || type === "revisit");
  return new Set(bodies.map(({ targetUri }) => targetUri ?? ""));
}

test("no damage to what agents know of each other costs a page", async (t) => {
  const seed = process.env["TROBAR_SEED"] ?? "agents";
  t.diagnostic(`TROBAR_SEED=${seed}`);
  await withWeb(WEB, async (web) => {
    const sample = await stopped(web);
    const turns = AGENTS.flatMap((id) => {
      const folder = sample.folderOf(id);
      const names = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
        .filter((name) => OF_AGENTS.test(name));
      return names.map((name) => ({ id, name, kind: kindOf(name) }));
    });
    const kinds = [...Map.groupBy(turns, ({ kind }) => kind).values()];
    const outcomes = new Map<string, number>();
    const trials = Array.from({ length: TRIALS }, (_, trial) => trial);
    const work = async (): Promise<void> => {
      for (let trial = trials.shift(); trial !== undefined; trial = trials.shift()) {
        const random = new SeededRandom(`${seed} ${trial}`);
        const files = kinds[trial % kinds.length] ?? assert.fail();
        const { id, name } = files[random.below(files.length)] ?? assert.fail();
        const rig = new MemberRig(web, SETTINGS, `trial-${trial}`);
        for (const agent of AGENTS) {
          cpSync(sample.folderOf(agent), rig.folderOf(agent), { recursive: true });
        }
        const what = `trial ${trial}, ${id}/${name}, ${damage(random, join(rig.folderOf(id), name))}`;
        try {
          const outcome = await goOn(rig, id);
          assert.equal(stored(rig).size, HOSTS_COUNT * PAGES, "pages are missing");
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        } catch (error) {
          trials.length = 0;
          throw new Error(`TROBAR_SEED=${seed}, ${what}`, { cause: error });
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    t.diagnostic([...outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(", "));
  });
});
