/**
 * The walk through a cluster in README.md, typed as it stands there by a shell. What does not end by itself
 * has a terminal of its own; everything else is typed into another one, line by line. Ports are replaced by
 * free ones, and delays are shorter unless TROBAR_FULL is set.
 */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { run } from "../../src/cli/shell/run.ts";
import type { DEFAULT_RULES, Verdict } from "../../src/lab/simweb/index.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import { BUILT_PROGRAM, TrobarProcess } from "../support/cli/trobar-process.ts";
import { needsProgram } from "../support/requirement.ts";
import { freeAddress } from "../support/topology/free-address.ts";

const isFull = process.env["TROBAR_FULL"] === "1";
const HOST_DELAY_MS = isFull ? 1000 : 200;
const ADDRESS_DELAY_MS = isFull ? 250 : 20;
const QUICK = {
  TROBAR_POLITENESS_HOST_DELAY: `${HOST_DELAY_MS}ms`,
  TROBAR_POLITENESS_IP_DELAY: `${ADDRESS_DELAY_MS}ms`,
  TROBAR_LANES: "1",
  TROBAR_CLUSTER_HEARTBEAT: "200ms",
  TROBAR_CLUSTER_DEAD_AFTER: "8s",
};

const INSTALLS = "apt install nats-server";
const LASTS = /^npx trobar (simweb|agent) /;
const PORTS = ["8000", "8001", "8053", "4223"];
/** What a shell says of a process that was killed. */
const KILLED = 137;
const LOSES_DISK = "rm -r web/4";

