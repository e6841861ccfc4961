import assert from "node:assert/strict";
import { createServer, type Socket } from "node:net";
import { describe, test } from "node:test";
import {
  createServer as createSecureServer,
  setDefaultCACertificates,
  type TLSSocket,
  type TlsOptions,
} from "node:tls";
import {
  type Certificate,
  CertificateAuthority,
} from "../../../../test/support/fetch/certificates.ts";
import {
  describeOutcome,
  fetchError,
  fetchOnce,
  fetchText,
  testFetcher,
} from "../../../../test/support/fetch/http-fetching.ts";
import { type RawServer, type Serve, serveRaw } from "../../../../test/support/fetch/raw-server.ts";
import { passUntil, timeByHand, until } from "../../../../test/support/fetch/time-by-hand.ts";

const authority = new CertificateAuthority();
const good = authority.issue({ host: "host.test" });
setDefaultCACertificates([authority.cert]);

const HELLO = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
const hello: Serve = (socket) => socket.write(HELLO);

function serveSecure(options: TlsOptions, serve: Serve = hello): Promise<RawServer> {
  const create = (accepted: Parameters<typeof createSecureServer>[1]) => {
    const server = createSecureServer(options, accepted);
    server.on("tlsClientError", () => {});
    return server;
  };
  return serveRaw(serve, { create, scheme: "https" });
}

let handshakesMore = 0;

/** Asks the client for a new handshake, and calls `asked` when the request for one has been sent. */
function renegotiate(socket: TLSSocket, asked: () => void): void {
  socket.renegotiate({ rejectUnauthorized: false }, () => {
    handshakesMore++;
  });
  setImmediate(asked);
}

