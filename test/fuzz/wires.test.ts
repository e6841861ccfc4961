/**
 * Damaged bytes on real sockets: answers of HTTP/1.1 and HTTP/2, handshakes of TLS, packets of DNS.
 * Each fetch and each question ends with an outcome, and nothing is left open. Time is moved by hand
 * where a peer leaves us waiting.
 */
import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { createServer, type Server, type Socket } from "node:net";
import { test } from "node:test";
import { createServer as createTlsServer, setDefaultCACertificates } from "node:tls";
import type { HttpFetcher } from "../../src/fetch/client/index.ts";
import { openResolver, type Resolution } from "../../src/fetch/dns/index.ts";
import { AddressPolicy } from "../../src/formats/address/index.ts";
import type { HostName } from "../../src/formats/url/index.ts";
import { CertificateAuthority } from "../support/fetch/certificates.ts";
import { describeOutcome, fetchOnce, testFetcher } from "../support/fetch/http-fetching.ts";
import { passUntil, timeByHand } from "../support/fetch/time-by-hand.ts";
import { casesOf } from "./fuzzing.ts";

const authority = new CertificateAuthority();
const certificate = authority.issue({ host: "host.test" });
setDefaultCACertificates([authority.cert]);

/** How many fetches are in flight at a time. */
const BATCH = 64;

test("every damaged answer of HTTP/1.1 ends its fetch", async () => {
  const cases = [...casesOf("http1", { usual: 400, full: 8000 })];
  await fetchAll(cases, {
    fetcher: testFetcher({ keepAliveMs: 0 }),
    server: createServer((socket) => answer(socket, cases)),
    url: (port, number) => `http://host.test:${port}/${number}`,
  });
});

test("every damaged session of HTTP/2 ends its fetch", async () => {
  const cases = [...casesOf("http2", { usual: 150, full: 3000 })];
  let next = 0;
  const server = createTlsServer({ ...certificate, ALPNProtocols: ["h2"] }, (socket) => {
    socket.on("error", () => socket.destroy());
    socket.resume();
    socket.end(cases[next % cases.length] ?? "");
    next += 1;
  });
  await fetchAll(cases, {
    fetcher: testFetcher({ http2: true, keepAliveMs: 0 }),
    server,
    url: (port, number) => `https://host.test:${port}/${number}`,
  });
});

test("every damaged handshake of TLS ends its fetch", async () => {
  const cases = [...casesOf("tls", { usual: 200, full: 4000 })];
  let next = 0;
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", () => {
      socket.end(cases[next % cases.length] ?? "");
      next += 1;
    });
  });
  await fetchAll(cases, {
    fetcher: testFetcher({ keepAliveMs: 0 }),
    server,
    url: (port, number) => `https://host.test:${port}/${number}`,
  });
});

test("every damaged packet of DNS ends its question", async () => {
  const cases = [...casesOf("dns", { usual: 200, full: 4000 })];
  const server = createSocket("udp4");
  let next = 0;
  server.on("message", (question, from) => {
    const packet = Buffer.from(cases[next % cases.length] ?? []);
    next += 1;
    // With its own number a packet is dropped unread.
    if (next % 8 !== 0) question.copy(packet, 0, 0, 2);
    server.send(packet, from.port, from.address);
  });
  await new Promise<void>((resolve) => server.bind(0, "127.0.0.1", resolve));
  const time = timeByHand();
  const resolver = openResolver({
    ...{ clock: time.clock, timeoutMs: 5000, cacheSize: 100 },
    policy: new AddressPolicy({ allow: [], block: [], ports: "any" }),
    servers: [`127.0.0.1:${server.address().port}`],
  });
  for (let from = 0; from < cases.length; from += BATCH) {
    const questions = cases.slice(from, from + BATCH).map(
      (_, at) =>
        new Promise<Resolution>((resolve) => {
          resolver.resolve(`host${from + at}.test` as HostName, resolve);
        }),
    );
    for (const { kind } of await passUntil(time, Promise.all(questions), { ms: 50 })) {
      assert.match(kind, /^(resolved|failed)$/);
    }
  }
  resolver.close();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

interface Wire {
  readonly fetcher: HttpFetcher;
  readonly server: Server;
  readonly url: (port: number, number: number) => string;
}

async function fetchAll(cases: readonly Buffer[], { fetcher, server, url }: Wire): Promise<void> {
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  for (let from = 0; from < cases.length; from += BATCH) {
    const numbers = cases.slice(from, from + BATCH).map((_, at) => from + at);
    const outcomes = await Promise.all(
      numbers.map((number) => fetchOnce(fetcher, url(port, number))),
    );
    for (const outcome of outcomes) {
      assert.notEqual(outcome.kind, "cancelled");
      if (outcome.kind === "fetched") outcome.body.release();
      else assert.match(describeOutcome(outcome), /^FETCH_/);
    }
  }
  assert.equal(fetcher.connectionCount, 0, "nothing is left open");
  fetcher.close();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

/** Answers with the case whose number is the path, and closes. */
function answer(socket: Socket, cases: readonly Buffer[]): void {
  socket.on("error", () => socket.destroy());
  socket.once("data", (request) => {
    const number = Number(/^GET \/(\d+) /.exec(request.toString("latin1"))?.[1]);
    socket.end(cases[number] ?? "");
  });
}
