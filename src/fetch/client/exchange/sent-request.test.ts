/** What the outcome of a fetch says was sent, compared with what servers and proxies received. */
import assert from "node:assert/strict";
import { createSecureServer } from "node:http2";
import { describe, test } from "node:test";
import { createServer as createTlsServer, setDefaultCACertificates } from "node:tls";
import { CertificateAuthority } from "../../../../test/support/fetch/certificates.ts";
import { fetchText, testFetcher } from "../../../../test/support/fetch/http-fetching.ts";
import { startProxy } from "../../../../test/support/fetch/proxy-server.ts";
import { type Serve, serveRaw } from "../../../../test/support/fetch/raw-server.ts";
import type { Header } from "../../../base/seams/index.ts";

const authority = new CertificateAuthority();
const certificate = authority.issue({ host: "host.test" });
setDefaultCACertificates([authority.cert]);

const HEADERS: readonly Header[] = [
  ["User-Agent", "Trobar/test"],
  ["X-Odd", "caf\u00e9; a=b"],
];
const hello: Serve = (socket) =>
  socket.write("HTTP/1.1 200 OK\r\nSet-Cookie: sid=7\r\nContent-Length: 5\r\n\r\nhello");

describe("the outcome has the request that was sent", () => {
  test("byte for byte, by HTTP/1.1", async () => {
    await using server = await serveRaw(hello);
    const fetcher = testFetcher();
    const { request } = await fetchText(fetcher, server.url("/a?b=c"), { headers: HEADERS });
    assert.deepEqual(request, { head: server.requests[0], protocol: "http/1.1" });
    assert.match(request?.head ?? "", /^GET \/a\?b=c HTTP\/1\.1\r\nHost: host\.test:\d+\r\n/);
    fetcher.close();
  });

  test("with the cookies that the fetcher added", async () => {
    await using server = await serveRaw(hello);
    const fetcher = testFetcher({ cookies: true, keepAliveMs: 0 });
    await fetchText(fetcher, server.url());
    const { request } = await fetchText(fetcher, server.url());
    assert.match(request?.head ?? "", /\r\nConnection: close\r\n(?:.*\r\n)*Cookie: sid=7\r\n/);
    assert.equal(request?.head, server.requests[1]);
    fetcher.close();
  });

  test("as a proxy got it, with a mark for the password", async () => {
    await using server = await serveRaw(hello);
    await using proxy = await startProxy({ port: server.port, credentials: "me:secret" });
    const fetcher = testFetcher({ proxy: `http://me:secret@127.0.0.1:${proxy.port}` });
    const { request } = await fetchText(fetcher, "http://host.test/a", { headers: HEADERS });
    const [sent = ""] = proxy.requests;
    assert.match(sent, /^GET http:\/\/host\.test\/a HTTP/);
    const marked = sent.replace(/^(Proxy-Authorization: Basic ).*\r$/m, "$1[removed]\r");
    assert.notEqual(marked, sent);
    assert.equal(request?.head, marked);
    fetcher.close();
  });

  test("as the server behind a tunnel got it", async () => {
    const create = (accepted: Parameters<typeof createTlsServer>[1]) =>
      createTlsServer(certificate, accepted);
    await using server = await serveRaw(hello, { create, scheme: "https" });
    await using proxy = await startProxy({ port: server.port, credentials: "me:secret" });
    const fetcher = testFetcher({ proxy: `http://me:secret@127.0.0.1:${proxy.port}` });
    const { request } = await fetchText(fetcher, "https://host.test/a", { headers: HEADERS });
    assert.equal(request?.head, server.requests[0]);
    fetcher.close();
  });

  test("by HTTP/2, in the form of HTTP/1.1 with the names that were sent and no secret", async () => {
    const server = createSecureServer(certificate);
    let received: readonly string[] = [];
    server.on("stream", (stream, headers) => {
      const fields = Object.entries(headers).filter(([name]) => !name.startsWith(":"));
      received = fields.map(([name, value]) => `${name}: ${value}`);
      stream.respond({ ":status": 200 });
      stream.end("hello");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const credentials = [
      { host: "host.test", port: null, authorization: "Bearer s3cret", mayBeClear: false },
    ];
    const fetcher = testFetcher({ http2: true, credentials });
    const headers: readonly Header[] = [...HEADERS.slice(0, 1), ["X-Plain", "1"]];
    const { request } = await fetchText(fetcher, `https://host.test:${port}/a?b`, { headers });
    assert.equal(request?.protocol, "h2");
    assert.ok(received.includes("authorization: Bearer s3cret"));
    assert.deepEqual(request?.head.split("\r\n"), [
      "GET /a?b HTTP/1.1",
      `host: host.test:${port}`,
      ...received.map((field) => field.replace("s3cret", "[removed]")),
      "",
      "",
    ]);
    fetcher.close();
    await new Promise((resolve) => server.close(resolve));
  });
});
