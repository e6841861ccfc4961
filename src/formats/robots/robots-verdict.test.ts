import assert from "node:assert/strict";
import { test } from "node:test";
import { ROBOTS_REDIRECTS_MAX, type RobotsVerdict, robotsVerdict } from "./index.ts";

test("the answer to robots.txt means what RFC 9309 says", () => {
  const cases: [statuses: number[], verdict: RobotsVerdict][] = [
    [[200, 203, 204, 299], "parse"],
    [[304], "unchanged"],
    [[300, 301, 302, 307, 308, 399], "allow-all"],
    [[400, 401, 403, 404, 410, 418, 451, 499], "allow-all"],
    [[206, 429], "unreachable"],
    [[500, 502, 503, 504, 599], "unreachable"],
    [[0, 100, 199, 600, 999, -1, Number.NaN], "unreachable"],
  ];
  for (const [statuses, verdict] of cases) {
    for (const status of statuses) {
      assert.equal(robotsVerdict({ kind: "answered", status }), verdict, String(status));
    }
  }
});

test("the five redirects that the RFC asks for are followed", () => {
  assert.equal(ROBOTS_REDIRECTS_MAX, 5);
});

test("too many redirects mean that there is no file, a failure that nothing may be fetched", () => {
  assert.equal(robotsVerdict({ kind: "redirected-too-often" }), "allow-all");
  assert.equal(robotsVerdict({ kind: "failed" }), "unreachable");
});
