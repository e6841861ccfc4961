import assert from "node:assert/strict";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { test } from "node:test";
import { fetchOnce, testFetcher } from "../../../../test/support/fetch/http-fetching.ts";
import { askRaw, get, type RawAnswer } from "../../../../test/support/fetch/raw-client.ts";
import { ODDITIES, type TableHost, TableWeb } from "../../../../test/support/lab/table-web.ts";
import type { FetchOutcome } from "../../../base/seams/index.ts";
import { SystemClock } from "../../../base/time/index.ts";
import type { Oddity } from "../web/synthetic-web.ts";
import { isLoopback, LoopbackListener } from "./loopback-listener.ts";
import { WebServer } from "./web-server.ts";

const BODY = "<p>0123456789</p>".repeat(100);

interface Running extends AsyncDisposable {
  readonly server: WebServer;
  readonly port: number;
}

async function serve(hosts: Readonly<Record<string, TableHost>>): Promise<Running> {
  const listener = await LoopbackListener.open(0);
  const server = new WebServer({ web: new TableWeb(hosts), listener, clock: new SystemClock() });
  return { server, port: server.port, [Symbol.asyncDispose]: () => server.stop() };
}

function listenOn(server: WebServer, addresses: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => server.listenOn(addresses, resolve));
}

/** What a raw client gets for each oddity; `.` in the head stands for anything. */
const SEEN: Readonly<Record<Oddity, (answer: RawAnswer) => void>> = {
  "reset-before-head": ({ text, ending }) => assert.deepEqual([text, ending], ["", "reset"]),
  "close-before-head": ({ text, ending }) => assert.deepEqual([text, ending], ["", "closed"]),
  "close-mid-body": ({ text, ending }) => {
    assert.equal(bodyOf(text), BODY.slice(0, 850));
    assert.match(text, /Content-Length: 1700\r\n/);
    assert.equal(ending, "closed");
  },
  "length-too-large": ({ text }) => {
    assert.match(text, /Content-Length: 2700\r\n/);
    assert.equal(bodyOf(text), BODY);
  },
  "length-too-small": ({ text }) => {
    assert.match(text, /Content-Length: 850\r\n/);
    assert.equal(bodyOf(text), BODY);
  },
  chunked: ({ text, ending }) => {
    assert.match(text, /Transfer-Encoding: chunked\r\n\r\n1\r\n<\r\n3;name=value\r\n/);
    assert.match(text, /\r\n0\r\nX-Trailer: at the end\r\n\r\n$/);
    assert.equal(ending, "enough");
  },
  "chunked-broken": ({ text }) => assert.match(text, /zz not a size/),
  "no-length-close": ({ text, ending }) => {
    assert.ok(!text.includes("Content-Length"));
    assert.deepEqual([bodyOf(text), ending], [BODY, "closed"]);
  },
  "endless-body": ({ text, ending }) => {
    assert.ok(bodyOf(text).startsWith(BODY + BODY + BODY));
    assert.equal(ending, "enough");
  },
  "stall-mid-body": ({ text, ending }) => {
    assert.equal(bodyOf(text), BODY.slice(0, 850));
    assert.equal(ending, "enough");
  },
  "huge-header": ({ text }) => {
    assert.ok(text.indexOf("\r\n\r\n") > 1_000_000);
    assert.equal(bodyOf(text), BODY);
  },
  garbage: ({ text, ending }) => {
    assert.ok(!text.startsWith("HTTP/") && text.length === 512);
    assert.equal(ending, "closed");
  },
  "http-0.9": ({ text, ending }) => assert.deepEqual([text, ending], [BODY, "closed"]),
  "many-interim": ({ text }) => {
    assert.equal(text.match(/HTTP\/1\.1 103 /g)?.length, 64);
    assert.ok(text.endsWith(`\r\n\r\n${BODY}`));
  },
  "folded-header": ({ text }) => assert.match(text, /X-Folded: one line\r\n and the next\r\n\tand/),
  "bare-newlines": ({ text }) => assert.match(text, /^HTTP\/1\.1 200 OK\nContent[^\r]*\n\n<p>/),
};

/**
 * The client waits for answers that end by themselves, and leaves the others when it has seen
 * enough.
 */
