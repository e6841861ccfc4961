/** Work for URLs that have no visit; what services are told is written down. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../../test/support/lab/simulated-world.ts";
import { CrawlError } from "../../../base/errors/index.ts";
import type { FetchableUrl } from "../../../formats/url/index.ts";
import type { Errand, ExpandErrand } from "../../../frontier/front/index.ts";
import type { Ticket } from "../../../frontier/ticket/index.ts";
import { readConfiguration } from "../../../rules/config/index.ts";
import type { RememberedPage } from "../../links/link-memory.ts";
import type { UsedBy } from "../../topology/crawl-library.ts";
import { AnswerGate } from "../../visit/answer-gate.ts";
import type { EndedPage } from "../../visit/page-keeper.ts";
import type { PageVisit } from "../../visit/page-visit.ts";
import { CrawlCounts } from "../counting/crawl-counts.ts";
import { SideErrands } from "./side-errands.ts";

type Recalled = (error: CrawlError | null, page: RememberedPage | null) => void;

const TICKET: Ticket = {
  url: "http://a.example/" as FetchableUrl,
  ...{ high: 1, low: 2, depth: 3, via: "http://b.example/", redirects: 0, priority: 0 },
};

const UNFETCHED = {
  ...{ kind: "unfetched", ticket: TICKET, code: "DNS_NO_SUCH_HOST" },
} as unknown as Errand & { readonly kind: "unfetched" };

const EXPAND: ExpandErrand = { kind: "expand", high: 1, low: 2, depth: 1, requisite: 0 };

const REMEMBERED: RememberedPage = {
  ...{ url: "http://a.example/", depth: 3, redirects: -1, links: ["/x"] },
  ...{ requisites: [], isRequisite: false, isSheet: false },
};

class Rig {
  readonly journal: string[] = [];
  readonly counts = new CrawlCounts();
  readonly gate = new AnswerGate(new SimulatedTime());
  readonly side: SideErrands;
  /** Why a seed is refused. */
  refusal: string | null = null;
  hasMemory = true;
  /** How often the index was told that a page is nearer. */
  improved = 0;
  /** Thrown by the store. */
  thrown: Error | null = null;
  recalled: Recalled = () => assert.fail("nothing was recalled");

  constructor(seeds: readonly string[] = []) {
    const reading = readConfiguration({});
    assert(reading.ok, "the defaults are legal");
    const tell = (line: string): void => void this.journal.push(line);
    this.side = new SideErrands({
      configuration: { ...reading.configuration, seeds },
      clock: new SimulatedTime(),
      services: () => this.#services(tell),
      lane: () => ({ hold: () => tell("hold"), release: () => tell("release") }),
      failed: ({ code }) => tell(`failed ${code}`),
    });
  }

  #services(tell: (line: string) => void): UsedBy<"steering"> {
    const services = {
      links: {
        walk: { ended: () => tell("walk ended") },
        offers: {
          offerSeed: (url: string) => {
            tell(`offer ${url}`);
            return this.refusal;
          },
          ended: ({ url }: Ticket) => tell(`ended ${url}`),
          offerAgain: ({ url }: RememberedPage) => tell(`offer again ${url}`),
        },
        memory: this.hasMemory
          ? {
              end: () => tell("memory end"),
              recall: (_high: number, _low: number, recalled: Recalled) => {
                this.recalled = recalled;
              },
              keep: (_high: number, _low: number, page: RememberedPage) =>
                tell(`keep as ${page.isRequisite ? "requisite" : "page"}`),
            }
          : null,
      },
      ledger: {
        counts: this.counts,
        gate: this.gate,
        faults: { note: ({ code }: CrawlError, url: string) => tell(`fault ${code} ${url}`) },
        requests: { unfetched: () => tell("asked one told") },
        seeds: {
          add: (url: string) => tell(`seed ${url}`),
          turnedAway: (seed: string, reason: string) => tell(`turned away ${seed} ${reason}`),
          unfetched: (_ticket: Ticket, code: string) => tell(`seed failed ${code}`),
          failed: (_ticket: Ticket, { code }: CrawlError) => tell(`seed failed ${code}`),
        },
      },
      rows: {
        finish: ({ row }: EndedPage) => {
          tell(`row ${row.error}`);
          return null;
        },
      },
      index: {
        addFailed: (_ticket: Ticket, code: string) => tell(`index ${code}`),
        improve: () => this.improved++,
      },
      frontier: { offer: ({ url }: Ticket) => tell(`frontier ${url}`) },
      store: {
        tryLog: ({ url, result }: { readonly url: string; readonly result: string }) => {
          if (this.thrown !== null) throw this.thrown;
          tell(`log ${url} ${result}`);
          return true;
        },
      },
    };
    return services as unknown as UsedBy<"steering">;
  }
}

