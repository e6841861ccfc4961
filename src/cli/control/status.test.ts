import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { RecordedTerminal } from "../../../test/support/cli/recorded-terminal.ts";
import { hosts } from "./hosts.ts";
import { rateOf, status } from "./status.ts";

const HOSTILE = "\u001b]0;title\u0007\u001b[2J\u009b31m\u202e\r\nforged";

/** What a program answers that only pretends to be a crawl. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  "/api/v1/health": { status: "ok" },
  "/api/v1/status": {
    ...{ state: HOSTILE, reason: HOSTILE, pages: 1, fetches: 1, urls: 1, queued: 0, bytes: 1 },
    ...{ seconds: 1, pagesPerSecond: 1, status: { [HOSTILE]: 1 }, errors: { [HOSTILE]: 1 } },
    ...{ refused: { [HOSTILE]: 1 }, idle: { [HOSTILE]: 1 }, memory: {}, hosts: 1, duplicates: 0 },
    ...{ nearDuplicates: 0, politeRate: null, limit: HOSTILE, failedSeeds: [HOSTILE] },
  },
  "/api/v1/hosts?limit=50": {
    hosts: [{ host: HOSTILE, state: HOSTILE, pages: 1, queued: 1, delayMs: 1, end: HOSTILE }],
    cursor: HOSTILE,
  },
};

test("nothing that answers in place of a crawl acts on the terminal", async () => {
  const server = createServer((request, response) => {
    response.end(JSON.stringify(ANSWERS[request.url ?? ""] ?? null));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const command of [status, hosts]) {
      const terminal = new RecordedTerminal();
      assert.equal(await command(["--api", api], terminal), 0);
      assert.match(terminal.written, /\\x1b/);
      assert.match(terminal.written, /^[\x20-\x7e·…\n]+$/);
      assert.ok(!terminal.written.split("\n").some((line) => line.startsWith("forged")));
    }
  } finally {
    server.close();
  }
});

test("what is left of a limit is told from what politeness allows, where that is less than the mean", () => {
  const steady = (politeRate: number | null) => rateOf({ pagesPerSecond: 9.6, politeRate }).steady;
  assert.deepEqual([steady(0.6), steady(50), steady(null)], [0.6, 9.6, 9.6]);
  assert.equal(rateOf({ pagesPerSecond: 9.6, politeRate: 0.6 }).pagesPerSecond, 9.6);
});
