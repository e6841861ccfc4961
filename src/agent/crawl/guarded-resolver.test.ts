import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { CrawlError } from "../../base/errors/index.ts";
import type { Resolution, Resolver } from "../../fetch/dns/index.ts";
import type { HostName } from "../../formats/url/index.ts";
import type { Faults } from "./faults.ts";
import { GuardedResolver } from "./guarded-resolver.ts";

const FOUND = { kind: "resolved", addresses: ["192.0.2.1"], expiresAtMs: 9 } as const;

/** What a caller hears from a resolver like this, and the hosts of its faults. */
function heard(resolve: Resolver["resolve"]): { kinds: string[]; faults: string[] } {
  const time = new SimulatedTime();
  const kinds: string[] = [];
  const faults: string[] = [];
  const noting = { note: (_error: CrawlError, host: string) => void faults.push(host) };
  const resolver = { resolve, close: () => {} };
  const guarded = new GuardedResolver(resolver, time, noting as unknown as Faults);
  guarded.resolve("a.test" as HostName, (resolution: Resolution) => {
    kinds.push(resolution.kind === "failed" ? resolution.error.code : resolution.kind);
  });
  time.settle();
  return { kinds, faults };
}

test("a caller is answered once, however often the resolver answers", () => {
  const twice = heard((_host, done) => {
    done(FOUND);
    done(FOUND);
  });
  assert.deepEqual(twice, { kinds: ["resolved"], faults: [] });
});

test("a resolver that throws fails that host, and the fault is noted", () => {
  const thrown = heard(() => assert.fail("planted"));
  assert.deepEqual(thrown, { kinds: ["INTERNAL_RESOLVE"], faults: ["a.test"] });
});

test("a failure of the name servers is not a fault", () => {
  const error = new CrawlError("DNS_NOT_FOUND", "There is none.");
  const failed = heard((_host, done) => done({ kind: "failed", error }));
  assert.deepEqual(failed, { kinds: ["DNS_NOT_FOUND"], faults: [] });
});
