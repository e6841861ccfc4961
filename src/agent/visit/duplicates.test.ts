import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedMachine } from "../../../test/support/lab/simulated-machine.ts";
import { CrawlError } from "../../base/errors/index.ts";
import {
  type KeyTable,
  MemoryKeyTable,
  openRunTable,
  type RunTable,
} from "../../base/runs/index.ts";
import { SimBackground } from "../../lab/simulator/index.ts";
import type { ParsedPage } from "../../parse/page/index.ts";
import { type Duplicate, Duplicates, type NearPages, type SoughtPage } from "./duplicates.ts";

function pageWith(high: number, low: number): ParsedPage {
  return { stripped: { high, low }, near: null, payloadSha1: new Uint8Array(20) } as ParsedPage;
}

function at(url: string): SoughtPage {
  return { url: url as SoughtPage["url"], high: 0, low: 0 };
}

const AT_ONCE = (work: () => void): void => work();

function duplicatesOf(
  texts: KeyTable,
  failed: (error: CrawlError) => void,
  near: NearPages | null = null,
): Duplicates {
  const nearFailed = failed;
  return new Duplicates({
    ...{ originalOf: () => null, pages: null, near, nearFailed, distance: 3, texts, failed },
  });
}

test("texts are remembered for the whole crawl, in the memory of a few of them", () => {
  const machine = new SimulatedMachine("texts");
  const { storage, time, random, disk } = machine;
  const background = new SimBackground({ clock: time, random, disk });
  const memoryBytes = 4096;
  const table = machine.result<RunTable>((done) => {
    const report = (error: CrawlError): void => assert.fail(error);
    openRunTable(
      { storage, background, folder: "texts", valueBytes: 0, memoryBytes, report },
      done,
    );
  });
  const duplicates = duplicatesOf(table, (error) => assert.fail(error));
  const kinds: Duplicate["kind"][] = [];
  const seek = (number: number): void => {
    const page = pageWith(Math.imul(number, 0x9e3779b1) >>> 0, Math.imul(number, 0x85ebca6b) >>> 0);
    const url = `https://a.example/${number}`;
    duplicates.seek(page, at(url), AT_ONCE, ({ kind }) => kinds.push(kind));
  };
  const texts = 800;
  for (let number = 0; number < texts; number += 1) {
    seek(number);
    if (number % 50 === 0) time.settle();
    assert.ok(table.memoryBytes <= memoryBytes, `${table.memoryBytes} bytes`);
  }
  time.settle();
  assert.deepEqual(new Set(kinds), new Set(["none"]));
  assert.ok(table.runs > 0, "most of them are on disk");
  kinds.length = 0;
  for (let number = 0; number < texts; number += 1) seek(number);
  // Two pages while the disk is being read: the first asks it, the second finds the text in memory.
  time.settle();
  assert.equal(kinds.length, texts);
  assert.deepEqual(new Set(kinds), new Set(["text"]));
});

test("a failed look-up of a text is reported, and its page counts as new", () => {
  const told: CrawlError[] = [];
  const broken: KeyTable = {
    ...{ memoryBytes: 0, recall: () => -1, mayFind: () => true, set: () => undefined },
    ...{ retry: () => undefined, checkpoint: () => undefined, close: () => undefined },
    keepOnly: () => undefined,
    find: (_high, _low, done) => done(new CrawlError("RUN_DAMAGED", "gone"), undefined),
  };
  const duplicates = duplicatesOf(broken, (error) => void told.push(error));
  const kinds: string[] = [];
  duplicates.seek(pageWith(1, 2), at("https://a.example/"), AT_ONCE, ({ kind }) =>
    kinds.push(kind),
  );
  assert.deepEqual([kinds, told.map(({ code }) => code)], [["none"], ["RUN_DAMAGED"]]);
});

test("a page whose number cannot be looked for ends as a new one, with its links", () => {
  const texts = new MemoryKeyTable();
  const damage = new CrawlError("RUN_DAMAGED", "gone");
  const duplicates = new Duplicates({
    ...{ originalOf: () => null, near: null, distance: 3, texts },
    pages: {
      reserve: (_page, _url, done) => done(damage, undefined),
      urlOf: () => assert.fail("it has no number"),
    },
    ...{ failed: assert.fail, nearFailed: assert.fail },
  });
  const answers: unknown[] = [];
  duplicates.seek(pageWith(1, 2), at("https://a.example/"), AT_ONCE, (...answer) =>
    answers.push(answer),
  );
  assert.deepEqual(answers, [[{ kind: "none" }, null]]);
});

