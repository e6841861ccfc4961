import assert from "node:assert/strict";
import { test } from "node:test";
import { requestOf } from "../../../../test/support/fetch/http-fetching.ts";
import { MemorySpool } from "../../../../test/support/fetch/memory-spool.ts";
import { SimulatedTime } from "../../../../test/support/lab/simulated-world.ts";
import type { FetchOutcome } from "../../../base/seams/index.ts";
import type { OutgoingRequest } from "../connections/connection.ts";
import type { Dialing } from "../connections/connection-dialer.ts";
import type { ConnectionPool } from "../connections/connection-pool.ts";
import { Deadlines } from "./http-deadlines.ts";
import { HttpExchange } from "./http-exchange.ts";

/** An exchange whose connection is being opened; the test decides how that ends. */
function dialing() {
  const time = new SimulatedTime();
  const closed: number[] = [];
  const outcomes: FetchOutcome[] = [];
  let hangUps = 0;
  const pool = {
    take: () => null,
    open: () => ({ close: () => (hangUps += 1) }) as unknown as Dialing,
    closeOldest: (count: number) => void closed.push(count),
  } as unknown as ConnectionPool;
  const exchange = new HttpExchange(
    {
      ...{ clock: time, spool: new MemorySpool(), pool, deadlines: new Deadlines(time) },
      ...{
        mayConnect: () => null,
        headCame: () => null,
        way: String,
        ended: () => {},
        bandwidth: null,
      },
    },
    requestOf("http://a.test/"),
    (outcome) => outcomes.push(outcome),
  );
  const place = { host: "a.test", port: 80, address: "192.0.2.1", isSecure: false };
  exchange.start({ target: { place } } as unknown as OutgoingRequest);
  return { exchange, outcomes, closed, hangUps: () => hangUps };
}

test("when the system has no socket left, idle connections make room for the next try", () => {
  const { exchange, outcomes, closed } = dialing();
  exchange.failed({ code: "FETCH_NO_SOCKET", why: "there is none", facts: {} });
  assert.deepEqual(closed, [32]);
  assert.deepEqual(
    outcomes.map((outcome) => outcome.kind === "failed" && outcome.error.code),
    ["FETCH_NO_SOCKET"],
  );
});

test("other failures leave idle connections alone", () => {
  const { exchange, outcomes, closed } = dialing();
  exchange.failed({ code: "FETCH_CONNECT_FAILED", why: "nobody is there", facts: {} });
  assert.deepEqual([closed, outcomes.length], [[], 1]);
});

test("a fault ends an exchange once, and what is thrown after its end is rethrown", () => {
  const { exchange, outcomes, hangUps } = dialing();
  exchange.faulted(new Error("planted"));
  assert.deepEqual(
    outcomes.map((outcome) => outcome.kind === "failed" && outcome.error.code),
    ["INTERNAL_FETCH"],
  );
  assert.equal(hangUps(), 1, "its connection is not left behind");
  assert.throws(() => exchange.faulted(new Error("too late")), /too late/);
  assert.equal(outcomes.length, 1);
});
