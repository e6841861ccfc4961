import assert from "node:assert/strict";
import { test } from "node:test";
import type { CrawlSummary } from "../../agent/index.ts";
import { ERRORS, type ErrorCode } from "../../base/errors/index.ts";
import { exitCode } from "../crawl/crawl-end.ts";
import { EXIT, EXIT_MEANINGS, exitCodeOf } from "./exit-code.ts";

test("each end of a crawl has its exit code", () => {
  for (const [state, reason, pages, code] of [
    ["finished", "exhausted", 1, 0],
    ["finished", "exhausted", 0, 5],
    // A limit may be reached before the first page: that is what was asked for.
    ["finished", "limit", 0, 0],
    ["finished", "limit", 9, 0],
    ["stopped", "signal", 9, 130],
    ["stopped", "reader", 9, 130],
    ["stopped", "disk", 9, 4],
    ["stopped", "failure", 9, 1],
  ] as const) {
    const summary = { state, reason, pages, failedSeeds: [] } as unknown as CrawlSummary;
    assert.equal(exitCode(summary), code, `${reason} with ${pages} pages`);
  }
});

test("a limit reached after seeds failed and nothing was fetched is not a success", () => {
  const failedSeeds = [{ url: "http://a.test/", why: "DNS_TIMED_OUT", message: "", remedy: "" }];
  const ended = (pages: number, reason: string) =>
    exitCode({ state: "finished", reason, pages, failedSeeds } as unknown as CrawlSummary);
  assert.deepEqual([ended(0, "limit"), ended(1, "limit"), ended(0, "signal")], [5, 0, 130]);
});

test("every error that ends a command has a code that is documented", () => {
  const documented = new Set(EXIT_MEANINGS.map(([code]) => code));
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    assert.ok(documented.has(exitCodeOf(code)), code);
  }
  assert.deepEqual(
    (["CONFIG_BAD_VALUE", "DIRECTORY_IN_USE", "DIRECTORY_FOREIGN", "STORE_FULL"] as const).map(
      (code) => exitCodeOf(code),
    ),
    [EXIT.usage, EXIT.inUse, EXIT.usage, EXIT.disk],
  );
  assert.deepEqual([exitCodeOf("PAGES_FULL"), exitCodeOf("DIRECTORY_DAMAGED")], [4, 4]);
  for (const code of [
    "DATABASE_CORRUPT",
    "LINKS_DAMAGED",
    "RUN_DAMAGED",
    "TEXTS_DAMAGED",
  ] as const) {
    assert.equal(exitCodeOf(code), EXIT.disk, code);
  }
});

test("a command that reaches no crawl ends with 6, one that is refused by it with 2", () => {
  const codes: Partial<Record<ErrorCode, number>> = {
    ...{ CONTROL_NOT_FOUND: 6, CONTROL_NOT_RUNNING: 6, CONTROL_UNREACHABLE: 6 },
    ...{ TOPOLOGY_REFUSED: 2, CONFIG_FIXED_KEY: 2, FILTER_INVALID: 2, API_UNAUTHORIZED: 2 },
    ...{ DIRECTORY_IN_USE: 3, CHECKPOINT_MISSING: 4, CHECKPOINT_DAMAGED: 4, DIRECTORY_FAILED: 4 },
    ...{ DIRECTORY_MISSING: 2, INTERNAL_LANE: 1 },
    ...{ CLUSTER_ID_IN_USE: 3, CLUSTER_CAPACITY_FIXED: 2, CLUSTER_STATE_DAMAGED: 4 },
    CLUSTER_STATE_VERSION: 4,
    ...{ CLUSTER_SERVER_MISSING: 2, CLUSTER_TOKEN_INVALID: 2, CLUSTER_MESH_FAILED: 1 },
    ...{ CONTROL_ALONE: 2, CLUSTER_FORGET_REFUSED: 2, CLUSTER_UNMET: 130 },
    ...{
      CLUSTER_WHOLE_CRAWL: 2,
      CLUSTER_PART_CRAWL: 2,
      CLUSTER_REBUILD_REFUSED: 2,
      CONFIG_SHARED_KEY: 2,
      CONFIG_AGENT_KEY: 2,
    },
    ...{ TRANSPORT_LOGIN_REFUSED: 2, TRANSPORT_CONNECT_FAILED: 1 },
    ...{ CLUSTER_TOKEN_REFUSED: 2, CLUSTER_PEER_INVALID: 2, CLUSTER_PORT_IN_USE: 2 },
  };
  for (const [code, exit] of Object.entries(codes)) {
    assert.equal(exitCodeOf(code as ErrorCode), exit, code);
  }
});