describe("fetching under TLS", () => {
  test("a page comes from a server whose certificate verifies", async () => {
    const names: string[] = [];
    const options = {
      ...good,
      SNICallback: (name: string, done: (error: null) => void) => {
        names.push(name);
        done(null);
      },
    };
    await using server = await serveSecure(options);
    const fetcher = testFetcher();
    assert.equal((await fetchText(fetcher, server.url())).body, "hello");
    assert.equal((await fetchText(fetcher, server.url())).body, "hello");
    assert.equal(server.accepted, 1, "the connection was kept");
    assert.deepEqual(names, ["host.test"], "the host was named");
    fetcher.close();
  });

  test("a large page comes whole, in records", async () => {
    const body = "0123456789".repeat(50_000);
    await using server = await serveSecure(good, (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    });
    const fetcher = testFetcher();
    assert.equal((await fetchText(fetcher, server.url())).body, body);
    fetcher.close();
  });

  test("a body until the end of the connection is whole", async () => {
    await using server = await serveSecure(good, (socket) => {
      socket.end("HTTP/1.1 200 OK\r\n\r\nhello");
    });
    const { body, truncatedBy } = await fetchText(testFetcher(), server.url());
    assert.deepEqual([body, truncatedBy], ["hello", null]);
  });

  for (const host of [
    "x".repeat(300),
    "a_b.test",
    'a"b{c}.test',
    "127.0.0.1",
    "[::1]",
    "host.test.",
  ]) {
    test(`an unusual host ends in an outcome: ${host.slice(0, 20)}`, async () => {
      await using server = await serveSecure(good);
      const fetcher = testFetcher();
      const outcome = await fetchOnce(fetcher, `https://${host}:${server.port}/`);
      const isGood = host === "host.test.";
      assert.match(describeOutcome(outcome), isGood ? /^200 / : /^FETCH_(TLS|CONNECT)_/);
      fetcher.close();
    });
  }

  test("a chain of certificates without end is not read to its end", async () => {
    const cert = good.cert + authority.cert.repeat(500);
    await using server = await serveSecure({ cert, key: good.key });
    const fetcher = testFetcher();
    assert.match((await fetchError(fetcher, server.url())).code, /^FETCH_TLS_FAILED$/);
    assert.equal(fetcher.connectionCount, 0);
  });

  const moments: readonly [string, (socket: TLSSocket) => void][] = [
    ["before its answer", (socket) => renegotiate(socket, () => socket.write(HELLO))],
    [
      "in the middle of a body",
      (socket) => {
        socket.write(HELLO.slice(0, -2));
        renegotiate(socket, () => socket.write("lo"));
      },
    ],
    [
      "when the connection is idle",
      (socket) => {
        socket.write(HELLO);
        renegotiate(socket, () => undefined);
      },
    ],
  ];
  for (const [moment, serve] of moments) {
    test(`a TLS 1.2 server that wants to renegotiate ${moment} is not followed`, async () => {
      const options: TlsOptions = { ...good, maxVersion: "TLSv1.2" };
      await using server = await serveSecure(options, (socket) => serve(socket as TLSSocket));
      const fetcher = testFetcher();
      handshakesMore = 0;
      for (let count = 0; count < 3; count++) {
        const outcome = await fetchOnce(fetcher, server.url());
        // OpenSSL's servers take the refusal for the end of the connection.
        assert.match(describeOutcome(outcome), /^(200 |FETCH_(TLS_FAILED|DISCONNECTED))/);
      }
      assert.equal(handshakesMore, 0);
      await using honest = await serveSecure(good);
      assert.equal((await fetchText(fetcher, honest.url())).body, "hello");
      fetcher.close();
    });
  }

  const other = new CertificateAuthority("Somebody Else");
  const bad: readonly [string, Certificate, string][] = [
    ["expired", authority.issue({ host: "host.test", toYear: 2021 }), "CERT_HAS_EXPIRED"],
    ["not yet valid", authority.issue({ host: "host.test", fromYear: 2048 }), "CERT_NOT_YET_VALID"],
    ["for another host", authority.issue({ host: "other.test" }), "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["self-signed", CertificateAuthority.selfSigned("host.test"), "DEPTH_ZERO_SELF_SIGNED_CERT"],
    [
      "signed by nobody known",
      other.issue({ host: "host.test" }),
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    ],
  ];
  for (const [name, certificate, reason] of bad) {
    test(`a certificate that is ${name} is refused, unless told otherwise`, async () => {
      await using server = await serveSecure(certificate);
      const error = await fetchError(testFetcher(), server.url());
      assert.equal(error.code, "FETCH_TLS_CERTIFICATE");
      assert.equal(error.facts["reason"], reason);
      assert.equal(error.retry, "never");
      assert.equal(server.requests.length, 0, "nothing was sent");
      const insecure = testFetcher({ insecure: true });
      assert.equal((await fetchText(insecure, server.url())).body, "hello");
      insecure.close();
    });
  }

  test("where certificates are not verified, no other failure is called one of theirs", async () => {
    const raws: Socket[] = [];
    const create = (accepted: Parameters<typeof createSecureServer>[1]) => {
      const server = createSecureServer(CertificateAuthority.selfSigned("host.test"), accepted);
      server.on("connection", (raw: Socket) => raws.push(raw));
      return server;
    };
    const garble: Serve = () => raws.at(-1)?.write("this is no record of TLS");
    await using server = await serveRaw(garble, { create, scheme: "https" });
    const error = await fetchError(testFetcher({ insecure: true }), server.url());
    assert.equal(error.code, "FETCH_TLS_FAILED");
    assert.notEqual(error.retry, "never");
  });
});

describe("servers that do not speak TLS", () => {
  const answers: readonly [string, string, RegExp][] = [
    ["HTTP in the clear", "HTTP/1.1 400 Bad Request\r\n\r\n", /^FETCH_TLS_FAILED$/],
    ["garbage", "\xff\xfe garbage, and more of it than a record's head", /^FETCH_TLS_FAILED$/],
    ["an alert", "\x15\x03\x01\x00\x02\x02\x28", /^FETCH_TLS_FAILED$/],
    ["a record beyond bounds", "\x16\x03\x03\xff\xff".padEnd(100, "x"), /^FETCH_TLS_FAILED$/],
    ["a handshake that breaks off", "\x16\x03\x03\x00\x40\x02", /^FETCH_CONNECT_FAILED$/],
    ["silence and the end", "", /^FETCH_CONNECT_FAILED$/],
  ];
  for (const [name, bytes, code] of answers) {
    test(`${name}: a failure and nothing worse`, async () => {
      await using server = await serveRaw(() => {}, {
        create: (accepted) =>
          createServer((socket) => {
            accepted(socket);
            socket.once("data", () => socket.end(bytes, "latin1"));
          }),
        scheme: "https",
      });
      const fetcher = testFetcher();
      assert.match((await fetchError(fetcher, server.url())).code, code);
      assert.equal(fetcher.connectionCount, 0);
    });
  }

  test("a handshake that never ends is over by the connect limit", async () => {
    await using server = await serveRaw(() => {}, { scheme: "https" });
    const time = timeByHand();
    const limits = { connectTimeoutMs: 60 };
    const failed = fetchError(testFetcher({ clock: time.clock }), server.url(), { limits });
    await until(() => server.accepted === 1);
    const error = await passUntil(time, failed, { ms: 60 });
    assert.equal(error.code, "FETCH_TIMED_OUT");
    assert.equal(error.facts["limit"], "connect");
  });
});
