import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../../test/support/lab/simulated-world.ts";
import { type TablePage, TableWeb } from "../../../../test/support/lab/table-web.ts";
import { MemoryListener, type MemoryWire } from "./memory-wire.fixture.ts";
import { WebServer, type WebServerOptions } from "./web-server.ts";

interface Scene {
  readonly time: SimulatedTime;
  readonly server: WebServer;
  readonly listener: MemoryListener;
  readonly wire: MemoryWire;
}

/** A server of one host with these pages, and a client that is connected to it. */
function scene(
  pages: Readonly<Record<string, TablePage>>,
  options: Partial<WebServerOptions> = {},
): Scene {
  const time = new SimulatedTime();
  const listener = new MemoryListener();
  const web = new TableWeb({ "a.example": { pages } });
  const server = new WebServer({ web, listener, clock: time, ...options });
  return { time, server, listener, wire: listener.connect() };
}

/** Runs simulated time on; the server's own sweep never lets it fall silent. */
function advance({ time }: Scene, forMs: number): void {
  const untilMs = time.nowMs() + forMs;
  let isOver = false;
  time.after(forMs, () => {
    isOver = true;
  });
  while (!isOver) assert.ok(time.step());
  assert.ok(time.nowMs() >= untilMs);
}

test("a page is served, and written down with its times", () => {
  const { server, wire } = scene({ "/": { body: "hello" } });
  wire.ask("/");
  assert.equal(
    wire.take(),
    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello",
  );
  const entry = server.log.entry(0);
  assert.equal(entry.ending, "whole");
  assert.deepEqual([entry.host, entry.target, entry.status], ["a.example", "/", 200]);
  assert.deepEqual([entry.userAgent, entry.address], ["T", "127.0.0.1"]);
  assert.ok(entry.bytesSent > 5);
});

test("HEAD gets the head alone, with the length of the body", () => {
  const { wire } = scene({ "/": { body: "hello" } });
  wire.say("HEAD / HTTP/1.1\r\nHost: a.example\r\n\r\n");
  assert.match(wire.take(), /Content-Length: 5\r\n\r\n$/);
});

test("answers that must have no body have none", () => {
  const { wire } = scene({ "/": { status: 304, reason: "Not Modified", body: "no" } });
  wire.ask("/");
  assert.equal(wire.take(), "HTTP/1.1 304 Not Modified\r\nContent-Type: text/html\r\n\r\n");
});

test("requests sent ahead are answered in order, and began when they came", () => {
  const s = scene({ "/slow": { body: "slow", delayMs: 100 }, "/": { body: "quick" } });
  const one = "GET /slow HTTP/1.1\r\nHost: a.example\r\n\r\n";
  s.wire.say(one + one.replace("/slow", "/"));
  assert.equal(s.wire.take(), "");
  advance(s, 100);
  assert.match(s.wire.take(), /slow.*quick$/s);
  const [first, second] = [s.server.log.entry(0), s.server.log.entry(1)];
  assert.equal(second.startMs, 0);
  assert.equal(first.endMs, 100);
});

test("four thousand requests sent ahead at once are all answered", () => {
  const { wire, server } = scene({ "/": { body: "x" } });
  wire.say("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n".repeat(4000));
  assert.equal(server.log.size, 4000);
  assert.equal(wire.take().match(/HTTP\/1\.1 200/g)?.length, 4000);
});

test("a client that sends too much ahead is not listened to for a while", () => {
  const s = scene({ "/slow": { delayMs: 100 } });
  s.wire.ask("/slow");
  for (let turn = 0; turn < 80; turn += 1)
    s.wire.ask("/slow", "a.example", `X: ${"x".repeat(999)}\r\n`);
  assert.equal(s.wire.isPaused, true);
  advance(s, 81 * 100 + 1);
  assert.equal(s.wire.isPaused, false);
  assert.equal(s.server.log.size, 81);
});

test("a delay is waited for and a rate is kept", () => {
  const s = scene({ "/": { body: "x".repeat(100), delayMs: 500, bytesPerSecond: 200 } });
  s.wire.ask("/");
  advance(s, 499);
  assert.equal(s.wire.sent, "");
  advance(s, 2);
  assert.equal(bodyOf(s.wire.sent).length, 0);
  advance(s, 250);
  assert.equal(bodyOf(s.wire.sent).length, 50);
  advance(s, 250);
  assert.equal(bodyOf(s.wire.sent).length, 100);
  assert.equal(s.server.log.entry(0).endMs, 1000);
});

test("an answer has ended only when the client has taken it", () => {
  const s = scene({ "/": { body: "hello" } });
  s.wire.isClogged = true;
  s.wire.ask("/");
  advance(s, 70);
  assert.equal(s.server.log.entry(0).ending, "open");
  s.wire.drain();
  assert.equal(s.server.log.entry(0).ending, "whole");
  assert.equal(s.server.log.entry(0).endMs, 70);
});

