/** A crawl by a topology of the user, as the command line starts it. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { run } from "../../src/cli/shell/run.ts";
import { crawlLines, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";

const DEFAULT = readFileSync("src/agent/topology/crawl.yaml", "utf8");
const HOSTS = () => ({ "a.test": { pages: { "/": linking("/x"), "/x": linking() } } });

interface Ran {
  readonly code: number;
  readonly said: string;
  readonly folder: string;
}

async function crawl(topology: string, look: (ran: Ran) => Promise<void> | void): Promise<void> {
  await withWeb(HOSTS, async (web) => {
    const file = join(web.folder, "topology.yaml");
    writeFileSync(file, topology);
    const folder = join(web.folder, "crawled");
    const terminal = new RecordedTerminal();
    const code = await run(
      ["crawl", ...web.flags, web.url("a.test/"), "--out", folder, "--set", `topology=${file}`],
      terminal,
    );
    await look({ code, said: terminal.said, folder });
  });
}

test("a copy of the default topology gives the same crawl", async () => {
  await crawl(DEFAULT, async ({ code, said, folder }) => {
    assert.equal(code, 0, said);
    assert.equal((await crawlLines(folder)).length, 2);
  });
});

test("a topology with mistakes ends with exit code 2, all of them told, nothing made", async () => {
  const bad = DEFAULT.replace("unit: downloader", "unit: downlaoder").replace(
    "capacity: 256",
    "capacity: 0",
  );
  await crawl(bad, ({ code, said, folder }) => {
    assert.equal(code, 2);
    assert.match(said, /2 mistakes/);
    assert.match(said, /topology\.yaml:\d+:\d+: .*did you mean downloader\?/);
    assert.match(said, /topology\.yaml:\d+:\d+: capacity: "0" is too small/);
    assert.ok(!existsSync(folder));
  });
});

test("a topology that cannot be read ends with exit code 2", async () => {
  const terminal = new RecordedTerminal();
  const args = ["crawl", "http://a.test/", "--set", "topology=nowhere.yaml"];
  assert.equal(await run(args, terminal), 2);
  assert.match(terminal.said, /"nowhere\.yaml" cannot be read/);
});

for (const [policy, exit, reason] of [
  ["skip", 0, "exhausted"],
  ["restart", 0, "exhausted"],
  ["stop", 1, "failure"],
] as const) {
  test(`a unit of the user in the line may fail under the policy ${policy}`, async () => {
    const units = fileURLToPath(import.meta.resolve("./title-units.ts"));
    const topology = DEFAULT.replace("connectors:\n", "connectors:\n  passed: { type: visit }\n")
      .replace("    input: fetched\n", "    input: passed\n")
      .concat(`
  choosy: { unit: '${units}#choosy', onFailure: ${policy}, input: fetched, output: passed }
`);
    await crawl(topology, async ({ code, said, folder }) => {
      assert.equal(code, exit, said);
      assert.ok(said.includes(`"reason":"${reason}"`), said);
      assert.match(
        said,
        /unit choosy on the item \S+\/x: Error: not this one\. If the unit is yours/,
      );
      const status = (await crawlLines(folder)).map((line) => line.result);
      assert.deepEqual(status, [200, "INTERNAL_UNIT"]);
    });
  });
}

test("what pages give can be worked on by a thread of its own, to the last item", async () => {
  const units = fileURLToPath(import.meta.resolve("./title-units.ts"));
  const file = join(mkdtempSync(join(tmpdir(), "titles-")), "titles.txt");
  const added = `
  titles: { unit: '${units}#titles', input: parsed, output: titles-found }
  writer: { unit: '${units}#writer', input: titles-found, thread: writing, settings: { file: ${file} } }
`;
  const topology = DEFAULT.replace(
    "connectors:\n",
    "connectors:\n  titles-found: { type: test/title }\n",
  );
  await crawl(topology + added, ({ code, said }) => {
    assert.equal(code, 0, said);
    const lines = readFileSync(file, "utf8").trim().split("\n");
    assert.deepEqual(lines, ["page elsewhere", "page elsewhere"]);
  });
  rmSync(dirname(file), { recursive: true });
});

test("the parser on a thread of its own gives the same crawl", async () => {
  const units = fileURLToPath(import.meta.resolve("./title-units.ts"));
  const file = join(mkdtempSync(join(tmpdir(), "told-")), "told.txt");
  const topology = DEFAULT.replace(
    "connectors:\n",
    `connectors:
  documents: { type: document }
  told-pages: { type: parsed-page }
  pages: { type: parsed-page }
`,
  ).replace(
    "    unit: parser\n    input: fetched\n    output: parsed\n",
    `    unit: remote-parser
    inputs: { input: fetched, parsed: pages }
    outputs: { output: parsed, documents: documents }
    settings: { patience: 10m }
`,
  );
  const away = `
  document-parser: { unit: document-parser, thread: parsing, input: documents, output: told-pages }
  told: { unit: '${units}#told', thread: parsing, input: told-pages, output: pages, settings: { file: ${file} } }
`;
  const found: (readonly unknown[])[] = [];
  for (const text of [DEFAULT, topology + away]) {
    await crawl(text, async ({ code, said, folder }) => {
      assert.equal(code, 0, said);
      found.push(
        (await crawlLines(folder)).map((line) => [
          line.url.replace(/:\d+/, ""),
          line.result,
          line.bodyBytes,
        ]),
      );
    });
  }
  assert.deepEqual(found[1], found[0]);
  assert.equal(found[0]?.length, 2);
  assert.deepEqual(readFileSync(file, "utf8").trim().split("\n"), [
    "page elsewhere",
    "page elsewhere",
  ]);
  rmSync(dirname(file), { recursive: true });
});

test("a parser of a module reads pages, and one that is none ends with exit code 2", async () => {
  const headers = [["Content-Type", "application/menu"]] as const;
  const menu = { body: "Home\t/x\n", headers };
  const hosts = () => ({ "a.test": { pages: { "/": menu, "/x": linking() } } });
  await withWeb(hosts, async (web) => {
    const parser = join(web.folder, "menus.js");
    writeFileSync(
      parser,
      `export const createParser = () => ({
        accepts: ({ media }) => media === "application/menu",
        read: ({ bytes }) => ({ links: [new TextDecoder().decode(bytes).trim().split("\\t")[1]] }),
      });`,
    );
    const folder = join(web.folder, "crawled");
    const given = ["crawl", ...web.flags, web.url("a.test/"), "--out"];
    const terminal = new RecordedTerminal();
    assert.equal(
      await run([...given, folder, "--set", `parse.parsers=[${parser}, html]`], terminal),
      0,
    );
    assert.equal((await crawlLines(folder)).length, 2, terminal.said);
    const bad = [...given, `${folder}-bad`, "--set", "parse.parsers=[./none.js]"];
    const refused = await run(bad, terminal);
    assert.equal(refused, 2);
    assert.match(terminal.said, /parse\.parsers names the module \.\/none\.js/);
  });
});
