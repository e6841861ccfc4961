import assert from "node:assert/strict";
import { test } from "node:test";
import { configured } from "../../../test/support/rules/configured.ts";
import { CrawlError } from "../../base/errors/index.ts";
import {
  checkClock,
  checkDisk,
  checkLimits,
  checkMemory,
  checkNames,
  checkNats,
  checkVersions,
  type Finding,
} from "./checks.ts";
import type { DiskFacts, Machine } from "./machine.ts";

const MIB = 2 ** 20;
const NOW_MS = Date.UTC(2026, 10, 17);

const MACHINE: Machine = {
  cores: 4,
  memoryBytes: 8192 * MIB,
  shortage: () => null,
  versions: { node: "24.1.0", openssl: "3.5.0", sqlite: "3.50.0" },
  nowMs: NOW_MS,
  disk: () => assert.fail("facts are given"),
  resolve: () => assert.fail("facts are given"),
  natsVersion: () => assert.fail("facts are given"),
};

const DISK: DiskFacts & { readonly kind: "usable" } = {
  ...{ kind: "usable", folder: "/data", freeBytes: 1e12, fileSystem: 0xef53 },
  ...{ syncMs: 4, writtenAtMs: NOW_MS },
};

const USUAL = configured();

function told({ fitness, problem, remedy }: Finding): string {
  return `${fitness}: ${problem} ${remedy}`;
}

test("what is enough is good, and needs no remedy", () => {
  const findings = [
    checkVersions(MACHINE),
    checkMemory(MACHINE, USUAL),
    checkLimits(MACHINE, USUAL),
    ...checkDisk(DISK, USUAL),
    checkClock(MACHINE, DISK),
    checkNames("example.org", null, { kind: "found", addresses: 2, tookMs: 20 }),
    checkNats("2.10.1"),
  ];
  for (const finding of findings) assert.equal(told(finding), "good: null null", finding.name);
});

test("an old Node is bad", () => {
  const versions = { ...MACHINE.versions, node: "22.3.0" };
  assert.match(told(checkVersions({ ...MACHINE, versions })), /^bad: .*Node 24 or newer/);
});

test("memory is compared with what the crawl may use", () => {
  const small = { ...MACHINE, memoryBytes: 900 * MIB };
  assert.match(told(checkMemory(small, USUAL)), /^poor: .*killed.* Lower frontier.memory/);
  const modest = configured("frontier.memory=64Mi", "fetch.bodyMemory=32Mi");
  assert.equal(checkMemory(small, modest).fitness, "good");
});

test("what a crawl would have less of is poor, and what it would be refused for is bad", () => {
  const lowered = { ...MACHINE, shortage: () => "fetch.concurrency is 308 instead of 500" };
  assert.match(told(checkLimits(lowered, USUAL)), /^poor: Now fetch\.concurrency is 308.*ulimit/);
  const refused = {
    ...MACHINE,
    shortage: () => {
      throw new CrawlError("USAGE_PROCESS_LIMIT", "It may open 100 files. Raise the limit.");
    },
  };
  assert.match(told(checkLimits(refused, USUAL)), /^bad: It may open 100 files/);
});

test("a disk must have room, be durable and be quick", () => {
  const of = (changes: Partial<typeof DISK>): readonly string[] =>
    checkDisk({ ...DISK, ...changes }, USUAL).map(told);
  assert.match(of({ freeBytes: 900 * MIB })[0] ?? "", /^bad: .*waits.*minFreeDisk/);
  assert.match(of({ freeBytes: 1500 * MIB })[0] ?? "", /^poor: .*small crawl/);
  assert.match(of({ fileSystem: 0x6969 })[1] ?? "", /^poor: .*Locks/);
  assert.match(of({ fileSystem: 0x01021994 })[1] ?? "", /^poor: .*in memory/);
  assert.match(of({ fileSystem: 0x1234 })[1] ?? "", /^good/);
  assert.match(of({ syncMs: 900 })[2] ?? "", /^poor: .*slow/);
  const [unusable] = checkDisk({ kind: "unusable", folder: "/data", why: "read-only" }, USUAL);
  assert.match(told(unusable as Finding), /^bad: Nothing can be written in \/data: read-only/);
});

test("a clock that is wrong, or differs from that of the disk, is noticed", () => {
  assert.match(told(checkClock({ ...MACHINE, nowMs: 1e12 }, DISK)), /^bad: The clock is wrong/);
  const late = { ...DISK, writtenAtMs: NOW_MS - 60_000 };
  assert.match(told(checkClock(MACHINE, late)), /^poor: .*differs by 1m 00s/);
});

test("name servers must answer, and soon", () => {
  const failed = { kind: "failed", why: "They did not answer." } as const;
  const finding = checkNames("a.test", "192.0.2.1:53", failed);
  assert.match(told(finding), /^bad: Asked for a\.test, 192\.0\.2\.1:53 .*They did not answer/);
  assert.equal(finding.name, "dns 192.0.2.1:53");
  const slow = { kind: "found", addresses: 1, tookMs: 3000 } as const;
  assert.match(told(checkNames("a.test", null, slow)), /^poor: .*waits/);
});

test("only clusters need nats-server, so that it is never bad", () => {
  assert.match(told(checkNats(null)), /^poor: .*single crawls do not need it/);
  assert.match(told(checkNats("2.8.4")), /^poor: .*2\.9\.10 or newer.*apt install/);
  assert.match(told(checkNats("2.9.9")), /^poor: .*2\.9\.10 or newer/);
  assert.equal(checkNats("3.0.0").fitness, "good");
});
