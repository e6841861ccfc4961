/** Connections between fetches: kept, used again, given up, never hoarded. */
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
import { type Serve, serveBytes, serveRaw } from "../../../test/support/fetch/raw-server.ts";
import { timeByHand, until } from "../../../test/support/fetch/time-by-hand.ts";
import { CrawlError } from "../../base/errors/index.ts";
import type { FetchOutcome } from "../../base/seams/index.ts";

const HELLO = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
const hello: Serve = (socket) => socket.write(HELLO);

describe("keeping connections", () => {
  test("fetches from one host, one after the other, share a connection", async () => {
    await using server = await serveRaw(hello);
    const fetcher = testFetcher();
    for (let count = 0; count < 5; count++) await fetchText(fetcher, server.url());
    assert.equal(server.accepted, 1);
    assert.equal(fetcher.idleConnectionCount, 1);
    fetcher.close();
    await until(() => server.openSockets === 0);
  });

  test("another time for idle connections holds from the next fetch on, 0 for those that are idle", async () => {
    await using server = await serveRaw(hello);
    const fetcher = testFetcher();
    await fetchText(fetcher, server.url());
    fetcher.keepAliveMs = 0;
    await until(() => server.openSockets === 0);
    for (let count = 0; count < 2; count++) await fetchText(fetcher, server.url());
    assert.deepEqual([server.accepted, fetcher.idleConnectionCount], [3, 0]);
    assert.match(server.requests[2] ?? "", /Connection: close/);
    fetcher.keepAliveMs = 5000;
    for (let count = 0; count < 2; count++) await fetchText(fetcher, server.url());
    assert.deepEqual([server.accepted, fetcher.idleConnectionCount], [4, 1]);
    assert.match(server.requests[4] ?? "", /Connection: keep-alive/);
    fetcher.close();
  });

  test("the next fetch may begin inside the outcome of the last", async () => {
    await using server = await serveRaw(hello);
    const fetcher = testFetcher();
    await new Promise<void>((resolve) => {
      let left = 10;
      const next = (outcome: FetchOutcome) => {
        assert.equal(describeOutcome(outcome), "200 5 null");
        left--;
        if (left === 0) resolve();
        else fetcher.fetch(requestOf(server.url()), next);
      };
      fetcher.fetch(requestOf(server.url()), next);
    });
    assert.equal(server.accepted, 1);
    fetcher.close();
  });

  test("another host, port or address is another connection", async () => {
    await using one = await serveRaw(hello);
    await using other = await serveRaw(hello);
    const fetcher = testFetcher();
    const urls = [one.url(), other.url(), one.url().replace("host.test", "www.test")];
    for (const url of [...urls, ...urls]) await fetchText(fetcher, url);
    await fetchText(fetcher, one.url(), { address: "127.0.0.1" });
    assert.equal(one.accepted, 2);
    assert.equal(other.accepted, 1);
    fetcher.close();
  });

  const answers: readonly [name: string, bytes: string, isKept: boolean][] = [
    ["a length", HELLO, true],
    ["chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n", true],
    ["no content", "HTTP/1.1 204 No Content\r\n\r\n", true],
    ["HTTP/1.0", HELLO.replace("1.1", "1.0"), false],
    [
      "HTTP/1.0 that stays",
      HELLO.replace("1.1 200 OK", "1.0 200 OK\r\nConnection: Keep-Alive"),
      true,
    ],
    ["a farewell", HELLO.replace("OK", "OK\r\nConnection: x, CLOSE"), false],
    [
      "a farewell and its opposite",
      HELLO.replace("OK", "OK\r\nConnection: close, keep-alive"),
      false,
    ],
    ["a time that is too short", HELLO.replace("OK", "OK\r\nKeep-Alive: timeout=0"), false],
    ["a time that is long enough", HELLO.replace("OK", "OK\r\nKeep-Alive: timeout=60"), true],
    ["a byte too many", `${HELLO}!`, false],
    ["a second answer", `${HELLO}${HELLO}`, false],
    ["an empty line too many", `${HELLO}\r\n`, false],
  ];
  for (const [name, bytes, isKept] of answers) {
    test(`after ${name} the connection is ${isKept ? "kept" : "closed"}`, async () => {
      await using server = await serveRaw((socket) => socket.write(bytes));
      const fetcher = testFetcher();
      await fetchText(fetcher, server.url());
      assert.equal(fetcher.idleConnectionCount, isKept ? 1 : 0);
      assert.equal(fetcher.connectionCount, isKept ? 1 : 0);
      fetcher.close();
    });
  }

  test("without keep-alive every connection is closed, and says so", async () => {
    await using server = await serveRaw(hello);
    const fetcher = testFetcher({ keepAliveMs: 0 });
    await fetchText(fetcher, server.url());
    await fetchText(fetcher, server.url());
    assert.equal(server.accepted, 2);
    assert.match(server.requests[0] ?? "", /\r\nConnection: close\r\n/);
    assert.equal(fetcher.connectionCount, 0);
  });

  test("an idle connection is closed after its time", async () => {
    await using server = await serveRaw(hello);
    const time = timeByHand();
    const fetcher = testFetcher({ keepAliveMs: 30, clock: time.clock });
    await fetchText(fetcher, server.url());
    time.pass(29);
    assert.equal(fetcher.idleConnectionCount, 1);
    time.pass(1);
    await until(() => fetcher.connectionCount === 0);
    await until(() => server.openSockets === 0);
  });

  test("an idle connection is closed before the server closes it", async () => {
    const answer = HELLO.replace("OK", "OK\r\nKeep-Alive: timeout=2");
    await using server = await serveRaw((socket) => socket.write(answer));
    const time = timeByHand();
    const fetcher = testFetcher({ keepAliveMs: 60_000, clock: time.clock });
    await fetchText(fetcher, server.url());
    time.pass(1499);
    assert.equal(fetcher.idleConnectionCount, 1);
    time.pass(1);
    await until(() => fetcher.connectionCount === 0);
  });

  test("when the visit to a host ends, its idle connections are closed and no others", async () => {
    await using server = await serveRaw(hello);
    const fetcher = testFetcher();
    await fetchText(fetcher, server.url());
    await fetchText(fetcher, server.url().replace("host.test", "other.test"));
    fetcher.closeIdle("host.test");
    fetcher.closeIdle("never.test");
    assert.equal(fetcher.idleConnectionCount, 1);
    await fetchText(fetcher, server.url().replace("host.test", "other.test"));
    assert.equal(server.accepted, 2);
    fetcher.close();
  });
});

