import assert from "node:assert/strict";
import { test } from "node:test";
import { SeededRandom } from "../../../base/random/index.ts";
import type { FetchableUrl, HostName } from "../../../formats/url/index.ts";
import { HostTable } from "../../queues/index.ts";
import { type Ticket, TicketWriter } from "../../ticket/index.ts";
import { GoneUrls } from "./gone-urls.ts";
import { epochLow, HostLedger } from "./host-ledger.ts";

const HOST = "a.example" as HostName;
const TICKET: Ticket = {
  ...{ url: `http://${HOST}/x` as FetchableUrl, high: 7, low: 9, depth: 4, via: null },
  ...{ redirects: 0, priority: 0 },
};

class Rig {
  readonly ledger: HostLedger = new HostLedger(new HostTable(new SeededRandom("gone")));
  readonly number: number = this.ledger.numberOf(HOST);
  readonly passed: Ticket[] = [];
  readonly nearer: Ticket[] = [];
  /** Whether the URL may have ended. */
  mayHaveEnded = false;
  readonly gone: GoneUrls = new GoneUrls({
    ledger: this.ledger,
    passOn: (ticket) => this.passed.push(ticket),
    nearer: (ticket) => this.nearer.push(ticket),
    isOurs: () => this.isOurs,
  });
  /** Whether the host is still this agent's, in its view. */
  isOurs = true;

  /** Whether the URL is passed on that was offered in this epoch of its host. */
  passes(epoch: number): boolean {
    return this.gone.tryPassOn(this.number, epochLow(TICKET.low, epoch), TICKET);
  }

  /** Depths that were told for fingerprints of the sieve. */
  improve(epoch: number, depth: number): string[] {
    const told: string[] = [];
    const writer = new TicketWriter();
    writer.tryWrite(TICKET, 0);
    const record = writer.bytes.slice(0, writer.to);
    const depths = {
      improved: (high: number, low: number, to: number) => told.push(`${high} ${low} ${to}`),
      at: (ticket: Ticket, to: number) => ({ ...ticket, depth: to }),
      mayHaveEnded: () => this.mayHaveEnded,
    };
    const low = epochLow(TICKET.low, epoch);
    this.gone.improved(depths as never, { high: TICKET.high, low, depth, record });
    return told;
  }
}

test("while no host has gone, nothing is asked and nothing is passed on", () => {
  const rig = new Rig();
  assert.ok(!rig.gone.isPossible);
  assert.deepEqual(rig.improve(0, 2), ["7 9 2"]);
  assert.deepEqual(rig.passed, []);
});

test("U4: a URL whose host has gone is passed on, and so is an earlier offer when it is back", () => {
  const rig = new Rig();
  rig.ledger.giveAway(rig.number);
  assert.ok(rig.gone.isPossible);
  assert.ok(rig.passes(0));
  rig.ledger.takeBack(rig.number);
  assert.ok(rig.passes(0), "offered before it went");
  assert.ok(!rig.passes(1), "offered since it is back");
  assert.equal(rig.passed.length, 2);
});

test("U1: a shorter way to a URL of a host that has gone is passed on at that depth", () => {
  const rig = new Rig();
  rig.ledger.giveAway(rig.number);
  const told = rig.improve(1, 2);
  assert.equal(told.length, 2, "for every epoch");
  assert.deepEqual(
    rig.passed.map(({ depth }) => depth),
    [2],
  );
});

test("U6: a shorter way to a URL that has ended is told, since its page may be elsewhere", () => {
  const rig = new Rig();
  rig.improve(0, 3);
  assert.deepEqual(rig.nearer, [], "it waits, and goes out at that depth");
  rig.mayHaveEnded = true;
  rig.improve(0, 2);
  assert.deepEqual(
    rig.nearer.map(({ depth }) => depth),
    [2],
  );
  rig.isOurs = false;
  rig.improve(0, 1);
  assert.deepEqual([rig.nearer.length, rig.passed.length], [1, 1], "it is told once");
});

test("U6: a shorter way to a URL of a host that is about to go is passed on at that depth", () => {
  const rig = new Rig();
  rig.improve(0, 3);
  rig.isOurs = false;
  assert.deepEqual(rig.improve(0, 2), ["7 9 2"], "the host may come back");
  assert.deepEqual(
    rig.passed.map(({ depth }) => depth),
    [2],
  );
});
