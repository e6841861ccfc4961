/** What the fetcher does with requests, cookies, cancelling and a body that has no room. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  describeOutcome,
  fetchError,
  fetchOnce,
  fetchText,
  requestOf,
  testFetcher,
} from "../../../test/support/fetch/http-fetching.ts";
import { MemorySpool } from "../../../test/support/fetch/memory-spool.ts";
import { type Serve, serveRaw } from "../../../test/support/fetch/raw-server.ts";
import { passUntil, timeByHand, until } from "../../../test/support/fetch/time-by-hand.ts";
import { CrawlError } from "../../base/errors/index.ts";
import type { Body, Done, FetchInFlight, FetchOutcome, Header } from "../../base/seams/index.ts";
import type { BodySink, BodySpool } from "../body/index.ts";

const HELLO = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
const hello: Serve = (socket) => socket.write(HELLO);

describe("requests", () => {
  test("a request has its target, its host and its headers", async () => {
    await using server = await serveRaw(hello);
    const fetcher = testFetcher();
    const headers: Header[] = [["User-Agent", "Trobar/test"]];
    await fetchText(fetcher, server.url("/a%20b?c=d|e#part"), { headers });
    assert.deepEqual((server.requests[0] ?? "").split("\r\n"), [
      "GET /a%20b?c=d|e HTTP/1.1",
      `Host: host.test:${server.port}`,
      "Connection: keep-alive",
      "User-Agent: Trobar/test",
      "",
      "",
    ]);
    fetcher.close();
  });

  const urls = [
    "ftp://host.test/",
    "//host.test/",
    "http:///",
    "http://host.test",
    "http://user@host.test/",
    "http://a:b@host.test/",
    "http://host.test/a b",
    "http://host.test/\r\nX: y",
    "http://host.test/\0",
    "http://host.test/\u00e9",
    "http://host\r\nX: y/",
    "http://host .test/",
    "http://host.test\\@evil.test/",
    "http://host.test:0/",
    "http://host.test:65536/",
    "http://host.test:80x/",
    "javascript:alert(1)",
    "",
  ];
  for (const url of urls) {
    test(`${JSON.stringify(url)} is not asked for`, async () => {
      const fetcher = testFetcher();
      const error = await fetchError(fetcher, url);
      assert.equal(error.code, "FETCH_REQUEST_INVALID");
      assert.doesNotMatch(error.message, /[\r\n\0]/);
      assert.equal(fetcher.connectionCount, 0);
    });
  }

  test("a header that could smuggle a line is not sent", async () => {
    const headers: Header[] = [["User-Agent", "a\r\nX: y"]];
    const error = await fetchError(testFetcher(), "http://host.test/", { headers });
    assert.equal(error.code, "FETCH_REQUEST_INVALID");
  });

  test("the reason of the answer comes without the blanks around it", async () => {
    await using server = await serveRaw((socket) => {
      socket.write("HTTP/1.1 404  Pas trouv\xe9 \r\nContent-Length: 0\r\n\r\n", "latin1");
    });
    const fetcher = testFetcher();
    assert.equal((await fetchText(fetcher, server.url())).reason, "Pas trouv\xe9");
    fetcher.close();
  });
});

describe("cookies", () => {
  const bake: Serve = (socket, request) => {
    const sent = /^Cookie: (.*)\r$/im.exec(request)?.[1] ?? "";
    const cookie = "Set-Cookie: a=1\r\nset-cookie: b=2; Path=/deep\r\nSet-Cookie: c=3; Secure\r\n";
    socket.write(`HTTP/1.1 200 OK\r\n${cookie}Content-Length: ${sent.length}\r\n\r\n${sent}`);
  };

  test("are not sent back unless the configuration says so", async () => {
    await using server = await serveRaw(bake);
    const fetcher = testFetcher();
    await fetchText(fetcher, server.url());
    assert.equal((await fetchText(fetcher, server.url())).body, "");
    fetcher.close();
  });

  test("go back to their host and path", async () => {
    await using server = await serveRaw(bake);
    const fetcher = testFetcher({ cookies: true });
    assert.equal((await fetchText(fetcher, server.url("/x"))).body, "");
    assert.equal((await fetchText(fetcher, server.url("/y?z"))).body, "a=1");
    assert.equal((await fetchText(fetcher, server.url("/deep/y"))).body, "a=1; b=2");
    const other = server.url().replace("host.test", "other.test");
    assert.equal((await fetchText(fetcher, other)).body, "");
    fetcher.close();
  });
});

describe("cancelling", () => {
  const moments: readonly [name: string, serve: Serve][] = [
    ["before the head", () => {}],
    ["inside the head", (socket) => socket.write("HTTP/1.1 200 OK\r\nX: ")],
    ["inside the body", (socket) => socket.write(HELLO.slice(0, -2))],
  ];
  for (const [name, serve] of moments) {
    test(`${name} ends the connection and gives memory back`, async () => {
      const spool = new MemorySpool();
      const fetcher = testFetcher({ spool });
      await using server = await serveRaw(serve);
      let inFlight: FetchInFlight | null = null;
      const outcome = new Promise<FetchOutcome>((resolve) => {
        inFlight = fetcher.fetch(requestOf(server.url()), resolve);
      });
      await until(() => server.requests.length === 1);
      if (name === "inside the body") await until(() => spool.heldBytes > 0);
      (inFlight as FetchInFlight | null)?.cancel();
      assert.deepEqual(await outcome, { kind: "cancelled" });
      assert.equal(fetcher.connectionCount, 0);
      assert.equal(spool.heldBytes, 0);
    });
  }

  test("while connecting ends the attempt", async () => {
    const fetcher = testFetcher();
    const outcome = await new Promise((resolve) => {
      fetcher.fetch(requestOf("http://host.test:9/"), resolve).cancel();
    });
    assert.deepEqual(outcome, { kind: "cancelled" });
    assert.equal(fetcher.connectionCount, 0);
  });
});

/** A spool that falls behind after every piece, and may fail at the end. */
class SluggishSpool implements BodySpool {
  writes = 0;
  readonly #spool = new MemorySpool();
  readonly #error: CrawlError | null;