describe("connections that die", () => {
  test("one that the server closed while idle is not used again", async () => {
    await using server = await serveBytes(HELLO);
    const fetcher = testFetcher();
    await fetchText(fetcher, server.url());
    await until(() => fetcher.connectionCount === 0);
    assert.equal((await fetchText(fetcher, server.url())).body, "hello");
    fetcher.close();
  });

  test("one that dies before a byte of the answer is a failure: nothing is sent twice", async () => {
    await using server = await serveRaw((socket, _, nth) => {
      if (nth === 0) socket.write(HELLO);
      else socket.resetAndDestroy();
    });
    const fetcher = testFetcher();
    await fetchText(fetcher, server.url());
    assert.equal((await fetchError(fetcher, server.url())).code, "FETCH_DISCONNECTED");
    await fetchText(fetcher, server.url());
    assert.equal(server.accepted, 2);
    assert.equal(server.requests.length, 3);
    fetcher.close();
  });

  test("a fresh one that dies is a failure at once", async () => {
    await using server = await serveRaw((socket) => socket.destroy());
    assert.equal((await fetchError(testFetcher(), server.url())).code, "FETCH_DISCONNECTED");
    assert.equal(server.accepted, 1);
  });

  test("one that dies after the first byte of the answer is not replaced", async () => {
    await using server = await serveRaw((socket, _, nth) => {
      if (nth === 0) socket.write(HELLO);
      else socket.end("HTTP/1.1");
    });
    const fetcher = testFetcher();
    await fetchText(fetcher, server.url());
    assert.equal((await fetchError(fetcher, server.url())).code, "FETCH_DISCONNECTED");
    assert.equal(server.accepted, 1);
  });

  test("unexpected bytes close an idle connection", async () => {
    const sockets: { write(text: string): void }[] = [];
    await using server = await serveRaw((socket) => {
      sockets.push(socket);
      socket.write(HELLO);
    });
    const fetcher = testFetcher();
    await fetchText(fetcher, server.url());
    sockets[0]?.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil");
    await until(() => fetcher.connectionCount === 0);
    assert.equal((await fetchText(fetcher, server.url())).body, "hello");
    fetcher.close();
  });

  test("a server that speaks before it is asked on a used connection is not believed", async () => {
    const evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil";
    // The second answer comes with the first, so it was sent before anybody asked for it.
    await using server = await serveRaw((socket) => socket.write(HELLO + evil));
    const fetcher = testFetcher();
    for (let count = 0; count < 3; count++) {
      assert.equal((await fetchText(fetcher, server.url(`/${count}`))).body, "hello");
      assert.equal(fetcher.connectionCount, 0, "the connection is not used again");
    }
    assert.equal(server.accepted, 3);
  });
});