/** The commands of the section, without what they are explained by. */
function commands(): readonly string[] {
  const [, section = ""] = readFileSync("README.md", "utf8").split(/^## Several agents$/m);
  const [own = ""] = section.split(/^## /m);
  const blocks = [...own.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
  return blocks.flatMap((block) => block.trimEnd().split("\n"));
}

async function onFreePorts(lines: readonly string[]): Promise<readonly string[]> {
  const ports = new Map<string, string>();
  for (const port of PORTS) ports.set(port, (await freeAddress()).replace(/.*:/, ""));
  const anyPort = new RegExp(`\\b(?:${PORTS.join("|")})\\b`, "g");
  return lines.map((line) => line.replace(anyPort, (port) => ports.get(port) ?? port));
}

class Terminals {
  readonly #folder: string;
  readonly #lasting = new Map<string, TrobarProcess>();
  readonly #typed: TrobarProcess[] = [];
  /** Rejected when what is to go on has ended. */
  readonly #failed: Promise<never>[] = [];
  /** What was started and has not said yet that it runs. */
  #starting: Promise<void>[] = [];

  constructor(folder: string) {
    this.#folder = folder;
    const bin = join(folder, "bin");
    mkdirSync(bin);
    const npx = `#!/bin/sh\nshift\nexec '${process.execPath}' '${BUILT_PROGRAM}' "$@"\n`;
    writeFileSync(join(bin, "npx"), npx);
    chmodSync(join(bin, "npx"), 0o755);
  }

  /** In a terminal of its own, which goes on. */
  start(line: string): void {
    const terminal = this.#type(line);
    const [, agent] = / --id (\w+)/.exec(line) ?? [];
    this.#lasting.set(agent ?? "web", terminal);
    this.#failed.push(this.#failure(line, terminal));
    this.#starting.push(
      agent === undefined ? terminal.wrote() : terminal.said('"event":"started"'),
    );
  }

  /** What it prints, when it has ended. */
  async type(line: string): Promise<string> {
    await Promise.all(this.#starting);
    this.#starting = [];
    const terminal = this.#type(line);
    const code = await Promise.race([terminal.end(), ...this.#failed]);
    assert.equal(code, 0, `${line}\n${terminal.stdout}${terminal.stderr}`);
    return terminal.stdout;
  }

  named(name: string): TrobarProcess {
    return this.#lasting.get(name) ?? assert.fail(`nothing was started as ${name}`);
  }

  close(): void {
    for (const terminal of this.#typed) terminal.killGroup("SIGKILL");
  }

  async #failure(line: string, terminal: TrobarProcess): Promise<never> {
    const code = await terminal.end();
    const isExpected = code === 0 || code === KILLED || code === null;
    assert.ok(isExpected, `${line}\n${terminal.stdout}${terminal.stderr}`);
    return await new Promise(() => undefined);
  }

  #type(line: string): TrobarProcess {
    const environment = {
      ...(isFull ? {} : QUICK),
      XDG_STATE_HOME: join(this.#folder, "state"),
      PATH: [join(this.#folder, "bin"), process.env["PATH"]].join(delimiter),
    };
    const typed = `cd '${this.#folder}' && ${line}`;
    const terminal = new TrobarProcess([typed], environment, ["sh", "-c"]);
    this.#typed.push(terminal);
    return terminal;
  }
}

interface Requested {
  readonly host: string;
  readonly target: string;
}

/** What the web says of those who crawl it. */
class WatchingWeb {
  readonly #control: string;
  readonly #port: string;

  constructor(listening: string) {
    const [, port = ""] = /port (\d+)/.exec(listening) ?? [];
    const [, control = ""] = /control +(\S+)/.exec(listening) ?? [];
    this.#control = control;
    this.#port = port;
  }

  /** The URLs that were asked for until now. */
  async asked(): Promise<ReadonlySet<string>> {
    const lines = (await (await fetch(`${this.#control}log`)).text()).trim().split("\n");
    const requests = lines.map((line) => JSON.parse(line) as Requested);
    return new Set(requests.map(({ host, target }) => `http://${host}:${this.#port}${target}`));
  }

  async judge(rules: Partial<typeof DEFAULT_RULES>): Promise<Verdict> {
    const answer = await fetch(`${this.#control}verdict`, {
      ...{ method: "POST", headers: { "content-type": "application/json" } },
      body: JSON.stringify({ rules }),
    });
    assert.equal(answer.status, 200);
    return (await answer.json()) as Verdict;
  }
}

async function urlsIn(folder: string): Promise<readonly string[]> {
  const terminal = new RecordedTerminal();
  assert.equal(await run(["store", "list", "--json", "-o", folder], terminal), 0, terminal.said);
  return terminal.rows().map(({ url }) => String(url));
}

test("the cluster of README can be typed", { skip: needsProgram("nats-server") }, async (t) => {
  const [first = "", ...lines] = await onFreePorts(commands());
  assert.ok(first.startsWith(`${INSTALLS} `), "the server is installed first");
  assert.ok(lines.some((line) => line.includes(LOSES_DISK)));
  const folder = mkdtempSync(join(tmpdir(), "trobar-readme-"));
  const terminals = new Terminals(folder);
  const printed: string[] = [];
  let web: WatchingWeb | null = null;
  let lost: readonly string[] = [];
  try {
    for (const line of lines) {
      if (LASTS.test(line)) {
        terminals.start(line);
        continue;
      }
      printed.push(await terminals.type(line));
      web ??= new WatchingWeb(terminals.named("web").stdout);
      if (line.includes(LOSES_DISK)) {
        const asked = await web.asked();
        const kept = new Set(await urlsIn(join(folder, "web/1")));
        lost = [...asked].filter((url) => !kept.has(url));
        assert.equal(await terminals.named("d").end(), KILLED);
      }
      // What is typed next is about a crawl that rests.
      if (line.includes("--watch")) {
        for (const agent of "abce") assert.equal(await terminals.named(agent).end(), 0);
      }
    }
    assert(web !== null);
    const verdict = await web.judge({
      ...{ hostDelayMs: HOST_DELAY_MS, addressDelayMs: ADDRESS_DELAY_MS, lostKeys: lost },
    });
    t.diagnostic(`${lost.length} of ${verdict.pages.due} pages were lost`);
    assert.deepEqual([verdict.sins, verdict.coverage], [[], 1]);
    terminals.named("web").killGroup("SIGINT");
    await terminals.named("web").end();
    assert.match(terminals.named("web").stdout, /^Verdict/m);
    for (const agent of "abce") {
      assert.match(terminals.named(agent).stdout, /^Finished: nothing is left to fetch\./);
    }
    const status = printed.at(-2) ?? "";
    assert.match(status, /it has finished: nothing is queued/);
    assert.ok(status.includes(`${verdict.pages.due} pages`), status);
    assert.match(printed.at(-1) ?? "", /^no problem found/);
  } finally {
    terminals.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