test("seeds are offered; those that are refused are told and counted", () => {
  const rig = new Rig();
  rig.side.offerSeeds(["http://a.example/", "mailto:me@a.example"]);
  assert.deepEqual(rig.journal.slice(0, 2), ["offer http://a.example/", "seed http://a.example/"]);
  assert.match(rig.journal[2] ?? "", /^turned away mailto:me@a\.example /);
  assert.equal(rig.journal.length, 3);
  assert.equal(Object.values(rig.counts.refused.toObject()).length, 1);
  const refusing = new Rig();
  refusing.refusal = "port";
  refusing.side.offerSeeds(["http://a.example/"]);
  assert.equal(refusing.journal.at(-1), "turned away http://a.example/ port");
  assert.deepEqual(refusing.counts.refused.toObject(), { port: 1 });
});

test("a URL whose host cannot be reached has its line, its row and its count", () => {
  const rig = new Rig();
  rig.side.carryOut(UNFETCHED);
  for (const line of ["walk ended", "ended http://a.example/", "seed failed DNS_NO_SUCH_HOST"]) {
    assert.ok(rig.journal.includes(line), line);
  }
  for (const line of ["row", "index", "log http://a.example/"]) {
    assert.ok(rig.journal.includes(`${line} DNS_NO_SUCH_HOST`), line);
  }
  assert.deepEqual(rig.counts.errors.toObject(), { DNS_NO_SUCH_HOST: 1 });
});

test("what is thrown ends the work for one URL, and is noted and counted", () => {
  const rig = new Rig();
  rig.thrown = new Error("planted");
  rig.side.carryOut(UNFETCHED);
  assert.equal(rig.journal.at(-1), "fault INTERNAL_STORE http://a.example/");
  assert.deepEqual(rig.counts.errors.toObject(), { DNS_NO_SUCH_HOST: 1, INTERNAL_STORE: 1 });
});

test("of a visit that a unit lost, what it led to is not lost, and it has a line", () => {
  const rig = new Rig();
  const told: unknown[] = [];
  const visit = {
    errand: { ticket: TICKET },
    ...{ lostBy: new CrawlError("INTERNAL_UNIT_LATE", "late"), isTold: false, isFinal: true },
    tell: (end: unknown) => told.push(end),
    takeTickets: () => [{ ...TICKET, url: "http://a.example/led" }],
    record: { fetchedAtMs: 0, facts: { ...TICKET, atMs: 0, notes: [] } },
  };
  rig.side.lost(visit as unknown as PageVisit);
  assert.deepEqual(told, [{ kind: "failed", code: "INTERNAL_UNIT_LATE" }]);
  assert.ok(rig.journal.includes("frontier http://a.example/led"));
  assert.ok(rig.journal.includes("memory end"));
  assert.ok(rig.journal.includes("seed failed INTERNAL_UNIT_LATE"));
  assert.ok(rig.journal.includes("log http://a.example/ INTERNAL_UNIT_LATE"));
  assert.deepEqual(rig.counts.errors.toObject(), { INTERNAL_UNIT_LATE: 1 });
});

test("a page that is nearer is recalled, while the lane is held, and offered again", () => {
  const rig = new Rig();
  rig.side.carryOut(EXPAND);
  assert.deepEqual([rig.journal, rig.side.expandsOpen], [["hold"], 1]);
  rig.recalled(null, REMEMBERED);
  assert.deepEqual(rig.journal, ["hold", "offer again http://a.example/", "release"]);
  assert.deepEqual([rig.side.expandsOpen, rig.improved], [0, 1]);
});

test("no checkpoint is taken while the links of a page are looked up", () => {
  const rig = new Rig();
  rig.side.carryOut(EXPAND);
  let isQuiet = false;
  rig.gate.close(() => {
    isQuiet = true;
  });
  assert.equal(isQuiet, false);
  rig.recalled(null, REMEMBERED);
  assert.equal(isQuiet, true);
});

test("a requisite that turned out to be a page is counted and remembered as one", () => {
  const rig = new Rig();
  rig.counts.requisites = 1;
  rig.side.carryOut(EXPAND);
  rig.recalled(null, { ...REMEMBERED, isRequisite: true });
  assert.deepEqual([rig.counts.requisites, rig.counts.pages], [0, 1]);
  assert.ok(rig.journal.includes("keep as page"));
});

test("nothing is offered of a page that is not remembered, or cannot be read back", () => {
  const rig = new Rig();
  rig.side.carryOut(EXPAND);
  rig.recalled(null, null);
  rig.side.carryOut(EXPAND);
  rig.recalled(new CrawlError("STORAGE_FAILED", "planted"), null);
  assert.deepEqual(rig.journal, ["hold", "release", "hold", "failed STORAGE_FAILED", "release"]);
  rig.hasMemory = false;
  rig.side.carryOut(EXPAND);
  assert.equal(rig.journal.length, 5, "without a memory there is nothing to recall");
});
