/** Agents of several versions: a cluster is upgraded while it crawls, and other major versions are kept apart. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { crc32 } from "node:zlib";
import { parseChecked, printChecked } from "../../src/base/folder/index.ts";
import { run } from "../../src/cli/shell/run.ts";
import { type CrawledWeb, withWeb } from "../support/agent/crawl-rig.ts";
import { assertPolite } from "../support/agent/polite-visits.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import { needsProgram } from "../support/requirement.ts";
import { AgentProcesses, localFlags, QUICK } from "./agent-processes.ts";
import { again, HOSTS_COUNT, LINKED, PAGES } from "./member-rig.ts";

const skip = needsProgram("nats-server");
const PRELOAD = import.meta.resolve("./other-version-preload.ts");
const HOST_DELAY_MS = 100;
const ADDRESS_DELAY_MS = 10;
const DELAYS = ["--delay", `${HOST_DELAY_MS}ms`, "--ip-delay", `${ADDRESS_DELAY_MS}ms`];

/** The environment of an agent that speaks this version. */
function speaking(version: string): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--import=${PRELOAD}`, MESSAGES_VERSION_FOR_TEST: version };
}

const NEXT_MINOR = speaking("0x11");
const NEXT_MAJOR = speaking("0x21");

/** How many messages of other versions an agent has not taken. */
async function droppedBy(directory: string): Promise<number> {
  const terminal = new RecordedTerminal();
  assert.equal(await run(["peers", "--json", "-o", directory], terminal), 0, terminal.said);
  const [{ members }] = terminal.rows() as unknown as [
    { members: { self: boolean; status: { dropped: Record<string, number> } }[] },
  ];
  return members.find(({ self }) => self)?.status.dropped["version"] ?? 0;
}

function assertOnceAndPolitely(web: CrawledWeb): void {
  assert.deepEqual([web.asked.length, again(web.asked)], [HOSTS_COUNT * PAGES, []]);
  assertPolite(web, { hostDelayMs: HOST_DELAY_MS, addressDelayMs: ADDRESS_DELAY_MS }, "upgrade");
}

describe("agents of several versions", { skip }, () => {
  test("are exchanged one at a time while they crawl; a major version is not heard, and told of", async () => {
    await withWeb(LINKED, async (web) => {
      const agents = new AgentProcesses(web.folder, localFlags(web.flags));
      try {
        const flags = [...QUICK, ...web.flags, ...DELAYS, "--scope", "any", "--expect", "2"];
        const founding = [...flags, web.url("h0.test/0")];
        const founder = agents.start("a0", founding);
        const joining = ["--join", await founder.address()];
        const newer = agents.start("a1", joining, NEXT_MINOR);
        const apart = agents.start("a2", joining, NEXT_MAJOR);
        await founder.said("CLUSTER_VERSION_DIFFERS");
        assert.match(founder.stderr, /agent a2 speaks version 2 .* this one version 1/);
        await apart.said("The agent a0 speaks version 1");
        await web.requests(20);
        assert.ok((await droppedBy(agents.folderOf("a0"))) > 0);
        apart.kill("SIGTERM");
        assert.equal(await apart.end(), 130, apart.stderr);
        founder.kill("SIGTERM");
        const { reason } = await founder.ended(130);
        assert.equal(reason, "signal");
        const upgraded = agents.start("a0", founding, NEXT_MINOR);
        for (const agent of [newer, upgraded]) {
          const end = await agent.ended(0);
          assert.deepEqual([end.reason, end.agents, end.coverage], ["exhausted", 2, 1]);
        }
        assertOnceAndPolitely(web);
        await assertNotReadByOlder(agents.folderOf("a0"));
      } finally {
        agents.close();
      }
    });
  });
});

/** Files of a newer version are named, and nothing is changed. */
async function assertNotReadByOlder(directory: string): Promise<void> {
  for (const file of ["crawl.json", "cluster/members"]) {
    const path = join(directory, file);
    const whole = readFileSync(path, "utf8");
    writeFileSync(path, printChecked({ ...parseChecked(whole, "must-have"), format: 9 }, 1));
    const before = filesIn(directory);
    const terminal = new RecordedTerminal({ environment: { XDG_STATE_HOME: directory } });
    const args = ["agent", "-q", "-o", directory, "--min-free-disk", "0"];
    assert.equal(await run(args, terminal), 4, terminal.said);
    assert.match(terminal.said, /a newer version of Trobar/, file);
    assert.deepEqual(filesIn(directory), before, file);
    writeFileSync(path, whole);
  }
}

/** With their checksums; but for those of the server, of whoever holds the directory, and of readers. */
function filesIn(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/[/](?:mesh|trobar)[/]|\.lock|-(?:wal|shm)$/.test(path))
    .map((path) => `${path} ${crc32(readFileSync(path))}`)
    .sort();
}
