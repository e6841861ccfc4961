import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { RecordedTerminal } from "../../../test/support/cli/recorded-terminal.ts";
import { MiniCrawler } from "../../../test/support/lab/mini-crawler.ts";
import { SystemClock } from "../../base/time/index.ts";
import { run } from "../shell/run.ts";

/** A terminal that tells when something was written. */
class AwaitedTerminal extends RecordedTerminal {
  #written: () => void = () => {};
  readonly firstOutput: Promise<void> = new Promise((resolve) => {
    this.#written = resolve;
  });

  override out(text: string): void {
    super.out(text);
    this.#written();
  }
}

interface Running {
  readonly terminal: AwaitedTerminal;
  readonly ended: Promise<number>;
}

async function start(line: string, environment = {}): Promise<Running> {
  const terminal = new AwaitedTerminal({ environment });
  const ended = run(["simweb", ...line.split(" ")], terminal);
  await Promise.race([terminal.firstOutput, ended]);
  return { terminal, ended };
}

async function refused(...args: readonly string[]): Promise<string> {
  const terminal = new RecordedTerminal();
  assert.equal(await run(["simweb", ...args], terminal), 2);
  assert.equal(terminal.written, "");
  return terminal.said;
}

function post(port: unknown, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { "Content-Type": "application/json" };
    const options = { host: "127.0.0.1", port: Number(port), method: "POST", path, headers };
    const asked = request(options, (response) => response.resume().on("end", resolve));
    asked.on("error", reject);
    asked.end("{}");
  });
}

test("a web is served, crawled, stopped over its port, and judged", async () => {
  const judge = '{"rules":{"hostDelayMs":0,"addressDelayMs":0}}';
  const line = `--profile plain --hosts 3 --pages 40 --seed 9 --json --judge ${judge}`;
  const { terminal, ended } = await start(line);
  const [listening] = terminal.rows();
  assert(listening !== undefined);
  assert.equal(listening["event"], "listening");
  assert.deepEqual(
    [listening["profile"], listening["seed"], listening["hosts"]],
    ["plain", "9", 3],
  );
  const crawler = new MiniCrawler(new SystemClock(), Number(listening["dnsPort"]), {
    hostDelayMs: 0,
    addressDelayMs: 0,
    depthMax: 99,
    scope: /./,
    keyOf: (url) => url,
  });
  const [seed] = listening["seeds"] as readonly string[];
  await crawler.crawl(seed ?? "");
  await post(listening["controlPort"], "/stop");
  assert.equal(await ended, 0);
  const [, told] = terminal.rows();
  const verdict = told?.["verdict"] as Record<string, unknown>;
  assert.equal(verdict["coverage"], 1, JSON.stringify(verdict));
  assert.equal(verdict["clean"], true, JSON.stringify(verdict));
});

test("people are shown where it listens and how to crawl it, and may interrupt it", async () => {
  const npx = { npm_command: "exec" };
  const { terminal, ended } = await start("--profile plain --hosts 2 --pages 10", npx);
  assert.match(terminal.written, /A plain web \(seed 1\): 2 hosts, 10 URLs\./);
  assert.match(
    terminal.written,
    /\n {2}npx trobar crawl http:\/\/\S+ .*--set 'dns\.servers=\[127\.0\.0\.1:\d+\]' --allow-private/,
  );
  assert.match(terminal.written, /curl --resolve '[^:]+:\d+:127\.[\d.]+' http:/);
  terminal.interrupt();
  assert.equal(await ended, 0);
  assert.match(terminal.written, /No verdict: nothing was asked for\.\n$/);
});

test("a web of ten million pages is there at once", async () => {
  const { terminal, ended } = await start("--profile scale --json");
  const [listening] = terminal.rows();
  assert.ok(Number(listening?.["urls"]) > 9_000_000);
  terminal.interrupt();
  assert.equal(await ended, 0);
});

test("all mistakes are reported at once", async () => {
  const said = await refused(
    ...["--profile", "realstic", "--port", "70000", "--dns-port", "x", "word", "--judge", "[]"],
    ...[
      "--feature",
      "traps.calendar=1",
      "--feature",
      "robots.delay=2",
      "--feature",
      "x",
      "--hosts",
      "0",
    ],
  );
  assert.match(said, /9 mistakes:/);
  assert.match(said, /flag --profile: .*"realstic".*did you mean realistic\?/);
  assert.match(said, /flag --feature: "traps\.calendar" .*did you mean traps\.calendars\?/);
  assert.match(said, /flag --feature: robots\.delay: "2" is too large/);
});

test("the rules to judge by are checked before anything is crawled", async () => {
  const said = await refused(
    "--hosts",
    "2",
    "--judge",
    '{"crawl":{"scop":"any"},"rules":{"hostDelayMs":-1}}',
  );
  assert.match(said, /"scop" is unknown; did you mean scope\?; hostDelayMs must be a number/);
});

test("a port that is taken ends it with one line", async () => {
  const { terminal, ended } = await start("--profile plain --hosts 2 --json");
  const port = String(terminal.rows()[0]?.["port"]);
  const other = new RecordedTerminal();
  assert.equal(await run(["simweb", "--port", port], other), 1);
  assert.match(other.said, /^trobar: The synthetic web cannot listen on 127\.0\.0\.1 at port \d+/);
  terminal.interrupt();
  await ended;
});