  constructor(error: CrawlError | null = null) {
    this.#error = error;
  }

  open(_: number | null, drained: () => void): BodySink {
    const sink = this.#spool.open();
    let isBehind = false;
    return {
      write: (bytes, from, to) => {
        assert.ok(!isBehind, "nothing is written while the sink is behind");
        this.writes++;
        sink.write(bytes, from, to);
        isBehind = true;
        setImmediate(() => {
          isBehind = false;
          drained();
        });
        return false;
      },
      end: (done: Done<Body>) => {
        if (this.#error === null) sink.end(done);
        else setImmediate(done, this.#error, undefined);
      },
      abandon: () => sink.abandon(),
    };
  }
}

describe("a body that has no room yet", () => {
  const body = Array.from({ length: 30_000 }, (_, index) => `line ${index}\n`).join("");
  const chunks = body.match(/[\s\S]{1,777}/g) ?? [];
  const coded = chunks.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join("");
  const answers: readonly [name: string, bytes: string][] = [
    ["with a length", `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`],
    ["in chunks", `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${coded}0\r\n\r\n`],
    ["until the end", `HTTP/1.1 200 OK\r\n\r\n${body}`],
  ];
  for (const [name, bytes] of answers) {
    test(`${name} waits, and comes whole`, async () => {
      await using server = await serveRaw((socket) => {
        if (name === "until the end") socket.end(bytes);
        else socket.write(bytes);
      });
      const spool = new SluggishSpool();
      const fetcher = testFetcher({ spool });
      for (let count = 0; count < 2; count++) {
        const page = await fetchText(fetcher, server.url());
        assert.equal(page.body, body);
        assert.equal(page.truncatedBy, null);
      }
      assert.ok(spool.writes > 2);
      fetcher.close();
    });
  }

  test("when the disk fails, the fetch has failed by the disk's error", async () => {
    await using server = await serveRaw(hello);
    const error = new CrawlError("STORAGE_FULL", "The disk is full.");
    const fetcher = testFetcher({ spool: new SluggishSpool(error) });
    assert.equal(await fetchError(fetcher, server.url()), error);
    fetcher.close();
  });

  test("waiting for room is not the server's fault, but the total limit holds", async () => {
    await using server = await serveRaw(hello);
    let hasWritten = false;
    const write = () => {
      hasWritten = true;
      return false;
    };
    const sink = { write, end: () => {}, abandon: () => {} };
    const stuck: BodySpool = {
      open: () => ({ ...sink, end: (done) => new MemorySpool().open().end(done) }),
    };
    const time = timeByHand();
    const fetcher = testFetcher({ spool: stuck, clock: time.clock });
    const limits = { idleTimeoutMs: 20, totalTimeoutMs: 200, bytesPerSecondMin: 1e9 };
    await using slow = await serveRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf");
    });
    const fetched = fetchOnce(fetcher, slow.url(), { limits });
    await until(() => hasWritten);
    time.pass(199);
    assert.equal(fetcher.connectionCount, 1, "it goes on though the body has been idle for long");
    assert.equal(describeOutcome(await passUntil(time, fetched, { ms: 1 })), "200 0 time");
    assert.equal(describeOutcome(await fetchOnce(fetcher, server.url())), "200 0 null");
    fetcher.close();
  });
});
