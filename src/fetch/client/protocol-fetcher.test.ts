import assert from "node:assert/strict";
import { test } from "node:test";
import { requestFor } from "../../../test/support/fetch/fetch-request.ts";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import type { Fetcher, FetchOutcome } from "../../base/seams/index.ts";
import { ProtocolFetcher } from "./protocol-fetcher.ts";

/** A fetcher that notes what it was asked for, and is cancelled at once. */
function noting(asked: string[], name: string): Fetcher {
  return {
    fetch: (request, fetched) => {
      asked.push(`${name} ${request.url}`);
      fetched({ kind: "cancelled" });
      return { cancel: () => undefined };
    },
  };
}

test("a request goes to the fetcher of its scheme", () => {
  const asked: string[] = [];
  const http = noting(asked, "web");
  const fetcher = new ProtocolFetcher(
    { http, https: http, file: noting(asked, "file") },
    new SimulatedTime(),
  );
  for (const url of ["http://a.example/", "https://a.example/", "file:///a"]) {
    fetcher.fetch(requestFor(url), () => undefined);
  }
  assert.deepEqual(asked, ["web http://a.example/", "web https://a.example/", "file file:///a"]);
});

for (const url of [
  "gopher://a.example/",
  "ftp://a.example/",
  "file:///a",
  "no url",
  "",
  "constructor:x",
]) {
  test(`${JSON.stringify(url)} without its module is an outcome, after the call`, () => {
    const time = new SimulatedTime();
    const fetcher = new ProtocolFetcher({ http: noting([], "web") }, time);
    const outcomes: FetchOutcome[] = [];
    fetcher.fetch(requestFor(url), (outcome) => outcomes.push(outcome));
    assert.equal(outcomes.length, 0);
    time.settle();
    const [outcome] = outcomes;
    assert.ok(outcome?.kind === "failed");
    assert.equal(outcome.error.code, "FETCH_SCHEME_REFUSED");
    assert.equal(outcome.error.retry, "never");
  });
}

test("what is refused can be cancelled, before and after", () => {
  const time = new SimulatedTime();
  const fetcher = new ProtocolFetcher({}, time);
  const outcomes: FetchOutcome[] = [];
  const inFlight = fetcher.fetch(requestFor("x:y"), (outcome) => outcomes.push(outcome));
  inFlight.cancel();
  time.settle();
  inFlight.cancel();
  assert.deepEqual(outcomes, [{ kind: "cancelled" }]);
});
