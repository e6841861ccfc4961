import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { type TestContext, test } from "node:test";
import type { CrawlError } from "../../base/errors/index.ts";
import { SeededRandom } from "../../base/random/index.ts";
import { readConfiguration } from "../../rules/config/index.ts";
import { DIRECTORY_HOLDER } from "./directory-holder.fixture.ts";
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

function write(path: string, name: string): void {
  mkdirSync(dirname(join(path, name)), { recursive: true });
  writeFileSync(join(path, name), "");
}

/** Relative paths of all files, sorted. */
function filesIn(path: string): string[] {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  return files.map((entry) => relative(path, join(entry.parentPath, entry.name))).sort();
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

test("a crawl with very many seeds can be opened again", (context) => {
  const path = folder(context);
  const seeds = Array.from(
    { length: 30_000 },
    (_none, at) => `https://host-${at}.example.org/start`,
  );
  const crawl = newCrawl();
  const { configuration } = crawl;
  CrawlDirectory.create(path, { ...crawl, configuration: { ...configuration, seeds } }).close();
  assert.ok(statSync(join(path, "config.yaml")).size > 1024 * 1024);
  const opened = CrawlDirectory.open(path);
  assert.deepEqual(opened.configuration().seeds, seeds);
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

test("a creation that was interrupted can be repeated", (context) => {
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
  for (const text of ["", "[]", "{}", '{"format":1,"crawl":"x"}']) {
    writeFileSync(join(path, "crawl.json"), text);
    assert.equal(
      codeOf(() => CrawlDirectory.open(path)),
      "DIRECTORY_DAMAGED",
      text,
    );
  }
});

test("a directory that a newer version made is refused with that version", (context) => {
  const path = folder(context);
  CrawlDirectory.create(path, newCrawl()).close();
  writeFileSync(join(path, "crawl.json"), '{"format":99,"version":"9.0.0"}');
  assert.throws(
    () => CrawlDirectory.open(path),
    (error: CrawlError) =>
      error.code === "DIRECTORY_VERSION" &&
      error.message.includes("newer version of Trobar (9.0.0)"),
  );
});

test("starting over replaces the crawl and leaves the files of others", (context) => {
  const path = folder(context);
  const old = CrawlDirectory.create(path, newCrawl("old"));
  const archive = `warc/crawl-20260101000000000-00000-${old.identity.agent}.warc`;
  const own = ["logs/crawl.log", "logs/crawl.2.log", "logs/.crawl.manifest.tmp", "spool/bodies/7"];
  own.push("spool/1/bodies/7");
  const sent = ["stream", "in.log", "in.3.log", "out.manifest"].map(
    (name) => `spool/connectors/to_2e_parse/${name}`,
  );
  const mesh = [
    ...["server.conf", ".server.conf.tmp", "server.log", "server.log.2026.11.18.17.02.04.1"],
    ...["certificate.pem", "key.pem", "server.pid", "ports.json", "nats-server_4711.ports"],
  ].map((name) => `mesh/${name}`);
  const runs = [
    ...sent,
    ...mesh,
    "frontier/near/run-0-9-3",
    "frontier/sieve/runs/run-12",
    `${archive}.gz`,
  ];
  const foreign = [
    ...["notes.txt", "warc/index.cdxj", "warc/thesis.warc.gz", "logs/crawl.log.gz"],
    ...["logs/analysis.log", "frontier/sieve/sizes.csv", "spool/bodies/photo.png"],
    ...["spool/connectors/to_2e_parse/notes.txt", "mesh/server.log.gz", "mesh/firewall.conf"],
    "warc/crawl-20260101000000000-00000-another.warc.gz",
    `warc/other-20260101000000000-00000-${old.identity.agent}.warc.gz`,
  ];
  for (const name of [...own, ...runs, `${archive}.open`, ...foreign]) write(path, name);
  const fresh = old.startOver(newCrawl("new"));
  assert.notEqual(fresh.identity.generation, old.identity.generation);
  fresh.close();
  const kept = ["config.yaml", "crawl.json", "crawl.lock", ...foreign];
  assert.deepEqual(filesIn(path), kept.sort());
  assert.ok(!existsSync(join(path, "frontier", "near")), "empty folders go as well");
  assert.deepEqual(CrawlDirectory.open(path).identity, fresh.identity);
});

test("an interrupted start over leaves a directory that can be started over", (context) => {
  const path = folder(context);
  const old = CrawlDirectory.create(path, newCrawl("old"));
  write(path, "logs/crawl.log");
  const broken = { ...newCrawl(), random: { u32: () => assert.fail("planted") } };
  assert.throws(() => old.startOver(broken as unknown as NewCrawl), /planted/);
  assert.equal(existsSync(join(path, "logs/crawl.log")), false, "it had begun");
  assert.equal(CrawlDirectory.exists(path), true);
  CrawlDirectory.replace(path, newCrawl("new")).close();
  CrawlDirectory.open(path).close();
});

test("nothing is removed when something foreign is in the way", (context) => {
  const path = folder(context);
  for (const name of ["warc/x-20260101000000000-00000-another.warc.gz.open", "logs/crawl.log/x"]) {
    const directory = CrawlDirectory.create(path, newCrawl());
    for (const file of ["links/pages.log", name]) write(path, file);
    const before = filesIn(path).filter((file) => !/^crawl\.lock./.test(file));
    assert.equal(
      codeOf(() => directory.startOver(newCrawl())),
      "DIRECTORY_FOREIGN",
    );
    assert.deepEqual(filesIn(path), before);
    rmSync(path, { recursive: true });
  }
});

test("what a link in place of a folder leads to is neither removed nor written in", (context) => {
  const path = folder(context);
  const elsewhere = `${path}-elsewhere`;
  const names = ["warc", "links", "frontier", "frontier/sieve", "outbox", "logs", "spool/bodies"];
  for (const name of names) {
    const directory = CrawlDirectory.create(path, newCrawl());
    const { agent } = directory.identity;
    const archive = `crawl-20260101000000000-00000-${agent}.warc.gz`;
    for (const file of [archive, "crawl.log", "pages.log", "text.log", "1"]) write(elsewhere, file);
    const before = filesIn(elsewhere);
    write(path, "logs/faults.log");
    rmSync(join(path, name), { recursive: true, force: true });
    mkdirSync(dirname(join(path, name)), { recursive: true });
    symlinkSync(elsewhere, join(path, name));
    const refuses = (act: () => unknown): void => assert.equal(codeOf(act), "DIRECTORY_FOREIGN");
    refuses(() => directory.startOver(newCrawl()));
    assert.deepEqual(filesIn(elsewhere), before, name);
    if (name !== "logs") assert.ok(existsSync(join(path, "logs/faults.log")), name);
    rmSync(join(path, "crawl.json"));
    refuses(() => CrawlDirectory.create(path, newCrawl()));
    rmSync(path, { recursive: true });
  }
});

test("a link of the user's within a folder of the crawl stays", (context) => {
  const path = folder(context);
  const directory = CrawlDirectory.create(path, newCrawl());
  write(`${path}-elsewhere`, "text.log");
  write(path, "warc/notes");
  symlinkSync(`${path}-elsewhere`, join(path, "warc/latest"));
  directory.startOver(newCrawl()).close();
  assert.ok(lstatSync(join(path, "warc/latest")).isSymbolicLink());
  assert.deepEqual(filesIn(`${path}-elsewhere`), ["text.log"]);
});

test("a pipe in place of a file is refused, not waited for", {
  skip: process.platform === "win32",
}, (context) => {
  const path = folder(context);
  CrawlDirectory.create(path, newCrawl()).close();
  rmSync(join(path, "crawl.json"));
  execFileSync("mkfifo", [join(path, "crawl.json")]);
  // In a process of its own, since a reader that waits for a pipe cannot be interrupted.
  const module = JSON.stringify(new URL("./index.ts", import.meta.url).href);
  const text = `import { CrawlDirectory } from ${module};
    try { CrawlDirectory.open(process.argv[1]) } catch (error) { console.log(error.message) }`;
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", text, path], {
    timeout: 60_000,
    encoding: "utf8",
  });
  assert.match(printed, /not a regular file/);
});

test("a crawl whose identity is damaged can be replaced; its archive is kept", (context) => {
  const path = folder(context);
  CrawlDirectory.create(path, newCrawl()).close();
  const archive = "warc/crawl-20260101000000000-00000-agent-1.warc.gz";
  write(path, archive);
  write(path, "logs/crawl.log");
  writeFileSync(join(path, "crawl.json"), "{");
  CrawlDirectory.replace(path, newCrawl()).close();
  assert.deepEqual(filesIn(path), ["config.yaml", "crawl.json", "crawl.lock", archive]);
});

test("a directory that is in use is refused, in this process too", (context) => {
  const path = folder(context);
  const held = CrawlDirectory.create(path, newCrawl());
  for (const act of [
    () => CrawlDirectory.open(path),
    () => CrawlDirectory.replace(path, newCrawl()),
  ]) {
    assert.equal(codeOf(act), "DIRECTORY_IN_USE");
  }
  held.close();
  CrawlDirectory.open(path).close();
  assert.ok(!existsSync(join(path, "crawl.lock.json")));
});

test("where no folder can be made, that is reported and not tried for ever", {
  skip: existsSync("/proc/self") ? false : "there is no /proc here",
}, () => {
  for (const path of ["/proc/crawl", "/proc/deeper/crawl"]) {
    assert.throws(
      () => CrawlDirectory.create(path, newCrawl()),
      (error: CrawlError) => {
        assert.equal(error.code, "DIRECTORY_FAILED");
        assert.match(error.message, /^Could not make \/proc\/.*: nothing can be created there/);
        return true;
      },
    );
  }
});

test("a file where a directory is needed is reported as a file", (context) => {
  const path = folder(context);
  writeFileSync(path, "mine");
  for (const wanted of [path, join(path, "below", "it")]) {
    for (const act of [
      () => CrawlDirectory.exists(wanted),
      () => CrawlDirectory.create(wanted, newCrawl()),
    ]) {
      assert.throws(act, (error: CrawlError) => {
        assert.equal(error.code, "DIRECTORY_FOREIGN");
        assert.ok(error.message.startsWith(`${path} is a file, not a directory. `), error.message);
        return true;
      });
    }
  }
});

test("the holder of a lock is named, and a killed holder no longer has it", async (context) => {
  const path = folder(context);
  CrawlDirectory.create(path, newCrawl()).close();
  const child = spawn(process.execPath, [DIRECTORY_HOLDER, path], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  context.after(() => child.kill("SIGKILL"));
  await once(child.stdout, "data");
  assert.throws(() => CrawlDirectory.open(path), new RegExp(`in use by process ${child.pid} on `));
  child.kill("SIGKILL");
  await once(child, "exit");
  CrawlDirectory.open(path).close();
});
