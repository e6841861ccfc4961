import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createServer as createSecureServer, setDefaultCACertificates } from "node:tls";
import { CertificateAuthority } from "../../../../test/support/fetch/certificates.ts";
import {
  fetchError,
  fetchText,
  testFetcher,
} from "../../../../test/support/fetch/http-fetching.ts";
import { startProxy } from "../../../../test/support/fetch/proxy-server.ts";
import { type RawServer, type Serve, serveRaw } from "../../../../test/support/fetch/raw-server.ts";
import { passUntil, timeByHand, until } from "../../../../test/support/fetch/time-by-hand.ts";
import { CrawlError } from "../../../base/errors/index.ts";

const authority = new CertificateAuthority();
const certificate = authority.issue({ host: "host.test" });
setDefaultCACertificates([authority.cert]);

const hello: Serve = (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");

function serveSecure(): Promise<RawServer> {
  const create = (accepted: Parameters<typeof createSecureServer>[1]) =>
    createSecureServer(certificate, accepted);
  return serveRaw(hello, { create, scheme: "https" });
}

function through(proxy: { readonly port: number }, user = "") {
  return testFetcher({ proxy: `http://${user}127.0.0.1:${proxy.port}` });
}

describe("fetching through a proxy", () => {
  test("in the clear the proxy is asked with the whole URL, and the host is named", async () => {
    await using server = await serveRaw(hello);
    await using proxy = await startProxy({ port: server.port });
    const fetcher = through(proxy);
    assert.equal((await fetchText(fetcher, "http://host.test/a?b")).body, "hello");
    const [line, host] = (proxy.requests[0] ?? "").split("\r\n");
    assert.equal(line, "GET http://host.test/a?b HTTP/1.1");
    assert.equal(host, "Host: host.test");
    fetcher.close();
  });

  test("under TLS a tunnel leads to the server, and is kept for the next fetch", async () => {
    await using server = await serveSecure();
    await using proxy = await startProxy({ port: server.port });
    const fetcher = through(proxy);
    assert.equal((await fetchText(fetcher, "https://host.test/")).body, "hello");
    assert.equal((await fetchText(fetcher, "https://host.test/")).body, "hello");
    assert.match(proxy.requests[0] ?? "", /^CONNECT host\.test:443 HTTP\/1\.1\r\nHost: host/);
    assert.equal(proxy.accepted, 1);
    assert.equal(server.requests.length, 2);
    fetcher.close();
  });

  test("a large page comes whole through a tunnel", async () => {
    const body = "0123456789".repeat(40_000);
    const create = (accepted: Parameters<typeof createSecureServer>[1]) =>
      createSecureServer(certificate, accepted);
    await using server = await serveRaw((socket) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${body}`), {
      create,
    });
    await using proxy = await startProxy({ port: server.port });
    assert.equal((await fetchText(through(proxy), "https://host.test/")).body, body);
  });

  test("the server's certificate is verified through the tunnel", async () => {
    await using server = await serveSecure();
    await using proxy = await startProxy({ port: server.port });
    const error = await fetchError(through(proxy), "https://other.test/");
    assert.equal(error.code, "FETCH_TLS_CERTIFICATE");
  });

  test("a proxy can itself be reached under TLS", async () => {
    await using server = await serveSecure();
    const create = (accepted: Parameters<typeof createSecureServer>[1]) =>
      createSecureServer(authority.issue({ host: "localhost" }), accepted);
    await using proxy = await startProxy({ port: server.port, create });
    const fetcher = testFetcher({ proxy: `https://localhost:${proxy.port}` });
    assert.equal((await fetchText(fetcher, "https://host.test/")).body, "hello");
    fetcher.close();
  });

  test("user and password go to the proxy only", async () => {
    await using server = await serveSecure();
    await using proxy = await startProxy({ port: server.port, credentials: "me:s@cret" });
    const fetcher = through(proxy, "me:s%40cret@");
    assert.equal((await fetchText(fetcher, "https://host.test/")).body, "hello");
    assert.match(proxy.requests[0] ?? "", /Proxy-Authorization: Basic /);
    assert.doesNotMatch(server.requests[0] ?? "", /authorization/i);
    fetcher.close();
  });

  for (const url of ["http://host.test/", "https://host.test/"]) {
    test(`a proxy that wants other credentials is not a page: ${url}`, async () => {
      await using proxy = await startProxy({ port: 1, credentials: "me:secret" });
      const error = await fetchError(through(proxy, "me:wrong@"), url);
      assert.equal(error.code, "FETCH_PROXY_REFUSED");
      assert.equal(error.facts["status"], 407);
      assert.doesNotMatch(error.message, /wrong/);
    });
  }

  test("the address of the proxy is the user's choice and is not checked", async () => {
    await using server = await serveRaw(hello);
    await using proxy = await startProxy({ port: server.port });
    const refusal = new CrawlError("FETCH_CONNECT_FAILED", "never");
    const options = { proxy: `http://127.0.0.1:${proxy.port}`, mayConnect: () => refusal };
    const fetcher = testFetcher(options);
    assert.equal((await fetchText(fetcher, "http://host.test/")).body, "hello");
    fetcher.close();
  });
});

describe("proxies that fail", () => {
  const answers: readonly [string, string, string][] = [
    ["nonsense", "SSH-2.0\r\n", "FETCH_PROXY_FAILED"],
    ["502", "HTTP/1.1 502 Bad Gateway\r\n\r\n", "FETCH_PROXY_FAILED"],
    ["403", "HTTP/1.1 403 Forbidden\r\n\r\n", "FETCH_PROXY_REFUSED"],
    ["bytes behind the head", "HTTP/1.1 200 OK\r\n\r\n\x16\x03", "FETCH_PROXY_FAILED"],
    ["the end", "", "FETCH_PROXY_FAILED"],
    ["a head that breaks off", "HTTP/1.1 200", "FETCH_PROXY_FAILED"],
  ];
  for (const [name, bytes, code] of answers) {
    test(`${name} in answer to CONNECT`, async () => {
      await using proxy = await serveRaw((socket) => socket.end(bytes, "latin1"));
      const fetcher = through(proxy);
      assert.equal((await fetchError(fetcher, "https://host.test/")).code, code);
      assert.equal(fetcher.connectionCount, 0);
    });
  }

  test("a proxy that is not there", async () => {
    const proxy = await serveRaw(() => {});
    await proxy[Symbol.asyncDispose]();
    const error = await fetchError(through(proxy, "me:secret@"), "https://host.test/");
    assert.equal(error.code, "FETCH_PROXY_FAILED");
    assert.equal(error.retry, "later");
    const named = `Could not fetch https://host.test/ through the proxy 127.0.0.1:${proxy.port}: `;
    assert.ok(error.message.startsWith(named), error.message);
    assert.doesNotMatch(error.message, /secret/);
  });

  test("a proxy that never answers is over by the connect limit", async () => {
    await using proxy = await serveRaw(() => {});
    const time = timeByHand();
    const limits = { connectTimeoutMs: 60 };
    const options = { proxy: `http://127.0.0.1:${proxy.port}`, clock: time.clock };
    const failed = fetchError(testFetcher(options), "https://host.test/", { limits });
    await until(() => proxy.requests.length === 1);
    const error = await passUntil(time, failed, { ms: 60 });
    assert.equal(error.code, "FETCH_TIMED_OUT");
    assert.equal(error.facts["limit"], "connect");
  });
});