test("a page is not a duplicate of itself", () => {
  const url = "https://a.example/";
  const duplicates = new Duplicates({
    ...{ originalOf: () => url, pages: null, near: null, distance: 3, texts: new MemoryKeyTable() },
    failed: (error) => assert.fail(error),
    nearFailed: (error) => assert.fail(error),
  });
  const found: Duplicate[] = [];
  duplicates.seek(pageWith(1, 2), at(url), AT_ONCE, (one) => found.push(one));
  duplicates.seek(pageWith(3, 4), at(`${url}copy`), AT_ONCE, (one) => found.push(one));
  assert.deepEqual(found, [{ kind: "none" }, { kind: "payload", of: url }]);
});

const NO_TEXTS: KeyTable = {
  ...{ memoryBytes: 0, recall: () => -1, mayFind: () => false, set: () => undefined },
  ...{
    retry: () => undefined,
    checkpoint: () => undefined,
    keepOnly: () => undefined,
    close: () => undefined,
    find: () => assert.fail("nobody asks"),
  },
};

function nearPage(high: number, low: number): ParsedPage {
  return { ...pageWith(high, low), near: { high, low } } as ParsedPage;
}

test("an entry for which the index of near duplicates has no room is added later", () => {
  const waiting: (() => void)[] = [];
  let retries = 0;
  const added: number[] = [];
  let hasRoom = false;
  const near: NearPages = {
    find: () => ({ kind: "none" }),
    tryAdd: ({ id }) => {
      if (hasRoom) added.push(id);
      return hasRoom;
    },
    retry: () => {
      retries += 1;
    },
    drain: (done) => void waiting.push(done),
    ...{ checkpoint: () => undefined, keepOnly: () => undefined },
    close: (done) => done(null),
  };
  const told: CrawlError[] = [];
  const duplicates = duplicatesOf(NO_TEXTS, (error) => void told.push(error), near);
  const kinds: string[] = [];
  const answered = ({ kind }: Duplicate) => kinds.push(kind);
  for (let number = 0; number < 4; number += 1) {
    duplicates.seek(nearPage(number, 0), at(`https://a.example/${number}`), AT_ONCE, answered);
  }
  assert.deepEqual([kinds, added], [["none", "none", "none", "none"], []]);
  assert.equal(retries, 4, "what could not be written is tried again");
  for (let count = 0; count < 3; count += 1) waiting.shift()?.();
  assert.equal(waiting.length, 1, "an entry that found no room twice is left out");
  hasRoom = true;
  waiting.shift()?.();
  assert.deepEqual(added, [3]);
  duplicates.retry();
  assert.equal(retries, 5);
  assert.deepEqual(told, []);
});

test("what the disk answers later is processed behind the page's barrier", () => {
  const answers: (() => void)[] = [];
  const isGone = new CrawlError("RUN_DAMAGED", "gone");
  const near: NearPages = {
    find: (_query, done) => {
      answers.push(() => done(isGone, undefined));
      return { kind: "pending" };
    },
    tryAdd: () => assert.fail("planted"),
    ...{
      retry: () => undefined,
      checkpoint: () => undefined,
      keepOnly: () => undefined,
      drain: () => undefined,
      close: () => undefined,
    },
  };
  const texts: KeyTable = {
    ...{ ...NO_TEXTS, mayFind: () => true },
    find: (_high, _low, done) => void answers.push(() => done(null, -1)),
  };
  const caught: string[] = [];
  const told: CrawlError[] = [];
  const duplicates = duplicatesOf(texts, (error) => void told.push(error), near);
  const guard = (work: () => void): void => {
    try {
      work();
    } catch (thrown) {
      caught.push((thrown as Error).message);
    }
  };
  duplicates.seek(nearPage(1, 2), at("https://a.example/"), guard, () =>
    assert.fail("not answered"),
  );
  answers.shift()?.();
  answers.shift()?.();
  assert.deepEqual([caught, told], [["planted"], [isGone]]);
});