const ENOUGH: Readonly<Partial<Record<Oddity, (text: string) => boolean>>> = {
  chunked: (text) => text.endsWith("\r\n\r\n") && text.includes("X-Trailer"),
  "endless-body": (text) => text.length > 100_000,
  "stall-mid-body": (text) => bodyOf(text).length === 850,
  "huge-header": (text) => text.endsWith(BODY),
  "many-interim": (text) => text.endsWith(BODY),
  "folded-header": (text) => text.endsWith(BODY),
  "bare-newlines": (text) => text.endsWith(BODY),
};

for (const oddity of ODDITIES) {
  test(`the oddity ${oddity} is played on the wire`, async () => {
    await using web = await serve({ a: { pages: { "/": { body: BODY, oddity } } } });
    const isEnough = ENOUGH[oddity];
    const question = { port: web.port, text: get("a", "/") };
    SEEN[oddity](await askRaw(isEnough === undefined ? question : { ...question, isEnough }));
  });
}

/** What a fetcher may make of each; strict and lenient ones differ. */
const OUTCOMES: Readonly<Record<Oddity, RegExp>> = {
  "reset-before-head": /^FETCH_DISCONNECTED$/,
  "close-before-head": /^FETCH_DISCONNECTED$/,
  "close-mid-body": /^850 disconnect$/,
  "length-too-large": /^1700 disconnect$/,
  "length-too-small": /^(?:850 null|\d+ disconnect)$/,
  chunked: /^1700 null$/,
  "chunked-broken": /^\d+ disconnect$/,
  "no-length-close": /^1700 null$/,
  "endless-body": /^5000 length$/,
  "stall-mid-body": /^850 time$/,
  "huge-header": /^FETCH_PROTOCOL$/,
  garbage: /^FETCH_PROTOCOL$/,
  "http-0.9": /^FETCH_PROTOCOL$/,
  "many-interim": /^(?:1700 null|FETCH_PROTOCOL)$/,
  "folded-header": /^(?:1700 null|FETCH_PROTOCOL)$/,
  "bare-newlines": /^(?:1700 null|FETCH_PROTOCOL)$/,
};

test("a fetcher survives every oddity", async () => {
  const pages = Object.fromEntries(
    ODDITIES.map((oddity) => [`/${oddity}`, { body: BODY, oddity }]),
  );
  await using web = await serve({ a: { pages } });
  for (const oddity of ODDITIES) {
    assert.match(summary(await fetch(web.port, `/${oddity}`)), OUTCOMES[oddity], oddity);
  }
});

