import assert from "node:assert/strict";
import {
  createSecureServer,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import { describe, test } from "node:test";
import { setDefaultCACertificates } from "node:tls";
import { CertificateAuthority } from "../../../../test/support/fetch/certificates.ts";
import {
  describeOutcome,
  fetchError,
  fetchOnce,
  fetchText,
  requestOf,
  testFetcher,
} from "../../../../test/support/fetch/http-fetching.ts";
import { MemorySpool } from "../../../../test/support/fetch/memory-spool.ts";
import { passUntil, timeByHand, until } from "../../../../test/support/fetch/time-by-hand.ts";

const authority = new CertificateAuthority();
const certificate = authority.issue({ host: "host.test" });
setDefaultCACertificates([authority.cert]);

interface Served extends AsyncDisposable {
  readonly url: string;
  readonly sessions: () => number;
}

async function serve(
  answer: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void,
  settings: object = {},
): Promise<Served> {
  const server: Http2SecureServer = createSecureServer({
    ...certificate,
    allowHTTP1: true,
    settings,
  });
  let sessions = 0;
  const open = new Set<{ destroy(): void }>();
  server.on("session", (session) => {
    sessions++;
    open.add(session);
    session.on("error", () => {});
  });
  server.on("sessionError", () => {});
  server.on("stream", (stream, headers) => {
    stream.on("error", () => {});
    answer(stream, headers);
  });
  server.on("request", (request, response) => {
    if (request.httpVersion === "1.1") response.end(`by ${request.httpVersion}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  return {
    url: `https://host.test:${port}/path?q=1`,
    sessions: () => sessions,
    [Symbol.asyncDispose]: () => {
      for (const session of open) session.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function page(stream: ServerHttp2Stream, body: string, headers: OutgoingHttpHeaders = {}): void {
  stream.respond({ ":status": 200, "content-type": "text/html", ...headers });
  stream.end(body);
}

describe("fetching by HTTP/2", () => {
  test("status, headers and body come as sent, and the session is kept", async () => {
    const seen: IncomingHttpHeaders[] = [];
    await using server = await serve((stream, headers) => {
      seen.push(headers);
      page(stream, "hello", { "set-cookie": ["a=1", "b=2"], "x-one": "1" });
    });
    const fetcher = testFetcher({ http2: true });
    const wish = { headers: [["User-Agent", "Trobar/test"]] as const };
    const first = await fetchText(fetcher, server.url, wish);
    assert.equal(first.status, 200);
    assert.equal(first.body, "hello");
    assert.equal(first.truncatedBy, null);
    const cookies = first.headers.filter(([name]) => name === "set-cookie");
    assert.deepEqual(cookies, [
      ["set-cookie", "a=1"],
      ["set-cookie", "b=2"],
    ]);
    assert.equal((await fetchText(fetcher, server.url)).body, "hello");
    assert.equal(server.sessions(), 1);
    assert.equal(seen[0]?.[":path"], "/path?q=1");
    assert.equal(seen[0]?.["user-agent"], "Trobar/test");
    fetcher.close();
    assert.equal(fetcher.connectionCount, 0);
  });

  test("it is not spoken unless it is asked for", async () => {
    await using server = await serve((stream) => page(stream, "by 2"));
    const fetcher = testFetcher();
    assert.equal((await fetchText(fetcher, server.url)).body, "by 1.1");
    fetcher.close();
  });

  test("a large body comes whole", async () => {
    const body = "0123456789".repeat(80_000);
    await using server = await serve((stream) => page(stream, body));
    const fetcher = testFetcher({ http2: true });
    assert.equal((await fetchText(fetcher, server.url)).body, body);
    fetcher.close();
  });

  test("the limits on sizes are kept", async () => {
    await using server = await serve((stream, headers) => {
      const isLong = headers[":path"]?.includes("q=1") ?? false;
      page(stream, "x".repeat(5000), isLong ? { "x-long": "y".repeat(4200) } : {});
    });
    const fetcher = testFetcher({ http2: true });
    const limits = { bodyBytesMax: 1000, headerBytesMax: 4096 };
    const error = await fetchError(fetcher, server.url, { limits });
    assert.equal(error.code, "FETCH_PROTOCOL");
    const url = server.url.replace("?q=1", "");
    const { body, truncatedBy } = await fetchText(fetcher, url, { limits });
    assert.deepEqual([body.length, truncatedBy], [1000, "length"]);
    fetcher.close();
  });

  test("a head with too many headers has failed", async () => {
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`x-${n}`, "y"]));
    await using server = await serve((stream) => page(stream, "", many));
    const fetcher = testFetcher({ http2: true });
    assert.equal((await fetchError(fetcher, server.url)).code, "FETCH_PROTOCOL");
    assert.equal(fetcher.connectionCount, 0);
  });

  test("a flood of interim answers has failed", async () => {
    await using server = await serve((stream) => {
      for (let count = 0; count < 20; count++) stream.additionalHeaders({ ":status": 103 });
      page(stream, "late");
    });
    const fetcher = testFetcher({ http2: true });
    assert.equal((await fetchError(fetcher, server.url)).facts["reason"], "too-many-interim");
  });

  test("a body that stops is cut by time, one that breaks off by disconnection", async () => {
    let breakOff = () => {};
    await using server = await serve((stream, headers) => {
      stream.respond({ ":status": 200 });
      stream.write("half");
      if (!headers[":path"]?.includes("q=1")) breakOff = () => stream.session?.destroy();
    });
    const time = timeByHand();
    const spool = new MemorySpool();
    const fetcher = testFetcher({ http2: true, clock: time.clock, spool });
    const slow = fetchOnce(fetcher, server.url, { limits: { idleTimeoutMs: 60 } });
    await until(() => spool.heldBytes === 4);
    assert.equal(describeOutcome(await passUntil(time, slow, { ms: 60 })), "200 4 time");
    const broken = fetchOnce(fetcher, server.url.replace("?q=1", ""));
    await until(() => spool.heldBytes === 4);
    breakOff();
    assert.equal(describeOutcome(await broken), "200 4 disconnect");
    fetcher.close();
  });

  test("a server that says nothing has failed by the header limit", async () => {
    let asked = 0;
    await using server = await serve(() => {
      asked += 1;
    });
    const time = timeByHand();
    const fetcher = testFetcher({ http2: true, clock: time.clock });
    const fetched = fetchOnce(fetcher, server.url, { limits: { headerTimeoutMs: 60 } });
    await until(() => asked === 1);
    const outcome = await passUntil(time, fetched, { ms: 60 });
    assert.equal(describeOutcome(outcome), "FETCH_TIMED_OUT header");
    assert.equal(fetcher.connectionCount, 0);
  });

  test("a stream that is reset before its head has failed", async () => {
    await using server = await serve((stream) => stream.close(2));
    const fetcher = testFetcher({ http2: true });
    assert.equal((await fetchError(fetcher, server.url)).code, "FETCH_PROTOCOL");
  });

  test("a header that HTTP/2 does not allow twice is refused, on any connection", async () => {
    await using server = await serve((stream) => page(stream, "hello"));
    const fetcher = testFetcher({ http2: true });
    const headers = [
      ["User-Agent", "one"],
      ["User-Agent", "two"],
    ] as const;
    for (let count = 0; count < 2; count++) {
      const error = await fetchError(fetcher, server.url, { headers });
      assert.equal(error.code, "FETCH_REQUEST_INVALID");
      assert.equal((await fetchText(fetcher, server.url)).body, "hello");
    }
    fetcher.close();
  });

  test("a fetch can be cancelled", async () => {
    let cancel = () => {};
    await using server = await serve(() => cancel());
    const fetcher = testFetcher({ http2: true });
    const outcome = await new Promise((resolve) => {
      const inFlight = fetcher.fetch(requestOf(server.url), resolve);
      cancel = () => inFlight.cancel();
    });
    assert.deepEqual(outcome, { kind: "cancelled" });
    assert.equal(fetcher.connectionCount, 0);
  });

  test("a session that ended between two fetches is replaced unseen", async () => {
    await using server = await serve((stream) => {
      page(stream, "hello");
      stream.on("close", () => stream.session?.close());
    });
    const fetcher = testFetcher({ http2: true });
    for (let count = 0; count < 3; count++) {
      assert.equal((await fetchText(fetcher, server.url)).body, "hello");
    }
    fetcher.close();
  });
});
