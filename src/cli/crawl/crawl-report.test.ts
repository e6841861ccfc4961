import assert from "node:assert/strict";
import { test } from "node:test";
import type { CrawlSummary } from "../../agent/index.ts";
import { ERRORS } from "../../base/errors/index.ts";
import { type CrawlReport, reportText } from "./crawl-report.ts";

const SUMMARY = {
  ...{ state: "finished", reason: "exhausted", pages: 1234, fetches: 1300, urls: 9000, queued: 0 },
  ...{ bytes: 1_300_000_000, seconds: 200, pagesPerSecond: 6.2, status: { 200: 1234 } },
  ...{ refused: {}, errors: {}, duplicates: 1, nearDuplicates: 0, hosts: 1, agents: 1, idle: {} },
  ...{
    views: 1,
    outbox: { pending: 0, lagSeconds: 0, retained: 0 },
    limit: null,
    failedSeeds: [],
    memory: {},
  },
  ...{ truncated: 0, requisites: 0, missing: [], balance: 1, overhead: 0, coverage: 1 },
} as unknown as CrawlSummary;

function textWith(changes: Partial<CrawlSummary>, report: Partial<CrawlReport> = {}): string {
  return reportText({
    summary: { ...SUMMARY, ...changes },
    limits: { pages: 1234, bytes: 2 ** 31, time: 90_000 },
    folder: "my crawl",
    kept: {
      archiveFiles: 3,
      archiveBytes: 1.5 * 2 ** 30,
      logBytes: 300_000,
      lineFiles: 0,
      lineBytes: 0,
    },
    ...{ rows: null, colour: false, compression: "gzip", program: "trobar", args: [] },
    ...report,
  });
}

test("of a crawl of several agents it is said what they told each other, and who is missing", () => {
  assert.doesNotMatch(textWith({}), /agents/);
  const missing = [{ agent: "rack\u001b2", why: "dead" as const }];
  const text = textWith({ agents: 3, balance: 0.934, overhead: 1.5, missing });
  assert.match(text, /\n {2}agents +3, balance 0\.93, 1\.50 URLs told others for each page\n/);
  assert.match(text, /\n {2}without +the parts of rack\\x1b2 \(dead\)\n/);
});

test("an agent goes on by the command that has started it", () => {
  const text = textWith({ state: "stopped", reason: "signal", queued: 9 }, { command: "agent" });
  assert.match(text, /\n {2}the same command goes on with it, and `trobar set` changes/);
  assert.doesNotMatch(text, /trobar crawl/);
  const limited = { reason: "limit", limit: "pages", queued: 9 } as const;
  assert.match(textWith(limited, { command: "agent" }), /with a higher limit and --change/);
});

test("the end says what is kept where, in sizes that people read", () => {
  const text = textWith({});
  assert.match(text, /1,234 of 1 host, 1\.2 GiB/);
  assert.match(text, /1 duplicate, 0 near duplicates/);
  assert.match(
    text,
    /stored in my crawl\n {4}warc +the archive: 3 files, 1\.5 GiB\n.* 293\.0 KiB\n/,
  );
  assert.ok(!/\d{7}/.test(text), text);
  assert.match(text, /Next:\n {2}trobar store list -o 'my crawl' {4}the pages as a table\n/);
  assert.match(text, /\n {2}trobar store export jsonl --text -o 'my crawl' {4}/);
});

test("the page that can be looked at is a seed that was answered, without its password", () => {
  const got = (args: string[], changes: Partial<CrawlSummary> = {}): string[] =>
    textWith(changes, { args }).match(/trobar store get .*/g) ?? [];
  assert.deepEqual(got(["-n", "5", "https://a.test/?b", "c.test"]), [
    "trobar store get 'https://a.test/?b' -o 'my crawl'    the body of a page",
  ]);
  assert.deepEqual(got(["-i", "seeds.txt"]), []);
  assert.deepEqual(got(["https://me:hidden@a.test/"]), []);
  const failedSeeds = [{ url: "http://a/", why: "x", message: "", remedy: "" }];
  assert.deepEqual(got(["a.test"], { failedSeeds }), []);
  assert.ok(!textWith({}, { args: ["a.test"], kind: "jsonl" }).includes("store get"));
});

