/** With what an agent of a cluster refuses to begin, and what is said about it. */
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { makeToken, printToken } from "../../src/base/transport/index.ts";
import { run } from "../../src/cli/shell/run.ts";
import { type Hosts, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import { needsProgram } from "../support/requirement.ts";
import { AgentProcesses, localFlags, QUICK } from "./agent-processes.ts";

const skip = needsProgram("nats-server");
const SEED = "http://127.0.0.1:9/";

let folder = "";
let out = "";

before(() => {
  folder = mkdtempSync(join(tmpdir(), "trobar-agent-"));
  out = join(folder, "out");
});
after(() => rmSync(folder, { recursive: true }));

async function refused(args: readonly string[]): Promise<string> {
  const environment = { XDG_STATE_HOME: join(folder, "state") };
  const terminal = new RecordedTerminal({ environment });
  const code = await run(["agent", "-o", out, "--min-free-disk", "0", ...args], terminal);
  assert.equal(code, 2, terminal.said);
  assert.equal(terminal.written, "");
  return terminal.said;
}

test("every mistake of a command line is listed, and no directory is made", async () => {
  const said = await refused([
    ...["--expect", "none", "--capacity", "0", "--id", "not an id!", "--join", "nowhere"],
    ...["--listen", "0.0.0.0", "--nats", "ftp://x", "--set", "cluster.heartbeat=1h", "--zebra"],
    SEED,
  ]);
  for (const part of [
    ...["--expect", "--capacity", "--id", "--join", "--listen", "--nats", "--zebra"],
    "cluster.heartbeat",
  ]) {
    assert.ok(said.includes(part), `${part} in ${said}`);
  }
  assert.ok(!existsSync(out));
});

test("flags that contradict each other are refused, and those of another kind of crawl", async () => {
  const both = ["--join", "127.0.0.1:4222", "--nats", "nats://127.0.0.1:4222", SEED];
  assert.match(await refused(both), /only one can be used/);
  assert.match(await refused(["--listen", "0.0.0.0:4222", SEED]), /trobar peers token/);
  assert.match(await refused(["--agents", "3", SEED]), /--agents/);
  assert.match(await refused(["--master", "10.0.0.1:1", SEED]), /--master/);
  assert.ok(!existsSync(out));
});

test("without a seed, somebody to join, or a directory there is nothing to do", async () => {
  const said = await refused([]);
  assert.match(said, /no seed, nobody to join, and no crawl in its directory/);
  assert.match(said, /--stay/);
});

test("a configuration that is too long to be told to others founds no crawl", async () => {
  const path = join(folder, "long.yaml");
  const hosts = Array.from({ length: 40_000 }, (_, number) => `host-${number}.example`);
  writeFileSync(path, `politeness: { blockHosts: [${hosts.join(", ")}] }\n`);
  const said = await refused(["--config", path, SEED]);
  assert.match(said, /takes \d{7} bytes .* Shorten .*politeness\.blockHosts/);
  assert.ok(!existsSync(out));
});

test("a token that cannot be used is refused", async () => {
  const path = join(folder, "no.token");
  writeFileSync(path, "nothing");
  assert.match(await refused(["--token", path, SEED]), /no\.token/);
});

test("without a nats-server that is new enough it is said what to install", async () => {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "nats-server"), "#!/bin/sh\necho nats-server: v2.1.0\n");
  chmodSync(join(bin, "nats-server"), 0o755);
  const agents = new AgentProcesses(folder, []);
  const path = [bin, process.env["PATH"]].join(delimiter);
  const agent = agents.start("old", [SEED], { PATH: path });
  assert.equal(await agent.end(), 2, agent.stderr);
  assert.match(agent.stderr, /2\.9\.10 or newer, and nats-server has version 2\.1\.0/);
  assert.match(agent.stderr, /apt install nats-server/);
  assert.match(agent.stderr, /brew install nats-server/);
});

describe("in a cluster that is there", { skip }, () => {
  const HOSTS: Hosts = () => ({ "a.test": { pages: { "/": { body: "a page" } } } });

  test("strangers, second ones of an id or a directory, and other settings are refused", async () => {
    await withWeb(HOSTS, async (web) => {
      const agents = new AgentProcesses(web.folder, localFlags(web.flags));
      const tokens = ["one", "two"].map((name) => {
        const path = join(web.folder, `${name}.token`);
        writeFileSync(path, printToken(makeToken(null)), { mode: 0o600 });
        return path;
      });
      const [token = "", other = ""] = tokens;
      const flags = [...QUICK, ...web.flags, "--token", token, "--stay"];
      const founder = agents.start("a0", [...flags, web.url("a.test/")]);
      try {
        const join = ["--join", await founder.address()];
        await founder.said('"started"');
        const stranger = agents.start("a1", [...join, "--token", other]);
        const namesake = agents.start("a0", [...join, "--token", token], {}, "second");
        const differing = agents.start("a2", [
          ...[...join, "--token", token, "--delay", "7s"],
          ...["--set", "scope=domain", "--lanes", "3"],
        ]);
        const second = agents.start("a0", [...join, "--token", token]);
        assert.equal(await stranger.end(), 2, stranger.stderr);
        assert.match(stranger.stderr, /CLUSTER_TOKEN_REFUSED/);
        assert.equal(await second.end(), 3, second.stderr);
        assert.equal(await namesake.end(), 3, namesake.stderr);
        assert.match(namesake.stderr, /a0/);
        assert.equal(await differing.end(), 2, differing.stderr);
        assert.match(differing.stderr, /2 mistakes/);
        assert.match(differing.stderr, /politeness\.hostDelay.*shared by all agents/);
        assert.match(differing.stderr, /scope.*shared by all agents/);
        founder.kill("SIGTERM");
        const { reason } = await founder.ended(130);
        assert.equal(reason, "signal");
        await assertKeptApart(agents.folderOf("a0"), web.url("a.test/"));
        const renamed = agents.start("a0", [...join, "--id", "b0", "--capacity", "4"]);
        assert.equal(await renamed.end(), 2, renamed.stderr);
        assert.match(renamed.stderr, /cluster\.id.*legal: a0|cluster\.id[\s\S]*a0/);
        assert.match(renamed.stderr, /cluster\.capacity/);
      } finally {
        agents.close();
        founder.kill("SIGKILL");
      }
    });
  });
});

/** A crawl of a single agent does not go on in the directory of an agent of a cluster. */
async function assertKeptApart(directory: string, seed: string): Promise<void> {
  const terminal = new RecordedTerminal();
  const args = ["crawl", "-o", directory, "--min-free-disk", "0", seed];
  assert.equal(await run(args, terminal), 2, terminal.said);
  assert.match(terminal.said, /trobar agent/);
}
