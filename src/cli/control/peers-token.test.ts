import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { RecordedTerminal } from "../../../test/support/cli/recorded-terminal.ts";
import { SeededRandom } from "../../base/random/index.ts";
import { parseToken } from "../../base/transport/index.ts";
import { readConfiguration } from "../../rules/config/index.ts";
import { CrawlDirectory } from "../../store/directory/index.ts";
import { run } from "../shell/run.ts";

async function tokenFrom(...flags: readonly string[]): Promise<string> {
  const terminal = new RecordedTerminal();
  assert.equal(await run(["peers", "token", ...flags], terminal), 0, terminal.said);
  return terminal.written;
}

test("a new token comes at every call", async () => {
  const texts = [await tokenFrom(), await tokenFrom()];
  for (const text of texts) assert.equal(parseToken(text).ok, true);
  assert.notEqual(texts[0], texts[1]);
});

test("a token for a directory is for its crawl", async () => {
  const folder = mkdtempSync(join(tmpdir(), "trobar-peers-"));
  const path = join(folder, "crawl");
  const reading = readConfiguration({ files: [] });
  assert(reading.ok);
  const directory = CrawlDirectory.create(path, {
    ...{ configuration: reading.configuration, version: "0.1.0", capacity: 1, createdAtMs: 0 },
    random: new SeededRandom("peers token"),
  });
  const parsed = parseToken(await tokenFrom("-o", path));
  assert.equal(parsed.ok && parsed.token.crawl, directory.identity.crawl);
  directory.close();
  rmSync(folder, { recursive: true });
});

test("there is no token for a crawl that is not there, and no words are taken", async () => {
  assert.equal(await run(["peers", "token", "-o", "/nowhere"], new RecordedTerminal()), 2);
  assert.equal(await run(["peers", "token", "please"], new RecordedTerminal()), 2);
});
