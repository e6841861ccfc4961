/** The commands that ask a crawl or change it: while it runs, when it rests, and on damaged directories. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { run } from "../../src/cli/shell/run.ts";
import { CrawlDirectory } from "../../src/store/directory/index.ts";
import { type CrawledWeb, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import { TrobarProcess } from "../support/cli/trobar-process.ts";

const SITE = () => {
  const names = Array.from({ length: 200 }, (_, index) => `/${index}`);
  const pages = Object.fromEntries(names.map((name) => [name, { body: `page ${name}` }]));
  return {
    "a.test": { pages: { "/": linking(...names), ...pages } },
    "b.test": { pages: { "/": { body: "another" } } },
  };
};

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function command(...argv: readonly string[]): Promise<Said> {
  const terminal = new RecordedTerminal();
  const code = await run(argv, terminal);
  return { code, out: terminal.written, err: terminal.said };
}

/** The JSON of a command that succeeds. */
async function asked(...argv: readonly string[]) {
  const { code, out, err } = await command(...argv, "--json");
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

function crawl(web: CrawledWeb, folder: string, ...args: readonly string[]): TrobarProcess {
  const flags = [...web.flags, "--delay", "20ms", "--json", "-o", folder, ...args];
  return new TrobarProcess(["crawl", ...flags, web.url("a.test/")]);
}

test("a running crawl is asked, paused, given seeds, resumed and stopped; then it goes on", async () => {
  await withWeb(SITE, async (web) => {
    const folder = join(web.folder, "out");
    const where = ["-o", folder];
    const first = crawl(web, folder);
    // The second page is asked for when the API has long been there.
    await web.requests(4);
    const running = await asked("status", ...where);
    assert.deepEqual([running.state, running.reason], ["running", "none"]);
    const shown = await command("status", ...where);
    assert.match(shown.out, /^out: running\n.* pages? .*\nlimited by /);
    const paused = await asked("pause", ...where);
    assert.deepEqual([paused.state, paused.idle.paused], ["paused", 1]);
    assert.match((await command("status", ...where)).out, /limited by you: it is paused/);
    const seeds = [web.url("b.test/"), web.url("a.test/"), "no url"];
    const added = await asked("seed", ...seeds, ...where);
    const fates = added.seeds.map(({ fate }: { fate: string }) => fate);
    assert.deepEqual([added.running, ...fates], [true, "added", "known", "invalid"]);
    assert.equal(added.agents, 1);
    const known = await command("seed", web.url("b.test/"), ...where);
    assert.match(known.out, /: 0 seeds added; 1 seed it had before\n$/);
    await changes(web, where);
    const story = await asked("explain", web.url("a.test/199"), ...where);
    assert.deepEqual([story.state, story.reason], ["queued", "accepted"]);
    const next = await asked("explain", web.url(`a.test/${web.asked.length}`), ...where);
    assert.ok(
      next.story.some(({ what }: { what: string }) => what === "queued"),
      "it is in memory",
    );
    assert.equal((await asked("explain", web.url("a.test/"), ...where)).state, "fetched");
    assert.equal((await command("explain", "mailto://a", ...where)).code, 6);
    assert.equal((await asked("resume", ...where)).state, "running");
    const stopped = await asked("stop", ...where);
    assert.equal(stopped.state, "stopped");
    assert.equal(await first.end(), 130);
    await asksTheDirectory(web, folder, stopped.pages);
    const second = crawl(web, folder, "--delay", "0");
    assert.equal(await second.end(), 0, second.stderr);
    const { pages, state } = JSON.parse(second.stdout);
    assert.deepEqual([pages, state], [202, "finished"]);
    assert.ok(!existsSync(join(folder, "orders.json")));
    const over = await command("status", ...where);
    assert.match(over.out, /not running: it has finished/);
    assert.equal(web.asked.filter((place) => place === "b.test/").length, 1);
  });
});

/** Settings and hosts of a running crawl, which is paused. */
async function changes(web: CrawledWeb, where: readonly string[]): Promise<void> {
  const set = await command("set", "politeness.hostDelay=30ms", "fetch.retries=1", ...where);
  assert.deepEqual([set.code, set.err], [0, ""]);
  assert.equal(set.out, "politeness.hostDelay: 30ms\nfetch.retries: 1\n");
  for (const [word, said] of [
    ["frontier.shards=2", /frontier\.shards/],
    ["fetch.retries=many", /fetch\.retries/],
  ] as const) {
    const { code, err } = await command("set", word, ...where);
    assert.equal(code, 2, word);
    assert.match(err, said);
  }
  const several = ["fetch.retries=7", "no.such=1", "limits.pagez=1", "scope=any", "web.no=1"];
  const wrong = await command("set", ...several, "frontier", ...where);
  assert.deepEqual([wrong.code, wrong.out], [2, ""]);
  assert.match(wrong.err, /5 mistakes:\n.* no\. 2: "no\.such" is not a key of .*UNIT\.KEY\./);
  assert.match(wrong.err, /no\. 3: "limits\.pagez" .* did you mean limits\.pages\?/);
  assert.match(wrong.err, /no\. 4: scope cannot be changed while the crawl runs: it is fixed/);
  assert.match(wrong.err, /no\. 5: "web\.no" is not a key of the unit web/);
  assert.match(wrong.err, /no\. 6: "frontier" is not KEY=VALUE/);
  assert.match((await command("set", "fetch.retries=1", ...where)).out, /^fetch\.retries: 1\n$/);
  const { hosts } = await asked("hosts", "--sort", "queued", ...where);
  assert.equal(hosts[0].host, "a.test");
  assert.match(
    (await command("hosts", ...where)).out,
    /^host +state +pages +queued +delay\na\.test /,
  );
  const { queued } = await asked("hosts", "block", "a.test", ...where);
  assert.ok(queued > 0);
  assert.match((await command("hosts", "unblock", "a.test", ...where)).out, /no longer blocked/);
  assert.match((await command("hosts", "purge", "c.test", ...where)).out, /not met this host yet/);
  assert.ok(web.asked.length > 0);
}

/** What can be asked of a crawl that rests, and what cannot. */
async function asksTheDirectory(web: CrawledWeb, folder: string, pages: number): Promise<void> {
  const where = ["-o", folder];
  const resting = await asked("status", ...where);
  assert.deepEqual([resting.running, resting.state, resting.pages], [false, "stopped", pages]);
  assert.ok(resting.queued > 0);
  const shown = await command("status", ...where);
  assert.match(shown.out, /^out is not running: it was stopped, and the same command goes on/);
  for (const argv of [
    ...[["pause"], ["resume"], ["stop"], ["set", "fetch.retries=1"], ["hosts"]],
    ["hosts", "block", "a.test"],
  ]) {
    const { code, err } = await command(...argv, ...where);
    assert.equal(code, 6);
    assert.match(err, /is not running.*trobar status/);
    assert.ok(err.includes(`\`trobar status -o ${folder}\``), err);
  }
  const added = await asked("seed", web.url("a.test/extra"), web.url("a.test/"), ...where);
  const fates = added.seeds.map(({ fate }: { fate: string }) => fate);
  assert.deepEqual([added.running, ...fates], [false, "added", "known"]);
  const again = await command("seed", web.url("a.test/extra"), ...where);
  assert.match(again.out, /0 seeds added; 1 seed it had before/);
}

test("a crawl is watched until it ends, and reached by its URL and token", async () => {
  await withWeb(SITE, async (web) => {
    const folder = join(web.folder, "out");
    const process = crawl(web, folder);
    await web.requests(4);
    const watcher = new TrobarProcess(["status", "--watch", "--json", "-o", folder]);
    await watcher.wrote();
    const { url } = JSON.parse(readFileSync(join(folder, "api.json"), "utf8"));
    const token = readFileSync(join(folder, "api.token"), "utf8").trim();
    const ask = async (
      environment: Record<string, string>,
    ): Promise<RecordedTerminal & { code: number }> => {
      const terminal = new RecordedTerminal({ environment });
      const code = await run(["status", "--api", url, "--json"], terminal);
      return Object.assign(terminal, { code });
    };
    const allowed = await ask({ TROBAR_TOKEN: token });
    assert.equal(JSON.parse(allowed.written).state, "running");
    const refused = await ask({ TROBAR_TOKEN: "x".repeat(40) });
    assert.equal(refused.code, 2);
    assert.match(refused.said, /token/);
    assert.equal((await command("stop", "--now", "-o", folder)).code, 0);
    assert.equal(await process.end(), 130);
    assert.equal(await watcher.end(), 0, watcher.stderr);
    const states = watcher.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).state);
    assert.deepEqual([states[0], states.at(-1)], ["running", "stopped"]);
    const gone = await ask({ TROBAR_TOKEN: token });
    assert.equal(gone.code, 6);
  });
});

