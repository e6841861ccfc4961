import assert from "node:assert/strict";
import { test } from "node:test";
import { heldBytes } from "../../../../test/support/base/held-bytes.ts";
import { SeededRandom } from "../../../base/random/index.ts";
import type { HostName } from "../../../formats/url/index.ts";
import { HostTable } from "../../queues/index.ts";
import { HostLedger } from "./host-ledger.ts";

const HOSTS = process.env["TROBAR_FULL"] === "1" ? 1_000_000 : 120_000;

function namesOf(seed: string): HostTable {
  return new HostTable(new SeededRandom(seed));
}

function ledgerOf(seed: string): HostLedger {
  return new HostLedger(namesOf(seed));
}

/** Twenty characters, as names of hosts have on average. */
function nameAt(number: number): HostName {
  return `www.site-${String(number).padStart(7, "0")}.org` as HostName;
}

test("a ledger knows its hosts by number for ever", () => {
  const ledger = ledgerOf("by number");
  const names = Array.from({ length: 1000 }, (_, at) => `h${at}.example` as HostName);
  for (const [at, name] of names.entries()) assert.equal(ledger.numberOf(name), at);
  ledger.countPage(999);
  ledger.noteCrawlDelay(999, 5000);
  ledger.end(998, { kind: "refused", reason: "host-limit" });
  ledger.end(997, { kind: "unfetched", code: "FETCH_CONNECT_FAILED" });
  ledger.markDormant(998, true);
  for (const [at, name] of names.entries()) assert.equal(ledger.numberOf(name), at);
  assert.equal(ledger.nameOf(999), "h999.example");
  assert.deepEqual([ledger.pagesOf(999), ledger.crawlDelayMsOf(999)], [1, 5000]);
  assert.deepEqual(ledger.endOf(998), { kind: "refused", reason: "host-limit" });
  assert.deepEqual(ledger.endOf(997), { kind: "unfetched", code: "FETCH_CONNECT_FAILED" });
  assert.equal(ledger.endOf(999), null);
  assert.deepEqual([ledger.isDormant(998), ledger.isDormant(997)], [true, false]);
  // The end of a host does not wake it.
  ledger.markDormant(997, true);
  ledger.end(997, { kind: "refused", reason: "host-limit" });
  assert.deepEqual([ledger.isDormant(997), ledger.endOf(997)?.kind], [true, "refused"]);
  ledger.markDormant(998, false);
  assert.deepEqual(ledger.endOf(998), { kind: "refused", reason: "host-limit" });
});

test("a delay that is too long to be noted is the longest that can be", () => {
  const ledger = ledgerOf("delays");
  const number = ledger.numberOf("a.example" as HostName);
  ledger.noteCrawlDelay(number, 2 ** 32 + 5);
  assert.equal(ledger.crawlDelayMsOf(number), 2 ** 32 - 1);
});

test("a ledger takes over what another knows of a host", () => {
  const [one, other] = [ledgerOf("one"), ledgerOf("other")];
  const ends = ["robots", "host-limit"] as const;
  for (const [at, reason] of ends.entries()) {
    const number = one.numberOf(`h${at}.example` as HostName);
    one.end(number, { kind: "refused", reason });
    one.countPage(number);
    one.noteCrawlDelay(number, 1000 * (at + 1));
  }
  other.end(other.numberOf("own.example" as HostName), { kind: "refused", reason: "host-limit" });
  for (const theirs of [1, 0]) other.adopt(other.numberOf(one.nameOf(theirs)), one, theirs);
  for (const [number, theirs] of [1, 0].entries()) {
    assert.equal(other.pagesOf(number + 1), 1);
    assert.equal(other.crawlDelayMsOf(number + 1), 1000 * (theirs + 1));
    assert.deepEqual(other.endOf(number + 1), one.endOf(theirs));
  }
  assert.equal(other.ends.length, 2);
});

