/** What a crawl prints and where, and with what it refuses to begin. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { keptFiles } from "../../src/cli/shell/named-files.ts";
import {
  type CrawledWeb,
  crawlInto,
  crawlLines,
  linking,
  withWeb,
} from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";

const HOSTS = () => ({ "a.test": { pages: { "/": linking("/1"), "/1": { body: "one" } } } });

async function crawl(
  web: CrawledWeb,
  args: readonly string[],
  terminal: RecordedTerminal = new RecordedTerminal(),
): Promise<{
  readonly code: number;
  readonly terminal: RecordedTerminal;
  readonly folder: string;
}> {
  const given = args.indexOf("-o");
  const folder = given === -1 ? join(web.folder, "out") : String(args[given + 1]);
  const out = given === -1 ? ["-o", folder] : [];
  const argv = ["crawl", ...web.flags, ...out, ...args, web.url("a.test/")];
  return await crawlInto(folder, argv, terminal);
}

test("--json prints one JSON value and nothing else, and its lines on standard error are JSON", async () => {
  await withWeb(HOSTS, async (web) => {
    const { code, terminal } = await crawl(web, ["--json"]);
    assert.equal(code, 0);
    const rows = terminal.rows();
    assert.equal(rows.length, 1);
    assert.deepEqual(Object.keys(rows[0] ?? {}), [
      ...["state", "reason", "pages", "fetches", "urls", "queued", "bytes", "seconds"],
      ...[
        "pagesPerSecond",
        "status",
        "errors",
        "refused",
        "duplicates",
        "nearDuplicates",
        "truncated",
      ],
      ...["hosts", "requisites", "agents", "missing", "overhead", "balance", "views", "coverage"],
      "outbox",
      ...["idle", "politeRate"],
      ...["limit", "failedSeeds", "memory"],
    ]);
    const events = terminal.said
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      events.map(({ event }) => event),
      ["started", "ended"],
    );
    assert.equal(events[1]?.pages, 2);
  });
});

test("--quiet prints nothing while all goes well", async () => {
  await withWeb(HOSTS, async (web) => {
    const { terminal } = await crawl(web, ["--quiet"]);
    assert.equal(terminal.said, "");
    assert.match(terminal.written, /^Finished: nothing is left to fetch\./);
    assert.match(terminal.written, /pages {5}2 of 1 host, /);
  });
});

test("on a terminal a block is written over, and nothing of it is left behind", async () => {
  const hosts = () => ({ "a.test": { pages: { "/": { body: "slow", delayMs: 1200 } } } });
  await withWeb(hosts, async (web) => {
    const terminal = new RecordedTerminal({ isLive: true, colour: true });
    await crawl(web, ["--contact", "me@example.org"], terminal);
    assert.ok(terminal.said.startsWith("0 pages · 0.0/s · 0 s · "), terminal.said);
    assert.ok(terminal.said.endsWith("\r\u001b[1A\u001b[J"), "the last thing is to erase it");
    for (const line of terminal.said.split(/\r|\n/)) assert.ok(line.length < 80 + 8, line);
    assert.ok(terminal.written.includes("\u001b[1mFinished:"), "bold where colour is wanted");
  });
});

test("without a contact a terminal is told once how to give one", async () => {
  await withWeb(HOSTS, async (web) => {
    for (const [args, isLive, count] of [
      [[], true, 1],
      [["--quiet"], true, 0],
      [["--contact", "me@example.org"], true, 0],
      [["--user-agent", "Mine/1.0 (+https://example.org/)"], true, 0],
      [[], false, 0],
    ] as const) {
      const terminal = new RecordedTerminal({ isLive });
      const out = ["-o", join(web.folder, `${isLive} ${args.join(" ").replaceAll("/", "")}`)];
      assert.equal((await crawl(web, [...args, ...out], terminal)).code, 0);
      const told = terminal.said.match(/note: --contact URL\|mail tells site owners/g) ?? [];
      assert.equal(told.length, count, args.join(" "));
    }
  });
});

test("an interrupted crawl ends with 130 and its summary", async () => {
  const hosts = () => ({ "a.test": { pages: { "/": { body: "slow", delayMs: 100 } } } });
  await withWeb(hosts, async (web) => {
    const terminal = new RecordedTerminal({ isLive: true });
    const ended = crawl(web, [], terminal);
    await web.requests(2);
    terminal.interrupt();
    const { code, folder } = await ended;
    assert.equal(code, 130);
    assert.match(terminal.said, /trobar: ending when 1 fetch in flight ended, within seconds/);
    assert.match(terminal.written, /Stopped: it was interrupted\./);
    // The crawl waited for fetches in flight.
    assert.equal((await crawlLines(folder)).length, 1);
  });
});

test("a directory with a crawl is started over only with --fresh, which asks on a terminal", async () => {
  await withWeb(HOSTS, async (web) => {
    assert.equal((await crawl(web, ["-q"])).code, 0);
    const again = await crawl(web, ["-q"]);
    assert.equal(again.code, 0);
    assert.match(again.terminal.written, /of these {2}0 in this run, which went on with the crawl/);
    assert.equal((await crawlLines(again.folder)).length, 2);
    const declining = new RecordedTerminal({ isLive: true });
    declining.answer = "n";
    assert.equal((await crawl(web, ["--fresh"], declining)).code, 2);
    assert.match(declining.said, /Remove the crawl in .*\? \[y\/N\]/);
    assert.equal(web.asked.length, 2);
    const agreeing = new RecordedTerminal({ isLive: true });
    agreeing.answer = "yes";
    assert.equal((await crawl(web, ["--fresh"], agreeing)).code, 0);
    const silent = await crawl(
      web,
      ["--fresh", "--yes", "-q"],
      new RecordedTerminal({ isLive: true }),
    );
    assert.deepEqual([silent.code, silent.terminal.said], [0, ""]);
    assert.equal((await crawlLines(silent.folder)).length, 2);
    const fresh = new RecordedTerminal({ isLive: true });
    assert.equal(
      (await crawl(web, ["--fresh", "-q", "-o", join(web.folder, "new")], fresh)).code,
      0,
    );
    assert.equal(fresh.said, "", "where there is nothing, nothing is asked");
  });
});

test("a directory that is not a crawl is refused, with --fresh too", async () => {
  await withWeb(HOSTS, async (web) => {
    const foreign = join(web.folder, "photos");
    mkdirSync(foreign);
    writeFileSync(join(foreign, "holiday.jpg"), "x");
    for (const args of [[], ["--fresh", "--yes"]]) {
      const { code, terminal } = await crawl(web, ["-o", foreign, ...args]);
      assert.equal(code, 2);
      assert.match(terminal.said, /holiday\.jpg/);
      assert.ok(existsSync(join(foreign, "holiday.jpg")));
    }
    assert.deepEqual(web.asked, []);
  });
});

test("the report counts the files of the crawl, and not what else lies beside them", async () => {
  await withWeb(HOSTS, async (web) => {
    const { folder } = await crawl(web, []);
    const before = keptFiles(folder);
    assert.equal(before.archiveFiles, 1);
    assert.equal(before.logBytes, statSync(join(folder, "logs", "crawl.log")).size);
    writeFileSync(join(folder, "warc", "index.cdxj"), "mine");
    writeFileSync(join(folder, "warc", "other-20260101000000000-00000-agent-x.warc.gz"), "mine");
    writeFileSync(join(folder, "logs", "notes.txt"), "mine");
    assert.deepEqual(keptFiles(folder), before);
    assert.deepEqual(keptFiles(join(folder, "missing")), {
      ...{ archiveFiles: 0, archiveBytes: 0, logBytes: 0, lineFiles: 0, lineBytes: 0 },
    });
  });
});

test("the directory is named after the host and port of the first seed", async () => {
  await withWeb(HOSTS, async (web) => {
    const before = process.cwd();
    process.chdir(web.folder);
    try {
      const terminal = new RecordedTerminal();
      const folder = `crawl-${new URL(web.url("a.test/")).host.replace(":", "-")}`;
      await crawlInto(folder, ["crawl", ...web.flags, "-q", web.url("a.test/")], terminal);
      assert.ok(existsSync(join(web.folder, folder, "crawl.json")));
      assert.ok(
        terminal.written.includes(`stored in ${folder}\n    warc            the archive: 1 file, `),
      );
    } finally {
      process.chdir(before);
    }
  });
});

test("what is not built yet is refused by name, all of it at once", async () => {
  await withWeb(HOSTS, async (web) => {
    const { code, terminal } = await crawl(web, [
      ...["--dashboard", "8080", "--set", "store.migrate=true"],
      ...["--set", "cluster.replicas=7"],
    ]);
    assert.equal(code, 2);
    for (const name of ["--dashboard", "store.migrate", "cluster.replicas"]) {
      assert.ok(terminal.said.includes(name), `${name} in: ${terminal.said}`);
    }
    assert.ok(!existsSync(join(web.folder, "out")));
    assert.equal((await crawl(web, ["--no-dashboard", "-q"])).code, 0);
  });
});

test("every mistake of a command line is listed, and nothing is begun", async () => {
  await withWeb(HOSTS, async (web) => {
    const { code, terminal } = await crawl(web, [
      ...["--delay", "soon", "-n", "many", "--scope", "galaxy", "--zebra"],
      ...["--set", "fetch.retires=3", "--exclude", "HostIs("],
    ]);
    assert.equal(code, 2);
    for (const part of [
      "soon",
      'flag -n: limits.pages: "many"',
      "galaxy",
      "--zebra",
      "fetch.retires",
      "HostIs(",
    ]) {
      assert.ok(terminal.said.includes(part), `${part} in: ${terminal.said}`);
    }
    assert.equal(terminal.written, "");
    assert.ok(!existsSync(join(web.folder, "out")));
  });
});

test("a missing module ends with 2 and leaves nothing that blocks a second attempt", async () => {
  await withWeb(HOSTS, async (web) => {
    const missing = ["--set", "filters.modules=[./missing.mjs]", "--include", "Mine(x)"];
    const { code, terminal } = await crawl(web, missing);
    assert.equal(code, 2);
    assert.match(terminal.said, /missing\.mjs/);
    assert.equal((await crawl(web, ["-q"])).code, 0);
  });
});