test("what an agent proposes to look at is where all agents have their pages, or there", () => {
  const next = (changes: Partial<CrawlReport>): string =>
    textWith({}, { args: ["a.test"], command: "agent", folder: "m/1", ...changes });
  assert.match(next({ folderOfAll: "m" }), /store list -o m .*\n.* store get a\.test -o m /);
  assert.match(next({}), /store list -o m\/1 /);
  assert.doesNotMatch(next({}), /store get/);
});

test("a file of rows is named beside what the directory holds, with its size", () => {
  const text = textWith({}, { rows: { name: "my\u001b[2J.csv", bytes: 2048 } });
  assert.match(text, / 293\.0 KiB\n {2}pages in {2}my.*\.csv: 2\.0 KiB\n/);
  assert.ok(!text.includes("\u001b"), JSON.stringify(text));
  assert.ok(!textWith({}).includes("pages in"));
});

test("no name of a folder writes to the terminal anything but itself", () => {
  const text = textWith({}, { folder: "a\u001b[2Jb\u202ec" });
  const obeyed = ["\u001b", "\u202e"].filter((character) => text.includes(character));
  assert.deepEqual(obeyed, [], JSON.stringify(text));
  assert.match(text, /stored in a.*b.*c\n/);
  assert.ok(text.includes("list -o $'a\\x1b[2Jb\\xe2\\x80\\xaec'  "), "as bash reads it");
});

test("the limit that was reached is named with its flag", () => {
  const reached = (limit: CrawlSummary["limit"]) => textWith({ reason: "limit", limit });
  assert.match(reached("pages"), /^Finished: the limit of 1,234 pages was reached \(-n\)\.\n/);
  assert.match(
    reached("bytes"),
    /^Finished: the limit of 2\.0 GiB was reached \(--max-bytes\)\.\n/,
  );
  assert.match(reached("time"), /^Finished: the time of 1m 30s is over \(--max-time\)\.\n/);
});

test("after an interruption it says what remains", () => {
  const text = textWith({ state: "stopped", reason: "signal", queued: 7766 });
  assert.match(text, /^Stopped: it was interrupted\./);
  assert.match(text, /trobar crawl -o 'my crawl' {4}go on with the 7,766 URLs that are queued\n/);
  assert.ok(!textWith({}).includes("go on with"), "nothing remains of what ended by itself");
});

test("how to go on after a limit is a command with a higher one, and what no directory keeps", () => {
  const limited = { reason: "limit", limit: "pages", queued: 1 } as const;
  const args = ["https://a.test/", "-n", "1234", "--pages", "p.csv", "--text", "-o", "my crawl"];
  assert.match(
    textWith(limited, { args }),
    /trobar crawl --pages p\.csv --text -o 'my crawl' -n 2468 {4}go on with the 1 URL that is queued\n/,
  );
  const time = textWith({ ...limited, limit: "time", seconds: 91 });
  assert.match(time, /crawl -o 'my crawl' --max-time 180s/);
});

test("a run that went on says so, and whether the limit was used up before it", () => {
  const limited = { reason: "limit", limit: "pages", queued: 1 } as const;
  const went = textWith(limited, { pagesBefore: 1000 });
  assert.match(went, /\n {2}of these {2}234 in this run, which went on with the crawl\n/);
  assert.match(went, /^Finished: the limit of 1,234 pages was reached \(-n\)\.\n/);
  const spent = textWith(limited, { pagesBefore: 1234 });
  assert.match(spent, /^Finished: the limit .* \(-n\), which earlier runs had used up: raise it/);
  const lower = textWith({ ...limited, pages: 5000 }, { pagesBefore: 5000 });
  assert.match(lower, / -n 9872 {4}go on/, "it is above what was used");
});