describe("connections are bounded", () => {
  test("hosts that hold their connections open push each other out, the oldest first", async () => {
    await using server = await serveRaw(hello);
    const fetcher = testFetcher({ connectionsMax: 1, idleConnectionsMax: 10 });
    const url = (host: number) => server.url().replace("host", `h${host}`);
    for (let host = 0; host < 50; host++) await fetchText(fetcher, url(host));
    assert.equal(fetcher.connectionCount, 10);
    await fetchText(fetcher, url(49));
    assert.equal(server.accepted, 50, "the newest was still there");
    await fetchText(fetcher, url(0));
    assert.equal(server.accepted, 51, "the oldest was not");
    fetcher.close();
    assert.equal(fetcher.connectionCount, 0);
  });

  test("the numbers of connections in use and of idle ones are limited", async () => {
    const waiting: { write(text: string): void }[] = [];
    let whenAll = (): void => {};
    await using server = await serveRaw((socket) => {
      waiting.push(socket);
      if (waiting.length === 4) whenAll();
    });
    const fetcher = testFetcher({ connectionsMax: 4, idleConnectionsMax: 3 });
    const urls = [0, 1, 2, 3, 4].map((host) => server.url().replace("host", `h${host}`));
    const allWait = new Promise<void>((resolve) => {
      whenAll = resolve;
    });
    const inUse = urls.slice(0, 4).map((url) => fetchText(fetcher, url));
    await allWait;
    assert.equal((await fetchError(fetcher, urls[4] as string)).code, "FETCH_NO_SOCKET");
    for (const one of waiting) one.write(HELLO);
    await Promise.all(inUse);
    assert.equal(fetcher.idleConnectionCount, 3);
    assert.equal(fetcher.connectionCount, 3);
    fetcher.close();
    assert.equal(fetcher.connectionCount, 0);
  });

  test("when all are in use, a fetch has failed for now", async () => {
    await using server = await serveRaw(() => {});
    const fetcher = testFetcher({ connectionsMax: 2 });
    const hanging = [1, 2].map((host) => fetchOnce(fetcher, server.url(`/${host}`)));
    const error = await fetchError(fetcher, server.url());
    assert.equal(error.code, "FETCH_NO_SOCKET");
    assert.equal(error.retry, "later");
    fetcher.close();
    const outcomes = await Promise.all(hanging);
    assert.deepEqual(outcomes, [{ kind: "cancelled" }, { kind: "cancelled" }]);
    assert.equal(fetcher.connectionCount, 0);
  });

  test("a thousand and more are open at once in one thread", async () => {
    const count = 1200;
    const waiting: { write(text: string): void }[] = [];
    await using server = await serveRaw((socket) => {
      waiting.push(socket);
      if (waiting.length === count) for (const one of waiting) one.write(HELLO);
    });
    const fetcher = testFetcher({ connectionsMax: count });
    const urls = Array.from({ length: count }, (_, n) => server.url().replace("host", `h${n}`));
    const pages = await Promise.all(urls.map((url) => fetchText(fetcher, url)));
    assert.ok(pages.every(({ body }) => body === "hello"));
    assert.equal(server.accepted, count);
    assert.equal(fetcher.idleConnectionCount, count);
    fetcher.close();
    assert.equal(fetcher.connectionCount, 0);
  });
});

describe("who may be connected to", () => {
  test("is asked for each new connection, with its address and port", async () => {
    await using server = await serveRaw(hello);
    const asked: string[] = [];
    const fetcher = testFetcher({
      mayConnect: (address, port) => {
        asked.push(`${address} ${port}`);
        return null;
      },
    });
    await fetchText(fetcher, server.url());
    await fetchText(fetcher, server.url());
    assert.deepEqual(asked, [`127.0.0.1 ${server.port}`]);
    fetcher.close();
  });

  test("a refusal is the outcome, and nothing is connected", async () => {
    await using server = await serveRaw(hello);
    const refusal = new CrawlError("FETCH_CONNECT_FAILED", "That address is private.");
    const fetcher = testFetcher({ mayConnect: () => refusal });
    assert.equal(await fetchError(fetcher, server.url()), refusal);
    assert.equal(server.accepted, 0);
    assert.equal(fetcher.connectionCount, 0);
  });

  for (const address of ["localhost", "host.test", "", "127.1", "0x7f000001", "[::1]"]) {
    test(`what is not an address is never resolved: ${JSON.stringify(address)}`, async () => {
      await using server = await serveRaw(hello);
      const error = await fetchError(testFetcher(), server.url(), { address });
      assert.equal(error.code, "FETCH_CONNECT_FAILED");
      assert.equal(server.accepted, 0);
    });
  }
});
