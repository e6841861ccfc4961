import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../../test/support/lab/simulated-world.ts";
import type { HostName } from "../../../formats/url/index.ts";
import { Deadlines } from "../exchange/http-deadlines.ts";
import type { Place } from "../exchange/http-target.ts";
import type { Connection } from "./connection.ts";
import { type Caller, Dialer, type Dialing } from "./connection-dialer.ts";
import { ConnectionPool, type PoolOptions } from "./connection-pool.ts";

/** A dialer that opens nothing: tests hand connections back themselves. */
class StillDialer extends Dialer {
  override dial(): Dialing {
    return {} as Dialing;
  }
}

const CALLER: Caller = { opened() {}, failed() {}, faulted() {} };

function placeOf(host: string, port = 80): Place {
  return { isSecure: false, host: host as HostName, port, address: "192.0.2.1" };
}

class Rig {
  readonly time: SimulatedTime = new SimulatedTime();
  readonly closed: string[] = [];
  readonly pool: ConnectionPool;

  constructor(options: Partial<PoolOptions> = {}) {
    this.pool = new ConnectionPool({
      dialer: new StillDialer({ proxy: null, http2: false, insecure: false }),
      deadlines: new Deadlines(this.time),
      nowMs: () => this.time.nowMs(),
      ...{ connectionsMax: 2, idleMax: 3, keepAliveMs: 10_000 },
      ...options,
    });
  }

  /** Opens a connection that calls itself by its name when it closes. */
  open(name: string, place: Place = placeOf(name)): Connection {
    assert.ok(this.pool.open(place, CALLER) !== null, `${name} is opened`);
    const connection: Connection = {
      place,
      protocol: "http/1.1",
      send() {},
      resume() {},
      close: () => {
        this.closed.push(name);
        this.pool.lost(connection);
      },
    };
    return connection;
  }

  /** Opens one and releases it. */
  idle(name: string, place?: Place): Connection {
    const connection = this.open(name, place);
    this.pool.released(connection, null);
    return connection;
  }

  pass(ms: number): void {
    let isOver = false;
    this.time.after(ms, () => {
      isOver = true;
    });
    while (!isOver) this.time.step();
  }
}

test("a limited number is in use at once, and idle ones do not count", () => {
  const { pool, ...rig } = new Rig();
  assert.ok(pool.open(placeOf("a"), CALLER) !== null);
  assert.ok(pool.open(placeOf("b"), CALLER) !== null);
  assert.equal(pool.open(placeOf("c"), CALLER), null);
  pool.lost(null);
  assert.equal(pool.count, 1);
  assert.ok(pool.open(placeOf("c"), CALLER) !== null, "one that failed to open has left its place");
  assert.deepEqual(rig.closed, []);
});

test("an idle connection serves its own place, the one used last first", () => {
  const rig = new Rig({ connectionsMax: 3 });
  const older = rig.open("a");
  const newer = rig.open("a");
  rig.pool.released(older, null);
  rig.pool.released(newer, null);
  rig.idle("a:81", placeOf("a", 81));
  assert.equal(rig.pool.idleCount, 3);
  for (const other of [placeOf("b"), placeOf("a", 82), { ...placeOf("a"), isSecure: true }]) {
    assert.equal(rig.pool.take(other), null);
  }
  assert.equal(rig.pool.take({ ...placeOf("a"), address: "192.0.2.2" }), null);
  assert.ok(rig.pool.take(placeOf("a")) === newer);
  assert.ok(rig.pool.take(placeOf("a")) === older);
  assert.equal(rig.pool.take(placeOf("a")), null, "it is the caller's from then on");
  assert.equal(rig.pool.count, 3);
});

test("an idle connection is closed when its time is up, ours or the server's", () => {
  const rig = new Rig();
  rig.idle("ours");
  const theirs = rig.open("theirs");
  rig.pool.released(theirs, 4_000);
  rig.pass(3_499);
  assert.deepEqual(rig.closed, []);
  rig.pass(1);
  assert.deepEqual(rig.closed, ["theirs"], "half a second before the server would");
  rig.pass(6_499);
  assert.deepEqual(rig.closed, ["theirs"]);
  rig.pass(1);
  assert.deepEqual(rig.closed, ["theirs", "ours"]);
  assert.equal(rig.pool.count, 0);
});

test("another number in use holds from the next one on, those beyond it stay", () => {
  const rig = new Rig();
  rig.open("a");
  rig.open("b");
  rig.pool.connectionsMax = 3;
  rig.open("c");
  assert.equal(rig.pool.open(placeOf("d"), CALLER), null);
  rig.pool.connectionsMax = 1;
  assert.deepEqual([rig.pool.count, rig.closed], [3, []]);
  rig.pool.lost(null);
  rig.pool.lost(null);
  assert.equal(rig.pool.open(placeOf("d"), CALLER), null);
  rig.pool.lost(null);
  rig.open("e");
});

test("another number of idle ones closes those that are too many, the oldest first", () => {
  const rig = new Rig();
  for (const name of ["a", "b", "c"]) rig.idle(name);
  rig.pool.idleMax = 5;
  for (const name of ["d", "e"]) rig.idle(name);
  assert.deepEqual(rig.closed, []);
  rig.pool.idleMax = 2;
  assert.deepEqual([rig.closed, rig.pool.idleCount], [["a", "b", "c"], 2]);
  rig.idle("f");
  assert.deepEqual(rig.closed, ["a", "b", "c", "d"]);
});

test("a connection that the server is about to close, or that none may keep, is closed", () => {
  const rig = new Rig();
  rig.pool.released(rig.open("short"), 500);
  assert.deepEqual(rig.closed, ["short"]);
  const none = new Rig({ keepAliveMs: 0 });
  none.idle("never");
  assert.deepEqual(none.closed, ["never"]);
});

test("one that was taken in time is not closed when that time comes", () => {
  const rig = new Rig();
  const connection = rig.idle("a");
  rig.pass(9_000);
  assert.ok(rig.pool.take(connection.place) === connection);
  rig.pass(9_000);
  assert.deepEqual(rig.closed, []);
  rig.pool.released(connection, null);
  rig.pass(10_000);
  assert.deepEqual(rig.closed, ["a"], "its time begins anew");
});

test("of too many idle ones that which has been idle longest is closed", () => {
  const rig = new Rig({ idleMax: 2 });
  for (const name of ["a", "b", "c", "d"]) rig.idle(name);
  assert.deepEqual(rig.closed, ["a", "b"]);
  rig.pool.closeOldest(1);
  assert.deepEqual(rig.closed, ["a", "b", "c"]);
  rig.pool.closeOldest(Number.POSITIVE_INFINITY);
  assert.deepEqual([rig.closed.at(-1), rig.pool.count], ["d", 0]);
});

test("the idle connections of one host are closed, and those in use are not", () => {
  const rig = new Rig({ connectionsMax: 4 });
  const busy = rig.open("a");
  rig.idle("a");
  rig.idle("a:81", placeOf("a", 81));
  rig.idle("b");
  rig.pool.closeIdle("a");
  assert.deepEqual(rig.closed, ["a", "a:81"]);
  assert.equal(rig.pool.count, 2);
  rig.pool.released(busy, null);
  assert.ok(rig.pool.take(placeOf("a")) === busy);
});
