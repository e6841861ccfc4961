import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { CertificateAuthority } from "../../../test/support/fetch/certificates.ts";
import { HttpListener } from "./http-listener.ts";

const PLACE = { host: "127.0.0.1", port: "auto", tls: null } as const;

/** Connections that begin a request, or say nothing, and never read. */
async function silent(port: number, count: number, said = ""): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(port, "127.0.0.1"));
  for (const socket of sockets) socket.on("error", () => undefined);
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  for (const socket of sockets) socket.write(said);
  return sockets;
}

test("callers that hold connections and say nothing keep nobody out", async () => {
  const listener = await HttpListener.open(PLACE, (request, response) => {
    listener.trust(request);
    response.end("served");
  });
  const strangers = await silent(listener.port, 100, "GET /api/v1/status HTTP/1.1\r\n");
  for (let round = 0; round < 3; round += 1) {
    const asked = get({ host: "127.0.0.1", port: listener.port, agent: false });
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    assert.equal(String((await answer.toArray()).join("")), "served");
  }
  await listener.close();
  for (const socket of strangers) socket.destroy();
});

test("a connection that never begins TLS does not hold up the end", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "trobar-listener-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const { cert, key } = CertificateAuthority.selfSigned("localhost");
  const tls = { cert: join(folder, "cert"), key: join(folder, "key") };
  writeFileSync(tls.cert, cert);
  writeFileSync(tls.key, key);
  const listener = await HttpListener.open({ ...PLACE, tls }, () => undefined);
  const sockets = await silent(listener.port, 3);
  await listener.close();
  for (const socket of sockets) socket.destroy();
});