test("errors that pass depend on how often the URL was asked for", () => {
  const failure: TablePage = {
    status: 503,
    reason: "Busy",
    headers: [["Retry-After", "2"]],
  };
  const { wire, server } = scene({
    "/": { body: "good", first: [failure, { oddity: "close-before-head" }] },
  });
  wire.ask("/");
  assert.match(wire.take(), /^HTTP\/1\.1 503 /);
  assert.equal(server.log.entry(0).retryAfterMs, 2000);
  assert.equal(server.log.entry(0).isRetriable, true);
  wire.ask("/");
  assert.equal(wire.take(), "");
  assert.equal(wire.ending, "ended");
  assert.deepEqual([server.log.entry(1).status, server.log.entry(1).ending], [0, "broken"]);
});

test("for a host or page that does not exist the web has an answer", () => {
  const { wire } = scene({});
  wire.ask("/", "nobody.example");
  assert.match(wire.take(), /^HTTP\/1\.1 404 /);
  assert.equal(wire.ending, "open");
});

test("input that is not a request is refused, and the connection closed", () => {
  const { wire, server } = scene({});
  wire.say("\x16\x03\x01 hello\r\n\r\n");
  assert.match(wire.take(), /^HTTP\/1\.1 400 .*Connection: close\r\n\r\n/s);
  assert.equal(wire.ending, "ended");
  assert.equal(server.log.size, 0);
  assert.equal(server.stats().requestsRefused, 1);
});

test("a client that wants to close, or has closed its side, is answered first", () => {
  const s = scene({ "/": { body: "x", delayMs: 10 } });
  s.wire.ask("/", "a.example", "Connection: close\r\n");
  advance(s, 10);
  assert.match(s.wire.take(), /Connection: close\r\n\r\nx$/);
  assert.equal(s.wire.ending, "ended");
  const other = s.listener.connect();
  other.ask("/");
  other.user?.halfClosed();
  assert.equal(other.ending, "open");
  advance(s, 10);
  assert.match(other.take(), /x$/);
  assert.equal(other.ending, "ended");
});

test("an answer that stalls ends when the client closes its side", () => {
  const s = scene({ "/": { body: "halves", oddity: "stall-mid-body" } });
  s.wire.ask("/");
  advance(s, 5000);
  assert.match(s.wire.take(), /hal$/);
  assert.equal(s.server.log.entry(0).ending, "open");
  s.wire.user?.halfClosed();
  const { ending, endMs, status } = s.server.log.entry(0);
  assert.deepEqual([ending, endMs, status], ["broken", 5000, 200]);
  assert.equal(s.wire.ending, "ended");
});

test("a client that goes away before the end has left, and nothing more is sent", () => {
  const s = scene({ "/": { body: "x", delayMs: 100 } });
  s.wire.ask("/");
  advance(s, 50);
  s.wire.leave();
  advance(s, 200);
  assert.equal(s.wire.sent, "");
  const entry = s.server.log.entry(0);
  assert.deepEqual([entry.ending, entry.status, entry.endMs], ["left", 0, 50]);
  assert.equal(s.server.stats().connectionsOpen, 0);
});

test("clients that do nothing are dropped: idle, slow to ask, slow to take", () => {
  const s = scene({ "/": { body: "x" } }, { quietMsMax: 5000 });
  const slowToAsk = s.listener.connect();
  const slowToTake = s.listener.connect();
  const busy = s.listener.connect();
  slowToTake.isClogged = true;
  slowToTake.ask("/");
  slowToAsk.say("GET / HT");
  for (let turn = 0; turn < 4; turn += 1) {
    advance(s, 2000);
    if (slowToAsk.ending === "open") slowToAsk.say("X");
    busy.ask("/");
  }
  assert.deepEqual(
    [s.wire, slowToAsk, slowToTake, busy].map((wire) => wire.ending),
    ["reset", "reset", "reset", "open"],
  );
  assert.equal(s.server.stats().connectionsDropped, 3);
});

test("more connections than allowed are refused until one is gone", () => {
  const s = scene({}, { connectionsMax: 2 });
  s.listener.connect();
  assert.equal(s.listener.connect().user, null);
  s.wire.leave();
  assert.notEqual(s.listener.connect().user, null);
  assert.equal(s.server.stats().connectionsRefused, 1);
});

test("addresses are listened on when asked for, and a failure is told", () => {
  const { server } = scene({});
  const told: boolean[] = [];
  server.listenOn(["127.1.0.1", "127.1.0.2"], (isListening) => told.push(isListening));
  server.listenOn(["127.1.0.1", "127.9.0.1"], (isListening) => told.push(isListening));
  server.listenOn([], (isListening) => told.push(isListening));
  assert.deepEqual(told, [true, false, true]);
  assert.equal(server.stats().addresses, 3);
  assert.equal(server.stats().addressesRefused, 1);
});

test("stopping drops every connection and accepts none", async () => {
  const { server, wire, listener } = scene({});
  await server.stop();
  assert.equal(wire.ending, "reset");
  assert.equal(listener.connect().user, null);
  assert.equal(server.stats().connectionsOpen, 0);
});

function bodyOf(sent: string): string {
  return sent.slice(sent.indexOf("\r\n\r\n") + 4);
}