test("the commonest failures are listed with their remedies", () => {
  const errors = { DNS_NOT_FOUND: 2, FETCH_TIMED_OUT: 40, FETCH_PROTOCOL: 9, FETCH_TLS_FAILED: 1 };
  const text = textWith({ errors });
  assert.match(text, /What failed:\n {2}FETCH_TIMED_OUT \(40\): /);
  for (const code of ["FETCH_TIMED_OUT", "FETCH_PROTOCOL", "DNS_NOT_FOUND"] as const) {
    assert.ok(text.includes(`    ${ERRORS[code].remedy}\n`), code);
  }
  assert.ok(!text.includes(ERRORS.FETCH_TLS_FAILED.remedy), "three of them at most");
});

test("files of lines are read by the program for their compression", () => {
  const kept = { archiveFiles: 0, archiveBytes: 0, logBytes: 1, lineFiles: 2, lineBytes: 9 };
  const read = (compression: CrawlReport["compression"]): string =>
    textWith({}, { compression, kind: "jsonl", kept });
  assert.match(read("zstd"), /\n {2}zstdcat 'my crawl'\/pages\/\*\.jsonl\* \| less/);
  assert.match(read("none"), /\n {2}zcat -f 'my crawl'/);
});

function nextAfter(why: string, changes: Partial<CrawlReport> = {}, status = {}): string {
  const url = "https://a.test/?x=1&y";
  const failedSeeds = [{ url, why, message: "It failed.", remedy: "`trobar help` helps." }];
  return textWith({ pages: 0, failedSeeds, status }, changes).split("Next:\n")[1] ?? "";
}

test("if nothing was fetched, the next step is the one that helps most", () => {
  assert.match(nextAfter("port"), /trobar crawl 'https:\/\/a\.test\/\?x=1&y' --allow-private/);
  assert.match(nextAfter("robots"), /trobar inspect robots 'http/);
  assert.match(nextAfter("FETCH_TLS_CERTIFICATE"), /--set fetch\.insecure=true/);
  assert.match(nextAfter("FETCH_TLS_FAILED"), /trobar crawl 'http:\/\/a\.test\/\?x=1&y' /);
  assert.match(nextAfter("404"), /trobar inspect links 'http/);
  assert.equal(nextAfter("DNS_NOT_FOUND"), "", "no command helps against a wrong name");
  assert.equal(nextAfter("FETCH_PROXY_FAILED"), "", "nor against a proxy that is not there");
});

test("a page behind a password is crawled again with one, over the answer that is kept", () => {
  const next = nextAfter("401", {}, { 401: 1 });
  assert.match(next, /^ {2}trobar crawl 'https:\/\/USER:PASSWORD@a\.test\/\?x=1&y' --fresh /);
});

test("the next step has the flags that the crawl had, quoted", () => {
  const args = ["-o", "my dir", "--allow-private", "x.test", "--set", "dns.servers=[::1]", "-n9"];
  const again = nextAfter("FETCH_TLS_CERTIFICATE", { args: [...args, "--fresh", "-i", "urls"] });
  assert.match(
    again,
    /y' -o 'my dir' --allow-private --set 'dns\.servers=\[::1\]' -n 9 --set fetch\.insecure=true {4}/,
  );
  assert.match(
    nextAfter("404", { args }),
    /inspect links \S+ --allow-private --set 'dns\.servers=\[::1\]' {4}/,
  );
});

test("no secret of the command line is printed, and what is missing is named", () => {
  const secrets = [
    ...["--header", "Authorization: Bearer hidden", "--set", "fetch.headers={X: hidden}"],
    ...["--set=fetch.proxy=http://me:hidden@proxy:1/", "https://me:hidden@a.test/", "-q"],
  ];
  const text = nextAfter("FETCH_TLS_CERTIFICATE", { args: secrets });
  assert.ok(!text.includes("hidden"), text);
  assert.match(
    text,
    / -q .* \(add your --header, --set fetch\.headers, --set fetch\.proxy, user and password\)\n/,
  );
});

test("commands are named as the user started this one", () => {
  assert.match(nextAfter("404", { program: "npx trobar" }), /^ {2}npx trobar inspect links/);
  const failedSeeds = [{ url: "http://a/", why: "x", message: "", remedy: "`trobar x` helps." }];
  assert.match(textWith({ failedSeeds }, { program: "npx trobar" }), /`npx trobar x` helps\./);
});