test("U4: which hosts are away, and how often they have gone, is in the saved chunks", () => {
  const [ledger, restored] = [ledgerOf("away"), ledgerOf("away")];
  const names = ["here.example", "away.example", "back.example"] as HostName[];
  for (const name of names) for (const one of [ledger, restored]) one.numberOf(name);
  ledger.giveAway(1);
  for (let times = 0; times < 2; times += 1) {
    ledger.giveAway(2);
    ledger.takeBack(2);
  }
  const chunks: [number, Uint8Array][] = [];
  ledger.pieces.begin((chunk, bytes) => void chunks.push([chunk, bytes as Uint8Array]));
  ledger.pieces.writeSome(Number.POSITIVE_INFINITY);
  restored.restore(chunks, []);
  assert.deepEqual(
    names.map((_name, at) => [restored.isAway(at), restored.epochOf(at)]),
    [
      [false, 0],
      [true, 1],
      [false, 2],
    ],
  );
  assert.equal(restored.epochsMax, 2);
  assert.deepEqual([ledger.hostsHere, restored.hostsHere], [2, 2]);
  const heir = ledgerOf("heir");
  for (const at of names.keys()) heir.adopt(heir.numberOf(ledger.nameOf(at)), ledger, at);
  assert.deepEqual([heir.hosts, heir.hostsHere], [3, 2]);
});

test("the files of this machine are a host without a name", () => {
  const ledger = ledgerOf("files");
  assert.equal(ledger.numberOf("a.example" as HostName), 0);
  assert.equal(ledger.numberOf("" as HostName), 1);
  assert.equal(ledger.numberOf("" as HostName), 1);
  assert.equal(ledger.nameOf(1), "");
});

test("a host that was ever met takes at most 64 bytes, of the heap or beside it", () => {
  const before = heldBytes();
  const ledger = ledgerOf("bytes");
  for (let number = 0; number < HOSTS; number += 1) {
    ledger.markDormant(ledger.numberOf(nameAt(number)), true);
  }
  const bytes = (heldBytes() - before) / HOSTS;
  assert.ok(bytes < 64, `${bytes} bytes per host`);
  assert.ok(ledger.memoryBytes / HOSTS < 64, `${ledger.memoryBytes / HOSTS} counted per host`);
  assert.ok(ledger.memoryBytes / HOSTS > bytes / 2, "what is counted is what is held");
  assert.equal(ledger.nameOf(HOSTS - 1), nameAt(HOSTS - 1));
});

test("no new host makes the ledger move more than a part of what it holds", () => {
  const names = namesOf("moves");
  const ledger = new HostLedger(names);
  let moved = 0;
  let movedMax = 0;
  for (let number = 0; number < HOSTS; number += 1) {
    ledger.countPage(ledger.numberOf(nameAt(number)));
    movedMax = Math.max(movedMax, names.moved - moved);
    moved = names.moved;
  }
  assert.ok(moved > HOSTS / 2, "the table has grown");
  assert.ok(movedMax <= HOSTS / 100, `${movedMax} of ${HOSTS} moved in one call`);
});

test("a ledger is brought back chunk by chunk", () => {
  const HOSTS = 20_000;
  const [one, other] = [0, 1].map(() => new HostLedger(new HostTable(new SeededRandom("names"))));
  assert.ok(one !== undefined && other !== undefined);
  for (let host = 0; host < HOSTS; host += 1) {
    for (const ledger of [one, other]) ledger.numberOf(`h${host}.example` as HostName);
  }
  one.countPage(3);
  one.countPage(19_999);
  one.noteCrawlDelay(16_384, 2500);
  one.end(16_383, { kind: "unfetched", code: "DNS_NOT_FOUND" });
  one.markDormant(16_383, true);
  const chunks: [number, Uint8Array][] = [];
  one.pieces.begin((chunk, bytes) => void (bytes !== null && chunks.push([chunk, bytes])));
  assert.ok(one.pieces.writeSome(Number.POSITIVE_INFINITY));
  assert.equal(chunks.length, 3, "only those in which something is known");
  other.restore(chunks, one.ends);
  assert.deepEqual([other.pagesOf(3), other.pagesOf(19_999), other.pagesOf(4)], [1, 1, 0]);
  assert.equal(other.crawlDelayMsOf(16_384), 2500);
  assert.deepEqual(other.endOf(16_383), { kind: "unfetched", code: "DNS_NOT_FOUND" });
  assert.ok(!other.isDormant(16_383), "that follows from the queues");
});