test("HEAD never gets a body, whatever the oddity", async () => {
  const pages = Object.fromEntries(
    ODDITIES.map((oddity) => [`/${oddity}`, { body: BODY, oddity }]),
  );
  await using web = await serve({ a: { pages } });
  for (const oddity of ODDITIES) {
    const text = `HEAD /${oddity} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
    const isEnough = (got: string): boolean =>
      oddity === "stall-mid-body" && got.includes("\r\n\r\n");
    const { text: got } = await askRaw({ port: web.port, text, isEnough });
    assert.ok(!got.includes("<p>"), oddity);
  }
});

test("hosts are told apart by name at one port, on many addresses and on IPv6", async () => {
  await using web = await serve({
    a: { pages: { "/": { body: "this is a" } } },
    b: { pages: { "/": { body: "this is b" } } },
  });
  const addresses = ["127.1.2.3", "127.200.0.77", "::1"];
  assert.equal(await listenOn(web.server, addresses), true);
  for (const address of addresses) {
    for (const host of ["a", "b"]) {
      const isEnough = (text: string): boolean => text.endsWith(`this is ${host}`);
      await askRaw({ port: web.port, address, text: get(host, "/"), isEnough });
    }
  }
  assert.deepEqual(
    [...web.server.log.entries()].map(({ address, host }) => `${host} ${address}`),
    addresses.flatMap((address) => [`a ${address}`, `b ${address}`]),
  );
});

test("nothing but loopback is ever listened on", async () => {
  for (const address of ["127.0.0.1", "127.255.1.2", "::1"]) assert.ok(isLoopback(address));
  for (const address of ["0.0.0.0", "::", "10.0.0.1", "::ffff:127.0.0.1", "127.1", "localhost", ""])
    assert.ok(!isLoopback(address), address);
  await using web = await serve({});
  assert.throws(() => web.server.listenOn(["0.0.0.0"], () => {}), /loopback only/);
  const outside = Object.values(networkInterfaces())
    .flatMap((one) => one ?? [])
    .filter(({ internal, family }) => !internal && family === "IPv4");
  for (const { address } of outside) assert.equal(await canConnect(address, web.port), false);
});

test("a thousand addresses are listened on, and closed when the server stops", async () => {
  const web = await serve({});
  const addresses = Array.from(
    { length: 1000 },
    (_, index) => `127.3.${index >> 8}.${index & 255}`,
  );
  assert.equal(await listenOn(web.server, addresses), true);
  assert.equal(await canConnect("127.3.3.231", web.port), true);
  await web.server.stop();
  assert.equal(await canConnect("127.3.3.231", web.port), false);
});

test("an address that was being opened when the server stopped is not left open", async () => {
  const web = await serve({});
  const told = listenOn(web.server, ["127.3.9.9"]);
  await web.server.stop();
  assert.equal(await told, false);
  assert.equal(await canConnect("127.3.9.9", web.port), false);
  assert.equal(await listenOn(web.server, ["127.3.9.8"]), false);
});

test("a port that is taken is an error that says what to do", async () => {
  await using web = await serve({});
  await assert.rejects(LoopbackListener.open(web.port), {
    code: "SIMWEB_LISTEN_FAILED",
    message: /port \d+: .*EADDRINUSE.*--port/,
  });
});

test("a large page to a client that reads slowly arrives whole and ends when it was taken", async () => {
  const body = "x".repeat(8 * 1024 * 1024);
  await using web = await serve({ a: { pages: { "/": { body } } } });
  const socket = connect({ port: web.port, host: "127.0.0.1" }, () => socket.write(get("a", "/")));
  await new Promise((resolve) => socket.once("readable", resolve));
  assert.equal(web.server.log.entry(0).ending, "open");
  let received = 0;
  for await (const bytes of socket) {
    received += bytes.length;
    if (received >= body.length) break;
  }
  assert.ok(received >= body.length);
});

test("answers to clients that read late do not mix", async () => {
  const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
  const bodyOfPage = (name: string): string => `${name}-page;`.repeat(6000);
  const hosts = names.map((name) => [name, { pages: { "/": { body: bodyOfPage(name) } } }]);
  await using web = await serve(Object.fromEntries(hosts));
  const ahead = 60;
  const texts = await Promise.all(
    names.map(async (name) => {
      const socket = connect({ port: web.port, host: "127.0.0.1" });
      socket.write(get(name, "/").repeat(ahead));
      await new Promise((resolve) => socket.once("readable", resolve));
      let text = "";
      for await (const bytes of socket) {
        text += bytes.toString("latin1");
        if (text.split("HTTP/1.1 200").length > ahead && text.endsWith(bodyOfPage(name))) break;
      }
      return text;
    }),
  );
  for (const [index, name] of names.entries()) {
    const bodies = (texts[index] ?? "").split(/HTTP\/1\.1 200[\s\S]*?\r\n\r\n/).slice(1);
    assert.equal(bodies.length, ahead);
    assert.ok(bodies.every((body) => body === bodyOfPage(name)));
  }
});

async function fetch(port: number, target: string): Promise<FetchOutcome> {
  const fetcher = testFetcher({ keepAliveMs: 0 });
  const limits = { idleTimeoutMs: 1000, totalTimeoutMs: 5000, bodyBytesMax: 5000 };
  return await fetchOnce(fetcher, `http://a:${port}${target}`, { limits });
}

function summary(outcome: FetchOutcome): string {
  if (outcome.kind === "failed") return outcome.error.code;
  if (outcome.kind === "cancelled") return "cancelled";
  return `${outcome.body.lengthBytes} ${outcome.truncatedBy}`;
}

function canConnect(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}

function bodyOf(text: string): string {
  return text.slice(text.indexOf("\r\n\r\n") + 4);
}
