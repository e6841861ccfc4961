import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { RecordedTerminal } from "../../../test/support/cli/recorded-terminal.ts";
import { SeededRandom } from "../../base/random/index.ts";
import { CrawlDirectory } from "../../store/directory/index.ts";
import {
  type AgentArguments,
  agentFolder,
  isFounder,
  readAgentArguments,
  withRecorded,
} from "./agent-arguments.ts";

const SEEDS = ["https://example.org/"];

function read(...words: readonly string[]): AgentArguments {
  return readAgentArguments(words, new RecordedTerminal());
}

test("whoever has nobody to join and is given seeds founds a crawl", () => {
  const founds = (seeds: readonly string[], ...words: readonly string[]): boolean => {
    const { configuration } = read(...words);
    return isFounder({ configuration, seeds, folder: "x", isKnown: false, stays: false });
  };
  assert.equal(founds(SEEDS), true);
  assert.equal(founds(SEEDS, "--join", "127.0.0.1:4223"), false);
  assert.equal(founds(SEEDS, "--nats", "nats://127.0.0.1:4222"), true);
  assert.equal(founds([], "--nats", "nats://127.0.0.1:4222"), false);
  assert.throws(() => founds([]), /Nothing to crawl/);
});

test("a directory that nobody names is named after the first seed, or after the id", () => {
  const { configuration } = read("--id", "b", "--join", "127.0.0.1:4223");
  assert.equal(agentFolder(null, SEEDS, configuration), "crawl-example.org");
  assert.equal(agentFolder(null, [], configuration), "crawl-b");
  assert.equal(agentFolder("here", SEEDS, configuration), "here");
});

test("all mistakes are told together", () => {
  assert.throws(() => read("--expect", "0", "--join", "nowhere"), /2 mistakes.*join.*--expect/s);
});

test("what a directory records of an agent's own keys counts where nothing else is given", (context) => {
  const folder = mkdtempSync(join(tmpdir(), "trobar-agent-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "crawl");
  const before = read("--listen", "127.0.0.1:4223", "--set", "dns.servers=[192.0.2.1:53]");
  CrawlDirectory.create(path, {
    configuration: { ...before.configuration, seeds: SEEDS },
    ...{ version: "1", capacity: 1, createdAtMs: 0, random: new SeededRandom("1") },
  }).close();
  const { configuration } = withRecorded(read("--listen", "127.0.0.1:4224"), path);
  assert.deepEqual(configuration.dns.servers, ["192.0.2.1:53"]);
  assert.equal(configuration.cluster.listen, "127.0.0.1:4224");
  assert.deepEqual(configuration.seeds, []);
});
