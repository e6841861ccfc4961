/** Several lanes as one: each host at its lane, questions about all hosts at every lane. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { entryAt } from "../../../test/support/cluster/noting-agents.ts";
import { CrawlError } from "../../base/errors/index.ts";
import { type LaneHoldings, lanedHoldings, type StoreHoldings } from "./laned-holdings.ts";

const laneOf = (host: string): number => Number(host[0]);

function laneNoting(number: number, notes: string[]): LaneHoldings {
  const note = (text: string): void => void notes.push(`${number} ${text}`);
  return {
    take: ({ host }) => note(`take ${host}`),
    end: ({ host }) => note(`end ${host}`),
    again: ({ host }) => note(`again ${host}`),
    adopt: (host) => note(`adopt ${host}`),
    giveAway: (host) => note(`give away ${host}`),
    lost: (_isOwn, each, done) => each(`${number}.lost`, done),
    pagesOf: (isWanted, each, done) => {
      for (const host of ["0.a", "1.a"]) if (isWanted(host)) each(entryAt(host));
      done(number === 1 ? new CrawlError("STORAGE_FAILED", "the disk of lane 1") : null);
    },
    ...{ withhold: () => note("withhold"), admit: () => note("admit") },
  };
}

function storeNoting(notes: string[]): StoreHoldings {
  const note = (text: string): void => void notes.push(`store ${text}`);
  return {
    ...{ find: () => note("find"), hide: () => note("hide") },
    nearer: () => note("nearer"),
    ...{ show: () => note("show"), whenSaved: () => note("saved") },
  };
}

test("what is asked about a host goes to its lane, what is asked about pages to the store", () => {
  const notes: string[] = [];
  const lanes = [laneNoting(0, notes), laneNoting(1, notes)];
  const holdings = lanedHoldings(lanes, storeNoting(notes), laneOf);
  holdings.take(entryAt("1.b"));
  holdings.end(entryAt("0.b"), () => undefined);
  holdings.again(entryAt("1.c"));
  holdings.adopt("0.c", new Uint8Array());
  holdings.giveAway(
    "1.d",
    () => undefined,
    () => undefined,
  );
  holdings.find(entryAt("0.d"), () => undefined);
  holdings.whenSaved(() => undefined);
  assert.deepEqual(notes, [
    ...["1 take 1.b", "0 end 0.b", "1 again 1.c", "0 adopt 0.c", "1 give away 1.d"],
    ...["store find", "store saved"],
  ]);
});

test("what is asked about all hosts goes to every lane, and is answered when all have", () => {
  const notes: string[] = [];
  const lanes = [laneNoting(0, notes), laneNoting(1, notes)];
  const holdings = lanedHoldings(lanes, storeNoting(notes), laneOf);
  holdings.withhold({ hosts: "all", has: () => true });
  holdings.admit();
  assert.deepEqual(notes, ["0 withhold", "1 withhold", "0 admit", "1 admit"]);
  const lost: string[] = [];
  let times = 0;
  holdings.lost(
    () => false,
    (host, next) => {
      lost.push(host);
      next();
    },
    () => {
      times += 1;
    },
  );
  assert.deepEqual(lost, ["0.lost", "1.lost"]);
  assert.equal(times, 1);
});

test("each lane tells of the pages of its own hosts, and a failure is the answer, whoever ends last", () => {
  const lanes = [laneNoting(0, []), laneNoting(1, [])];
  const ofFirst = (host: string): number => 1 - laneOf(host);
  for (const [all, of] of [[lanes, laneOf] as const, [lanes.toReversed(), ofFirst] as const]) {
    const holdings = lanedHoldings(all, storeNoting([]), of);
    const pages: string[] = [];
    const answers: (string | null)[] = [];
    holdings.pagesOf(
      () => true,
      ({ host }) => pages.push(host),
      (error) => answers.push(error?.code ?? null),
    );
    assert.deepEqual(pages.toSorted(), ["0.a", "1.a"]);
    assert.deepEqual(answers, ["STORAGE_FAILED"]);
  }
});
