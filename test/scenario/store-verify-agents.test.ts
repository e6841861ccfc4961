/** Directories of agents that share a crawl: what they know of each other is checked, and compared. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { DIRECTORY_CARE } from "../../src/agent/index.ts";
import { version } from "../../src/base/package/index.ts";
import { SeededRandom } from "../../src/base/random/index.ts";
import { run } from "../../src/cli/shell/run.ts";
import { CrawlDirectory } from "../../src/store/directory/index.ts";
import { type CrawledWeb, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import { LINKED, MemberRig } from "./member-rig.ts";

const AGENTS = ["1", "2", "3"];
const SETTINGS = ["politeness.hostDelay=40ms", "store.checkpoint=100ms"];
/** A manifest has all it says twice; the name of a stream may be another one. */
const HARMLESS = /\.manifest$|\/stream$/;
/** What only an agent among others has. */
const OF_AGENTS = /^(?:cluster|inbox|outbox|held|claims|frontier\/(?:foreign|hidden))\//;

type Found = Awaited<ReturnType<typeof DIRECTORY_CARE.verify>>;

async function verified(web: CrawledWeb, folders: readonly string[]): Promise<Found> {
  const scratch = mkdtempSync(join(web.folder, "scratch-"));
  const options = { scratch, version: version(), told: () => undefined };
  const [only = "", ...more] = folders;
  return more.length > 0
    ? await DIRECTORY_CARE.verifyAll(folders, options)
    : await DIRECTORY_CARE.verify(only, options);
}

/** Lets these agents go on, and stops them when the web was asked as often again. */
async function goOn(rig: MemberRig, web: CrawledWeb, requests: number, ids: readonly string[]) {
  const first = web.asked.length === 0;
  const opening = ids.map((id) =>
    rig.open(id, { founds: first && id === "1", expect: first ? 2 : 1 }),
  );
  const agents = await Promise.all(opening);
  const ends = agents.map((agent) => agent.run());
  if (first) await agents[0]?.member.seed([web.url("h0.test/0")]);
  await web.requests(web.asked.length + requests);
  for (const { crawl } of agents) crawl.life.stop();
  await Promise.all(ends);
}

test("what agents know of each other is checked, and damage is told with what follows", async () => {
  await withWeb(LINKED, async (web) => {
    const rig = new MemberRig(web, SETTINGS);
    await goOn(rig, web, 20, ["1", "2"]);
    const older = join(web.folder, "older");
    cpSync(rig.folderOf("2"), older, { recursive: true });
    // Hosts change hands, so that there are claims.
    await goOn(rig, web, 30, AGENTS);
    const folders = AGENTS.map(rig.folderOf.bind(rig));
    const sound = await verified(web, folders);
    assert.deepEqual([sound.problems, sound.cluster], [[], "checked"]);

    const held = CrawlDirectory.open(rig.folderOf("1"));
    const running = new RecordedTerminal();
    await run(["store", "verify", "-o", rig.folderOf("1")], running);
    assert.match(
      running.written,
      /not checked: what agents know of each other, since one of them runs/,
    );
    assert.equal((await verified(web, folders)).cluster, "running");
    held.close();

    const random = new SeededRandom("agents");
    const kinds = new Set<string>();
    for (const folder of folders) {
      const names = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
      for (const name of names.filter((one) => OF_AGENTS.test(one))) {
        const kind = name.replace(/^(outbox|held)\/[^/]+/, "$1/x").replace(/\d+/g, "N");
        const path = join(folder, name);
        const bytes = readFileSync(path);
        if (kinds.has(kind) || bytes.length === 0 || HARMLESS.test(name)) continue;
        kinds.add(kind);
        const wrong = Buffer.from(bytes);
        const at = random.below(wrong.length);
        wrong[at] = (wrong[at] ?? 0) ^ (1 << random.below(7));
        writeFileSync(path, wrong);
        const { problems, countOfProblems } = await verified(web, [folder]);
        assert.ok(countOfProblems > 0, `byte ${at} of ${wrong.length} in ${name} is wrong`);
        assert.ok(
          problems.every(({ remedy }) => /empty (?:one|directory)/.test(remedy)),
          `${name}: ${JSON.stringify(problems)}`,
        );
        writeFileSync(path, bytes);
      }
    }
    for (const kind of [
      "cluster/members",
      "cluster/limits",
      "inbox/in",
      "outbox/x/out",
      "cluster/seeds",
    ]) {
      assert.ok(
        [...kinds].some((one) => one.startsWith(kind)),
        `${kind} in ${[...kinds]}`,
      );
    }

    rmSync(rig.folderOf("2"), { recursive: true });
    cpSync(older, rig.folderOf("2"), { recursive: true });
    assert.deepEqual(
      (await verified(web, [rig.folderOf("2")])).problems,
      [],
      "by itself it is whole",
    );
    const { problems } = await verified(web, folders);
    assert.match(problems[0]?.problem ?? "", /older copy/, JSON.stringify(problems));
    assert.match(String(problems[0]?.file), /^2\/cluster\/members/);
    const terminal = new RecordedTerminal();
    const code = await run(["store", "verify", "-o", join(rig.folderOf("2"), "..")], terminal);
    assert.equal(code, 4);
    assert.match(terminal.written, /2\/cluster\/members.*older copy/);
  });
});
