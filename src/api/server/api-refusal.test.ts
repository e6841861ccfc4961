import assert from "node:assert/strict";
import { test } from "node:test";
import { CrawlError, type ErrorCode } from "../../base/errors/index.ts";
import { asCrawlError, refusalOf } from "./api-refusal.ts";

test("the status says whose fault it is, and whether to ask again", () => {
  const expected: Partial<Record<ErrorCode, number>> = {
    ...{ API_BAD_REQUEST: 400, FILTER_INVALID: 400, CONFIG_BAD_VALUE: 400, API_UNAUTHORIZED: 401 },
    ...{ API_FORBIDDEN: 403, API_BAD_ORIGIN: 403, API_NOT_FOUND: 404, CONTROL_NOT_FOUND: 404 },
    ...{ API_METHOD_NOT_ALLOWED: 405, API_TIMEOUT: 408, API_BODY_TOO_LARGE: 413 },
    ...{ API_MEDIA_TYPE: 415, API_BAD_HOST: 421, API_TOO_MANY_TRIES: 429 },
    // Right, but not for the crawl as it is now.
    ...{ CONTROL_OVER: 409, CONFIG_FIXED_KEY: 409, TOPOLOGY_REFUSED: 409 },
    ...{ INTERNAL_API: 500, STORE_RECORD_DAMAGED: 500, BACKGROUND_TASK_FAILED: 500 },
    ...{ API_NOT_READY: 503, CONTROL_BUSY: 503, DIRECTORY_FAILED: 503, BACKGROUND_CLOSED: 503 },
  };
  for (const [code, status] of Object.entries(expected)) {
    const refusal = refusalOf(new CrawlError(code as ErrorCode, "It cannot be done."));
    assert.equal(refusal.status, status, code);
    assert.equal(refusal.body.error.code, code);
    assert.equal(refusal.body.error.message, "It cannot be done.");
  }
});

test("what is thrown by mistake is a fault of ours, with the request that led to it", () => {
  const fault = asCrawlError(new TypeError("x is undefined"), "GET /api/v1/status");
  assert.equal(fault.code, "INTERNAL_API");
  assert.match(fault.message, /GET \/api\/v1\/status/);
  const known = new CrawlError("CONTROL_OVER", "It is over.");
  assert.equal(asCrawlError(known, "POST /api/v1/control"), known);
});
