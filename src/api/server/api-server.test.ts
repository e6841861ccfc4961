import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { configured } from "../../../test/support/rules/configured.ts";
import type { ControlledCrawl } from "../../agent/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { ApiServer } from "./api-server.ts";

const clock = new SystemClock();

test("where other machines can reach the API, a token of the user's own is needed", async () => {
  for (const host of ["0.0.0.0", "[::]", "192.0.2.1", "crawler.example.org"]) {
    const settings = { ...configured().api, host };
    await assert.rejects(ApiServer.listen({ settings, clock }), { code: "API_TOKEN_NEEDED" }, host);
  }
});

test("a reader of events that goes away is no longer told of any", async () => {
  const folder = mkdtempSync(join(tmpdir(), "trobar-api-"));
  const heard = Promise.withResolvers<void>();
  const listeners = new Set<unknown>();
  const control = {
    events: {
      listen: (listener: (event: object) => void) => {
        listeners.add(listener);
        listener({ kind: "status", data: { pages: 1 } });
        return () => {
          listeners.delete(listener);
          heard.resolve();
        };
      },
    },
    close: async () => undefined,
  } as unknown as ControlledCrawl;
  const server = await ApiServer.listen({ settings: configured().api, clock });
  try {
    server.serve(control, folder);
    const token = readFileSync(join(folder, "api.token"), "utf8").trim();
    const asking = request({
      ...{ host: "127.0.0.1", port: server.port, path: "/api/v1/events", agent: false },
      headers: { authorization: `Bearer ${token}` },
    }).end();
    const [response] = (await once(asking, "response")) as [IncomingMessage];
    const [bytes] = (await once(response, "data")) as [Buffer];
    assert.equal(String(bytes), 'event: status\ndata: {"pages":1}\n\n');
    assert.equal(listeners.size, 1);
    response.on("error", () => undefined);
    response.destroy();
    await heard.promise;
    assert.equal(listeners.size, 0);
  } finally {
    await server.close();
    assert.ok(!existsSync(join(folder, "api.token")), "its token ends with it");
    rmSync(folder, { recursive: true });
  }
});
