import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DEFAULT_FRONTIER_SETTINGS } from "../frontier-settings.ts";
import { type HostPoliteness, HostRules, type OwnRules } from "./host-rules.ts";

type Settings = typeof DEFAULT_FRONTIER_SETTINGS;

function settingsWith(ownRules: OwnRules): { -readonly [Name in keyof Settings]: Settings[Name] } {
  return { ...DEFAULT_FRONTIER_SETTINGS, ownRules };
}

const OWN: OwnRules = new Map<string, Partial<HostPoliteness>>([
  ["*.example", { hostDelayMs: 1, robotsMaxAgeMs: 2000 }],
  ["*.a.example", { hostDelayMs: 2, robots: "ignore" }],
  ["www.a.example", { hostDelayMs: 3 }],
]);

test("the most specific pattern counts, point by point", () => {
  const rules = new HostRules(settingsWith(OWN));
  const of = (host: string): unknown[] => {
    const { hostDelayMs, robots, robotsMaxAgeMs, crawlDelayOver } = rules.of(host);
    return [hostDelayMs, robots, robotsMaxAgeMs, crawlDelayOver];
  };
  assert.deepEqual(of("www.a.example"), [3, "ignore", 2000, "skip"]);
  assert.deepEqual(of("x.y.a.example"), [2, "ignore", 2000, "skip"]);
  assert.deepEqual(of("a.example"), [1, "obey", 2000, "skip"], "a domain is not below itself");
  assert.deepEqual(of("nota.example"), [1, "obey", 2000, "skip"]);
  assert.deepEqual(of("a.test"), [1000, "obey", 86_400_000, "skip"]);
});

test("what is not a host's own follows the settings of all", () => {
  const settings = settingsWith(OWN);
  const politeness = new HostRules(settings).of("www.a.example");
  settings.crawlDelayMsMax = 7;
  settings.crawlDelayOver = "cap";
  settings.hostDelayMs = 9;
  assert.deepEqual(
    [politeness.crawlDelayMsMax, politeness.crawlDelayOver, politeness.hostDelayMs],
    [7, "cap", 3],
  );
});

test("hosts without rules of their own share the settings, and files need no pause", () => {
  const settings = settingsWith(OWN);
  assert.equal(new HostRules(settings).of("b.test"), settings);
  assert.equal(new HostRules(settings).of("").hostDelayMs, 0);
});

test("each point comes from the longest pattern that has it", () => {
  const labels = fc.array(fc.constantFrom("a", "b"), { minLength: 1, maxLength: 4 });
  const pattern = fc
    .tuple(fc.boolean(), labels)
    .map(([isDomain, parts]) => `${isDomain ? "*." : ""}${parts.join(".")}`);
  const table = fc.array(fc.tuple(pattern, fc.nat(9)), { maxLength: 12 });
  fc.assert(
    fc.property(table, labels, (entries, parts) => {
      const host = parts.join(".");
      const own = new Map(entries.map(([name, hostDelayMs]) => [name, { hostDelayMs }]));
      const fitting = [...own.keys()]
        .filter((name) => name === host || (name[0] === "*" && host.endsWith(name.slice(1))))
        .sort(
          (one, other) =>
            Number(other === host) - Number(one === host) || other.length - one.length,
        );
      const expected = own.get(fitting[0] ?? "")?.hostDelayMs ?? 1000;
      assert.equal(new HostRules(settingsWith(own)).of(host).hostDelayMs, expected);
    }),
  );
});

test("what was changed for a host goes before all patterns, and survives being saved", () => {
  const rules = new HostRules(settingsWith(OWN));
  rules.change("www.a.example", { delayMs: 50 });
  rules.change("b.test", { isBlocked: true });
  rules.change("b.test", { delayMs: 60 });
  rules.change("c.test", { isBlocked: true, delayMs: 70 });
  rules.change("c.test", { isBlocked: false, delayMs: null });
  const again = new HostRules(settingsWith(OWN));
  again.restore(JSON.parse(JSON.stringify(rules.save())) as ReturnType<HostRules["save"]>);
  for (const one of [rules, again]) {
    const { hostDelayMs, robots } = one.of("www.a.example");
    assert.deepEqual([hostDelayMs, robots], [50, "ignore"]);
    assert.deepEqual([one.of("b.test").hostDelayMs, one.of("b.test").isBlocked], [60, true]);
    assert.deepEqual([...one.blockedHosts], ["b.test"]);
    assert.deepEqual(
      one.save().map(([host]) => host),
      ["www.a.example", "b.test"],
    );
  }
});
