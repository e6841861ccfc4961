import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { RecordedTerminal } from "../../../test/support/cli/recorded-terminal.ts";
import { stop } from "./steer.ts";

/** What `trobar stop` with these flags sends to a crawl, which ends at once. */
async function orderOf(...flags: readonly string[]): Promise<unknown> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += String(piece);
    if (request.method === "POST") {
      bodies.push(body);
      server.close();
    }
    const summary = { state: "stopped", pages: 3, queued: 0, status: "ok" };
    response.writeHead(200, { "Content-Type": "application/json", Connection: "close" });
    response.end(JSON.stringify(summary));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const terminal = new RecordedTerminal();
  const code = await stop([...flags, "--api", `http://127.0.0.1:${port}`], terminal);
  assert.equal(code, 0, terminal.said);
  assert.match(terminal.written, /stopped after 3 pages, nothing is queued/);
  assert.equal(bodies.length, 1);
  return JSON.parse(bodies[0] ?? "");
}

test("a stop lets fetches in flight end, unless it is to be now", async () => {
  assert.deepEqual(await orderOf(), { action: "stop" });
  assert.deepEqual(await orderOf("--now"), { action: "stop", immediate: true });
});