test("of a crawl that was killed, status tells how it stood at its last checkpoint", async () => {
  await withWeb(SITE, async (web) => {
    const folder = join(web.folder, "out");
    const killed = crawl(web, folder, "--set", "store.checkpoint=100ms");
    await web.requests(20);
    killed.kill("SIGKILL");
    await killed.end();
    const { state, reason, running, pages, queued } = await asked("status", "-o", folder);
    assert.deepEqual(
      { state, reason, running },
      { state: "stopped", reason: "killed", running: false },
    );
    assert.ok(pages + queued > 0);
    const { out } = await command("status", "-o", folder);
    assert.match(out, /^out is not running: it was killed, and the same command .*:\n.* queued/);
    // One that another process has, and that does not answer, was not killed.
    const holder = CrawlDirectory.open(folder);
    const held = await asked("status", "-o", folder);
    assert.deepEqual([held.state, held.running], ["running", true]);
    holder.close();
  });
});

test("damaged directories and remains of killed processes are told of", async () => {
  await withWeb(SITE, async (web) => {
    const { folder } = await web.crawl(["a.test/"], ["-n", "3"]);
    const limit = await command("status", "-o", folder);
    assert.match(limit.out, /it has reached a limit/);
    writeFileSync(join(folder, "api.json"), '{"url":"http://127.0.0.1:1","token":"api.token"}');
    assert.match((await command("status", "-o", folder)).out, /is not running/);
    writeFileSync(join(folder, "api.json"), "{");
    assert.match((await command("status", "-o", folder)).out, /is not running/);
    writeFileSync(join(folder, "orders.json"), "{");
    const { code, err } = await command("seed", web.url("b.test/"), "-o", folder);
    assert.equal(code, 4);
    assert.match(err, /orders\.json cannot be read/);
    const unbegun = await command("store", "verify", "--rebuild", "-q", "-o", folder);
    assert.equal(unbegun.code, 4);
    assert.match(unbegun.err, /orders\.json cannot be read/);
    assert.ok(!existsSync(join(folder, "rebuild.json")), "nothing was begun");
    rmSync(join(folder, "orders.json"));
    writeFileSync(join(folder, "retried.json"), "{");
    const again = await command("crawl", "-o", folder);
    assert.equal(again.code, 4);
    assert.match(again.err, /retried\.json cannot be read.*remove it/);
    rmSync(join(folder, "retried.json"));
    writeFileSync(join(folder, "rebuild.json"), "{");
    const verified = await command("store", "verify", "-q", "-o", folder);
    assert.equal(verified.code, 4);
    assert.match(
      verified.out,
      /rebuild\.json.* cannot be read.* remove rebuild\.json and the folder/,
    );
    rmSync(join(folder, "rebuild.json"));
    writeFileSync(
      join(folder, "crawl.db"),
      "not a database, whatever it is called and however long",
    );
    rmSync(join(folder, "crawl.db-wal"), { force: true });
    const damaged = await command("status", "-o", folder);
    assert.equal(damaged.code, 6);
    assert.match(damaged.err, /store stats/);
    rmSync(join(folder, "crawl.db"));
    const holder = CrawlDirectory.open(folder);
    const starting = await command("status", "-o", folder);
    assert.equal(starting.code, 6);
    assert.match(starting.err, /is starting, and has nothing to show yet/);
    holder.close();
    rmSync(join(folder, "config.yaml"));
    for (const argv of [["seed", web.url("b.test/")], ["crawl"]]) {
      const said = await command(...argv, "-o", folder);
      assert.equal(said.code, 4, argv[0]);
      assert.match(said.err, /config\.yaml of the crawl directory cannot be used: it is missing/);
    }
  });
});

test("bad uses of each command are refused", async () => {
  for (const [argv, said] of [
    [["status", "now"], /takes no "now"/],
    [["pause", "--jsn"], /--json/],
    [["resume", "-o", "no-such-folder"], /no crawl in/],
    [["stop", "--api", "127.0.0.1:80"], /not the URL of an API/],
    [["seed"], /needs more/],
    [["set", "a", "b"], /2 mistakes.*"a" is not KEY=VALUE.*"b" is/s],
    [["hosts", "what"], /takes no "what"/],
    [["hosts", "block"], /needs more/],
    [["hosts", "purge", "a.test", "b.test"], /one host at a time/],
    [["seed", "http://a.test/", "-o", "no-such-folder"], /no crawl in/],
  ] as const) {
    const { code, err } = await command(...argv);
    assert.equal(code, 2, argv.join(" "));
    assert.match(err, said);
  }
  const { code, err } = await command("status", "--api", "http://127.0.0.1:1");
  assert.equal(code, 6);
  assert.match(err, /No crawl can be asked/);
});
