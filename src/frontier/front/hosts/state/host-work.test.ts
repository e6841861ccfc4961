import assert from "node:assert/strict";
import { test } from "node:test";
import { toyFingerprint } from "../../../../../test/support/frontier/toy-crawl.ts";
import type { FetchableUrl, HostName } from "../../../../formats/url/index.ts";
import { Kernel } from "../../../../lab/simulator/index.ts";
import { TicketWriter, type WaitingTicket } from "../../../ticket/index.ts";
import { DEFAULT_FRONTIER_SETTINGS } from "../../frontier-settings.ts";
import { HostWaits } from "./host-waits.ts";
import { HostWork } from "./host-work.ts";
import type { VisitPlace } from "./visit-place.ts";

/** Work at a host, and the place of a visit state that tells where it was sent. */
function rig(host: string = "h.example", ranksHosts = false) {
  const { clock } = new Kernel({ seed: "host work" });
  const waits = new HostWaits(DEFAULT_FRONTIER_SETTINGS, 0, Number.NEGATIVE_INFINITY);
  const work = new HostWork(host as HostName, waits, { clock, ranksHosts, aliases: null });
  const sent: unknown[] = [];
  const place = {
    stepAside: (phase: string) => sent.push(phase),
    enterWorkbench: (...how: unknown[]) => sent.push(["workbench", ...how]),
    enterWaitingRoom: (atMs: number) => sent.push(["waiting room", atMs]),
    enterUnresolved: () => sent.push("unresolved"),
  } as unknown as VisitPlace;
  const offer = (path: string, priority = 0): WaitingTicket => {
    const url = `http://h.example/${path}` as FetchableUrl;
    const from = { depth: 0, via: null, redirects: 0, priority };
    const ticket = { url, ...toyFingerprint(url), ...from };
    const writer = new TicketWriter();
    writer.tryWrite(ticket, 0);
    work.tickets.append(writer.bytes, writer.queueFrom, writer.to);
    return { ...ticket, attempt: 0 };
  };
  const settled = (isFilling = false): unknown => {
    work.settle(place, isFilling);
    return sent.at(-1);
  };
  return { work, waits, offer, settled, nowMs: clock.nowMs() };
}

test("a host without work is aside, whether more is being read or not", () => {
  const { settled } = rig();
  assert.equal(settled(), "idle");
  assert.equal(settled(true), "filling");
});

test("a host with URLs is resolved first, then waits on the workbench for the end of its rest", () => {
  const { work, waits, offer, settled, nowMs } = rig();
  offer("a");
  assert.equal(settled(), "unresolved");
  waits.holdUntil(nowMs + 5);
  assert.deepEqual(settled(), ["waiting room", nowMs + 5]);
  work.reach.find(["192.0.2.1"], Number.POSITIVE_INFINITY);
  assert.deepEqual(settled(), ["workbench", nowMs + 5, 0, "retry"]);
  waits.holdUntil(Number.NEGATIVE_INFINITY);
  waits.rest(nowMs, 7000);
  assert.deepEqual(settled(), ["workbench", nowMs + 7000, 0, "polite"]);
});

test("a host whose URLs are all to be tried again waits for the first of them", () => {
  const { work, settled, offer, nowMs } = rig();
  work.reach.find(["192.0.2.1"], Number.POSITIVE_INFINITY);
  offer("a");
  const ticket = work.tickets.take(nowMs) ?? assert.fail("there is a URL");
  work.tickets.retry(ticket, nowMs + 300);
  assert.deepEqual(settled(), ["workbench", nowMs + 300, 0, "retry"]);
});

test("files need no addresses", () => {
  const { offer, settled } = rig("");
  offer("a");
  assert.deepEqual((settled() as unknown[])[0], "workbench");
});

test("where hosts are ranked, the next URL ranks them, and a robots.txt before all", () => {
  const plain = rig();
  plain.offer("a", 3);
  assert.equal(plain.work.rank, 0);
  const ranked = rig("h.example", true);
  const { url } = ranked.offer("a", 3);
  assert.equal(ranked.work.rank, -3);
  const origin = ranked.work.robots.originOf(url);
  ranked.work.robots.addTask({ origin } as never);
  assert.equal(ranked.work.rank, Number.NEGATIVE_INFINITY);
});
