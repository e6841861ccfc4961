import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { DIRECTORY_HOLDER } from "../../test/support/directory-holder.ts";
import { readConfiguration } from "../config/index.ts";
import type { CrawlError } from "../errors/index.ts";
import { SeededRandom } from "../random/index.ts";
import { CrawlDirectory, fingerprintKeyBytes, type NewCrawl } from "./index.ts";

function newCrawl(seed = "directory"): NewCrawl {
  const reading = readConfiguration({});
  assert.ok(reading.ok);
  const { configuration } = reading;
  const random = new SeededRandom(seed);
  return { configuration, version: "1.2.3", capacity: 2, createdAtMs: 1_700_000_000_000, random };
}

function folder(context: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "trobar-directory-"));
  context.after(() => rmSync(path, { recursive: true, force: true }));
  return join(path, "crawl");
}

function codeOf(act: () => unknown): string {
  try {
    act();
    return "good";
  } catch (error) {
    return (error as CrawlError).code;
  }
}

test("a crawl directory keeps its identity and configuration", (context) => {
  const path = folder(context);
  const created = CrawlDirectory.create(path, newCrawl());
  created.close();
  const opened = CrawlDirectory.open(path);
  assert.deepEqual(opened.identity, created.identity);
  assert.deepEqual(opened.configuration(), newCrawl().configuration);
  assert.equal(opened.identity.shards, 64);
  assert.equal(fingerprintKeyBytes(opened.identity).length, 16);
  const { configuration } = newCrawl();
  opened.setConfiguration({ ...configuration, limits: { ...configuration.limits, pages: 7 } });
  assert.equal(opened.configuration().limits.pages, 7);
  opened.close();
});

test("what must stay secret can be read by its owner alone", (context) => {
  const path = folder(context);
  CrawlDirectory.create(path, newCrawl()).close();
  assert.equal(statSync(join(path, "crawl.json")).mode & 0o777, 0o600);
});

test("two crawls have nothing in common that was drawn", (context) => {
  const one = CrawlDirectory.create(folder(context), newCrawl("one"));
  const other = CrawlDirectory.create(folder(context), newCrawl("other"));
  for (const key of ["crawl", "generation", "agent", "fingerprintKey"] as const) {
    assert.notEqual(one.identity[key], other.identity[key]);
  }
  one.close();
  other.close();
});

test("a directory with other things in it does not become a crawl's", (context) => {
  const path = folder(context);
  mkdirSync(path);
  writeFileSync(join(path, "thesis.txt"), "");
  assert.equal(
    codeOf(() => CrawlDirectory.create(path, newCrawl())),
    "DIRECTORY_FOREIGN",
  );
  assert.deepEqual(readdirSync(path), ["thesis.txt"]);
});

test("a creation that was interrupted is made again", (context) => {
  const path = folder(context);
  mkdirSync(path);
  for (const name of ["config.yaml", "crawl.lock", ".crawl.json.tmp"]) {
    writeFileSync(join(path, name), "");
  }
  assert.equal(
    codeOf(() => CrawlDirectory.open(path)),
    "DIRECTORY_MISSING",
  );
  CrawlDirectory.create(path, newCrawl()).close();
});

test("an identity that was damaged is refused with its fault", (context) => {
  const path = folder(context);
  CrawlDirectory.create(path, newCrawl()).close();
  for (const text of [
    "",
    "[]",
    "{}",
    '{"format":99,"version":"9.0.0"}',
    '{"format":1,"crawl":"x"}',
  ]) {
    writeFileSync(join(path, "crawl.json"), text);
    assert.equal(
      codeOf(() => CrawlDirectory.open(path)),
      "DIRECTORY_DAMAGED",
      text,
    );
  }
});

test("clearing removes the crawl and nothing else", (context) => {
  const path = folder(context);
  CrawlDirectory.create(path, newCrawl()).close();
  mkdirSync(join(path, "warc"));
  writeFileSync(join(path, "notes.txt"), "");
  CrawlDirectory.clear(path);
  assert.deepEqual(readdirSync(path), ["crawl.lock", "notes.txt"]);
});

test("a directory that is in use is refused, in this process too", (context) => {
  const path = folder(context);
  const held = CrawlDirectory.create(path, newCrawl());
  for (const act of [() => CrawlDirectory.open(path), () => CrawlDirectory.clear(path)]) {
    assert.equal(codeOf(act), "DIRECTORY_IN_USE");
  }
  held.close();
  CrawlDirectory.open(path).close();
  assert.ok(!existsSync(join(path, "crawl.lock.json")));
});

test("the holder of a lock is named, and a killed holder has it no more", async (context) => {
  const path = folder(context);
  CrawlDirectory.create(path, newCrawl()).close();
  const child = spawn(process.execPath, [DIRECTORY_HOLDER, path], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  assert.throws(() => CrawlDirectory.open(path), new RegExp(`in use by process ${child.pid} on `));
  child.kill("SIGKILL");
  await once(child, "exit");
  CrawlDirectory.open(path).close();
});
