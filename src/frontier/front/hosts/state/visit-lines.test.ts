/** Who is resolved first when name servers keep silent. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openToyCrawl } from "../../../../../test/support/frontier/toy-crawl.ts";
import type { ResolveErrand } from "../../frontier.ts";
import type { FrontierSettings } from "../../frontier-settings.ts";

const SLOTS = 20;

/** A frontier whose errands the test takes itself. */
function rig(settings: Partial<FrontierSettings>) {
  const { frontier, offer, lane, kernel } = openToyCrawl({ settings });
  lane.stop();
  const settle = (): void => {
    assert.equal(frontier.acquire(), null, "what was offered is not out of the sieve yet");
    kernel.runUntil(() => false, { stepsMax: 10_000, virtualMsMax: 100 });
  };
  const resolves = (): ResolveErrand[] => {
    const errands: ResolveErrand[] = [];
    for (let errand = frontier.acquire(false); errand !== null; errand = frontier.acquire(false)) {
      if (errand.kind === "resolve") errands.push(errand);
    }
    return errands;
  };
  return { frontier, offer, settle, resolves, kernel };
}

test("a domain alone has every slot for resolutions; when others wait they go first", () => {
  const { frontier, offer, settle, resolves } = rig({ resolvesMax: SLOTS });
  for (let host = 0; host < 100; host += 1) offer(`http://h${host}.tarpit.com/`);
  settle();
  const hanging = resolves();
  assert.equal(hanging.length, SLOTS, "no other waits");
  for (let host = 0; host < 3; host += 1) offer(`http://www.site${host}.org/`);
  settle();
  for (const errand of hanging.slice(0, 3)) {
    frontier.resolved(errand, { kind: "failed", code: "DNS_TIMED_OUT" });
  }
  assert.deepEqual(
    resolves().map(({ host }) => host),
    ["www.site0.org", "www.site1.org", "www.site2.org"],
  );
});

test("a domain that is answered takes its turn again; one that kept silent waits behind", () => {
  const { frontier, offer, settle, resolves } = rig({ resolvesMax: SLOTS });
  for (let host = 0; host < 4; host += 1) offer(`http://h${host}.quick.com/`);
  offer("http://h.tarpit.com/");
  settle();
  for (const errand of resolves()) {
    const code = errand.host === "h.tarpit.com" ? "DNS_TIMED_OUT" : "DNS_NOT_FOUND";
    frontier.resolved(errand, { kind: "failed", code });
  }
  assert.deepEqual(resolves(), []);
  for (const host of ["i.tarpit.com", "i.quick.com", "www.site.org"]) offer(`http://${host}/`);
  settle();
  assert.deepEqual(
    resolves().map(({ host }) => host),
    ["i.quick.com", "www.site.org", "i.tarpit.com"],
  );
});

test("a host whose resolution was given up by ourselves is resolved again", () => {
  const { frontier, offer, settle, resolves } = rig({});
  offer("http://a.example/");
  settle();
  const [first] = resolves() as [ResolveErrand];
  frontier.resolved(first, { kind: "cancelled" });
  assert.equal(frontier.isExhausted, false);
  assert.deepEqual(resolves(), [{ kind: "resolve", host: "a.example" }]);
});

test("without a free connection nothing is visited", () => {
  const { frontier, offer, settle, resolves } = rig({ robots: "ignore" });
  offer("http://a.example/");
  settle();
  const [errand] = resolves() as [ResolveErrand];
  const expiresAtMs = Number.POSITIVE_INFINITY;
  frontier.resolved(errand, { kind: "resolved", addresses: ["192.0.2.1"], expiresAtMs });
  assert.equal(frontier.acquire(false), null);
  assert.deepEqual([frontier.status().queued, frontier.status().inFlight], [1, 0]);
  assert.equal(frontier.acquire(true)?.kind, "page");
  assert.deepEqual([frontier.status().queued, frontier.status().inFlight], [0, 1]);
});

test("a robots.txt whose fetch was given up by ourselves is fetched again", () => {
  const { frontier, offer, settle, resolves, kernel } = rig({ hostDelayMs: 1, addressDelayMs: 1 });
  offer("http://a.example/");
  settle();
  const [errand] = resolves() as [ResolveErrand];
  const expiresAtMs = Number.POSITIVE_INFINITY;
  frontier.resolved(errand, { kind: "resolved", addresses: ["192.0.2.1"], expiresAtMs });
  const robots = frontier.acquire();
  assert(robots?.kind === "robots");
  frontier.robotsFetched(robots, { kind: "cancelled" });
  kernel.pass(10);
  const again = frontier.acquire();
  assert.deepEqual([again?.kind, again !== robots], ["robots", true]);
});
