import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../../test/support/lab/simulated-world.ts";
import { smallWeb } from "../../../../test/support/lab/small-web.ts";
import { SeededRandom } from "../../../base/random/index.ts";
import type { FetchLimits, FetchOutcome } from "../../../base/seams/index.ts";
import type { GeneratedWeb } from "../index.ts";
import type { Role } from "../model/role.ts";
import type { Oddity } from "../web/synthetic-web.ts";
import { responseScript } from "./response-script.ts";
import { SimWebFetcher, WebTries } from "./sim-web-fetcher.ts";

const LIMITS: FetchLimits = {
  connectTimeoutMs: 10_000,
  headerTimeoutMs: 20_000,
  idleTimeoutMs: 20_000,
  totalTimeoutMs: 120_000,
  bytesPerSecondMin: 500,
  headerBytesMax: 64 * 1024,
  bodyBytesMax: 1024 * 1024,
};

interface Ended {
  readonly outcome: FetchOutcome;
  readonly atMs: number;
}

function fetchAll(web: GeneratedWeb, urls: readonly string[], tries = new WebTries()): Ended[] {
  const clock = new SimulatedTime();
  const random = new SeededRandom("fetches");
  const fetcher = new SimWebFetcher({ web, clock, random, tries, latencyMsMax: 0 });
  const ended: Ended[] = [];
  urls.forEach((url, index) => {
    const address = web.hostNamed(new URL(url).hostname)?.addresses[0] ?? "127.0.0.1";
    fetcher.fetch({ url, address, headers: [], limits: LIMITS }, (outcome) => {
      assert.equal(ended[index], undefined, "one outcome for each fetch");
      ended[index] = { outcome, atMs: clock.nowMs() };
    });
  });
  clock.settle();
  return ended;
}

const WEB = smallWeb("hostile", "fetcher", { hosts: { count: 6, pages: 6000, slow: 0, dead: 0 } });

function urlOf(role: Role): string {
  const { hosts, slots } = WEB.model;
  for (let host = 0; host < hosts.count; host += 1) {
    for (let slot = 0; slot < hosts.size(host); slot += 1) {
      if (slots.role(hosts.contentOf(host), slot) === role) return WEB.model.url(host, slot);
    }
  }
  return assert.fail(`no URL of the role ${role}`);
}

test("a page comes as the web serves it, at once", () => {
  const [ended] = fetchAll(WEB, [urlOf("page")]);
  assert.ok(ended?.outcome.kind === "fetched");
  const { hostname, pathname, search } = new URL(urlOf("page"));
  const request = { host: hostname, method: "GET", headers: [], earlierTries: 0 };
  const served = WEB.respond({ ...request, target: pathname + search });
  assert.ok(Buffer.compare(ended.outcome.body.bytes ?? Buffer.alloc(0), served.body) === 0);
  assert.deepEqual([ended.outcome.status, ended.outcome.truncatedBy, ended.atMs], [200, null, 0]);
});

const ENDINGS: Readonly<Record<Oddity, string>> = {
  "reset-before-head": "FETCH_DISCONNECTED",
  "close-before-head": "FETCH_DISCONNECTED",
  "close-mid-body": "200 disconnect",
  "length-too-large": "200 disconnect",
  "length-too-small": "200 null",
  chunked: "200 null",
  "chunked-broken": "200 disconnect",
  "no-length-close": "200 null",
  "endless-body": "200 length",
  "stall-mid-body": "200 time",
  "huge-header": "FETCH_PROTOCOL",
  garbage: "FETCH_PROTOCOL",
  "http-0.9": "FETCH_PROTOCOL",
  "many-interim": "200 null",
  "folded-header": "200 null",
  "bare-newlines": "200 null",
};

for (const [oddity, ending] of Object.entries(ENDINGS)) {
  test(`a fetch that meets ${oddity} ends as ${ending}`, () => {
    const role = oddity === "reset-before-head" ? "reset-for-good" : (oddity as Role);
    const [ended] = fetchAll(WEB, [urlOf(role)]);
    const outcome = ended?.outcome;
    const told =
      outcome?.kind === "fetched"
        ? `${outcome.status} ${outcome.truncatedBy}`
        : outcome?.kind === "failed"
          ? outcome.error.code
          : "cancelled";
    assert.equal(told, ending);
  });
}

test("temporary errors pass after a few tries, whichever client made them", () => {
  const tries = new WebTries();
  const url = urlOf("throttled");
  const statuses = Array.from({ length: 4 }, () => {
    const [ended] = fetchAll(WEB, [url], tries);
    return ended?.outcome.kind === "fetched" ? ended.outcome.status : 0;
  });
  assert.ok([429, 503].includes(statuses[0] ?? 0));
  assert.equal(statuses[3], 200);
});

test("a slow host thinks and sends in virtual time", () => {
  const slow = { slow: 1, slowDelay: 60_000, slowRate: 1000, count: 3, pages: 30 };
  const web = smallWeb("plain", "slow", { hosts: slow });
  const [ended] = fetchAll(web, [web.model.url(0, 1)]);
  assert.ok(ended?.outcome.kind === "fetched" || ended?.outcome.kind === "failed");
  const { hostname, pathname } = new URL(web.model.url(0, 1));
  const request = { host: hostname, method: "GET", headers: [], earlierTries: 0 };
  const { delayMs, bytesPerSecond, body } = web.respond({ ...request, target: pathname });
  const expectedMs = delayMs + (body.length / bytesPerSecond) * 1000;
  const isCut = delayMs > LIMITS.headerTimeoutMs;
  assert.ok(Math.abs(ended.atMs - (isCut ? LIMITS.headerTimeoutMs : expectedMs)) < 2);
});

test("nothing answers at an address that is not the host's", () => {
  const clock = new SimulatedTime();
  const fetcher = new SimWebFetcher({ web: WEB, clock, random: new SeededRandom("x") });
  const outcomes: FetchOutcome[] = [];
  for (const url of [WEB.model.url(0, 0), "http://elsewhere.test/"]) {
    const request = { url, address: "127.0.0.99", headers: [], limits: LIMITS };
    fetcher.fetch(request, (outcome) => outcomes.push(outcome));
  }
  clock.settle();
  for (const outcome of outcomes) {
    assert.ok(outcome.kind === "failed" && outcome.error.code === "FETCH_CONNECT_FAILED");
  }
  assert.equal(outcomes.length, 2);
});

test("every URL of a hostile web ends with one outcome, the same at every run", () => {
  const web = smallWeb("hostile", "all", { hosts: { slow: 0.5 } });
  const { hosts } = web.model;
  const urls = Array.from({ length: hosts.count }, (_, host) =>
    Array.from({ length: hosts.size(host) }, (_slot, slot) => web.model.url(host, slot)),
  ).flat();
  const [one, other] = [fetchAll(web, urls), fetchAll(web, urls)];
  assert.equal(one.filter((ended) => ended !== undefined).length, urls.length);
  assert.deepEqual(other, one);
});

test("a slow body comes in few pieces, however long it is", () => {
  const body = new Uint8Array(1_000_000);
  const { steps } = responseScript({
    status: 200,
    reason: "OK",
    headers: [],
    body,
    delayMs: 5,
    bytesPerSecond: 10,
    oddity: null,
  });
  assert.ok(steps.length < 200);
  const waits = steps.map((step) => (step.do === "wait" ? step.forMs : 0));
  assert.ok(Math.abs(waits.reduce((sum, one) => sum + one, 0) - 100_000_005) < 1);
});
