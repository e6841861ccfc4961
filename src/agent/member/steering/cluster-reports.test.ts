/** What agents say of themselves, as one of them puts it together. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Place } from "../../../cluster/messages/index.ts";
import type { ToldStatus } from "../../../cluster/node/index.ts";
import { Kernel } from "../../../lab/simulator/index.ts";
import type { CrawlSummary } from "../../crawl/counting/crawl-summary.ts";
import { ClusterReports, type ClusterReportsParts } from "./cluster-reports.ts";

type Standing = "alive" | "dead" | "given-up";
type Batch = Parameters<Parameters<Stream["next"]>[0]>[0];
type Stream = ReturnType<ClusterReportsParts["node"]["queries"]["statuses"]>;

function placeOf(id: string): Place {
  return { id, generation: 1 };
}

function statusOf(id: string, pages: number, more: Partial<ToldStatus> = {}): ToldStatus {
  const counts = { pending: 1, lagMs: 1500, retainedBytes: 10, told: 2, sent: 3, claims: 4 };
  const rest = { state: "active", isIdle: false, view: "v", dropped: { late: 5 } };
  return { id, ...counts, ...rest, summary: { pages, urls: pages }, ...more } as ToldStatus;
}

/** The agent `a`, which asks, among others. */
class Rig {
  readonly kernel = new Kernel({ seed: "reports" });
  readonly reports: ClusterReports;
  /** How often all were asked, and how often nobody waited for answers any more. */
  asked = 0;
  closed = 0;
  readonly #standings: Readonly<Record<string, Standing>>;
  #waiting: ((batch: Batch) => void)[] = [];

  constructor(standings: Readonly<Record<string, Standing>>) {
    this.#standings = { a: "alive", ...standings };
    this.reports = new ClusterReports({
      clock: this.kernel.clock,
      node: this.#node(),
      summary: () => ({ state: "running", pages: 1, urls: 1 }) as CrawlSummary,
      refusals: () => ({
        messages: new Map([["sender", 7]]),
        connections: new Map([["plain", 8]]),
      }),
    });
  }

  /** An agent answers. */
  says(id: string, status: unknown): void {
    this.#answer({ from: placeOf(id), items: [Buffer.from(JSON.stringify(status))], missing: [] });
  }

  /** All have answered but these. */
  over(...missing: readonly string[]): void {
    const gone = missing.map((id) => ({ place: placeOf(id), why: "timed-out" as const }));
    this.#answer({ from: null, items: [], missing: gone });
  }

  #answer(batch: Pick<Batch, "from" | "items" | "missing">): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const answer of waiting) answer({ ...batch, omitted: 0, cursor: "" });
  }

  #node(): ClusterReportsParts["node"] {
    const members = Object.entries(this.#standings).map(([id, standing], at) => ({
      ...{ place: placeOf(id), state: "active", standing, isFull: false },
      ...{ silentMs: id === "a" ? 0 : at === 1 ? 1250 : Number.POSITIVE_INFINITY },
      ...{ capacity: at + 1, isInRing: standing === "alive" },
    }));
    const shares = new Map(members.map(({ place }) => [place.id, 1 / 3]));
    const view = { self: placeOf("a"), members: () => members, shares: () => shares };
    const { dropped: _none, ...status } = statusOf("a", 0);
    const stream: Pick<Stream, "next" | "close"> = {
      next: (answered) => void this.#waiting.push(answered),
      close: () => {
        this.closed += 1;
      },
    };
    const statuses = (): Pick<Stream, "next" | "close"> => {
      this.asked += 1;
      return stream;
    };
    return {
      ...{ queries: { statuses }, status: { ...status, dropped: new Map([["late", 2]]) }, view },
    } as unknown as ClusterReportsParts["node"];
  }
}

test("members are shown as the one that is asked sees them, with what each says of itself", async () => {
  const rig = new Rig({ c: "alive", b: "alive" });
  const asked = rig.reports.report();
  rig.says("c", statusOf("c", 30, { view: "w" }));
  rig.says("b", statusOf("b", 20));
  rig.over();
  const { agent, views, members, missing, refused } = await asked;
  assert.deepEqual([agent, views, missing, refused], ["a", 2, [], { plain: 8 }]);
  assert.deepEqual(
    members.map((one) => [one.agent, one.self, one.capacity, one.share, one.silentSeconds]),
    [
      ["a", true, 1, 0.3333, 0],
      ["b", false, 3, 0.3333, null],
      ["c", false, 2, 0.3333, 1.25],
    ],
  );
  assert.deepEqual(members[2]?.status, {
    ...{ state: "active", idle: false, view: "w", pages: 30, urls: 30, queued: 0 },
    ...{ pending: 1, lagSeconds: 1.5, retainedBytes: 10, told: 2, sent: 3 },
    ...{ claims: 4, dropped: { late: 5 } },
  });
  assert.deepEqual(members[0]?.status?.dropped, { late: 2, sender: 7 }, "with what was refused");
});

test("the summary is that of all who have answered, with capacities as they are known here", async () => {
  const rig = new Rig({ b: "alive", c: "given-up" });
  const asked = rig.reports.summary();
  // What came of a question to itself may be older than what it knows.
  rig.says("a", statusOf("a", 100));
  rig.says("b", statusOf("b", 2));
  rig.over();
  const { pages, agents, balance, missing } = await asked;
  assert.deepEqual([pages, agents, balance, missing], [3, 2, 1, []]);
});

test("who does not answer is named, by others or when it has taken too long", async () => {
  const rig = new Rig({ b: "alive", c: "dead", d: "given-up" });
  const soon = rig.reports.report();
  rig.over("a", "b", "c");
  assert.deepEqual((await soon).missing, [
    { agent: "b", why: "timed-out" },
    { agent: "c", why: "timed-out" },
  ]);
  const late = rig.reports.summary();
  rig.kernel.pass(2900);
  assert.equal(rig.closed, 1, "it is still waited for");
  rig.kernel.pass(200);
  assert.deepEqual((await late).missing, [
    { agent: "b", why: "timed-out" },
    { agent: "c", why: "dead" },
  ]);
  assert.equal(rig.closed, 2);
});

test("what makes no sense is as good as no answer", async () => {
  const strange: readonly unknown[] = [
    ...[null, 5, "text", {}, statusOf("b", 1, { view: 5 as never })],
    ...[statusOf("b", 1, { pending: -1 }), statusOf("b", 1, { isIdle: "no" as never })],
    ...[
      statusOf("b", 1, { dropped: { late: "many" as never } }),
      statusOf("b", 1, { lagMs: null as never }),
    ],
  ];
  for (const said of strange) {
    const rig = new Rig({ b: "alive" });
    const asked = rig.reports.report();
    rig.says("b", said);
    rig.over();
    assert.equal((await asked).members[1]?.status, null, JSON.stringify(said));
  }
});

test("questions that come at once are one, but not those that follow a change", async () => {
  const rig = new Rig({ b: "alive" });
  const asked = [rig.reports.summary(), rig.reports.report()];
  assert.equal(rig.asked, 1);
  rig.reports.anew();
  asked.push(rig.reports.summary());
  assert.equal(rig.asked, 2);
  rig.over();
  await Promise.all(asked);
  const again = rig.reports.summary();
  assert.equal(rig.asked, 3);
  rig.over();
  await again;
});
