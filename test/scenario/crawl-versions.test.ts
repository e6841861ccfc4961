/**
 * A directory that another version of Trobar wrote is refused by name, with exit code 4 and what to do,
 * whichever of its files shows it. Nothing is changed by a refusal.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import { run } from "../../src/cli/shell/run.ts";
import { linking, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";

interface Change {
  readonly name: string;
  readonly file: string;
  readonly change: (path: string) => void;
  readonly said: RegExp;
}

/** A value ends with its checksum. */
const SUM_BYTES = 4;

/** Changes the JSON of the checkpoint value of this name. */
function changeValue(path: string, name: string, change: (text: string) => string): void {
  const database = new DatabaseSync(path);
  const row = database.prepare("SELECT value FROM checkpoints WHERE name = ?").get(name);
  const text = Buffer.from(row?.["value"] as Uint8Array).toString("latin1");
  const value = Buffer.from(change(text.slice(0, -SUM_BYTES)), "latin1");
  const sum = Buffer.alloc(SUM_BYTES);
  sum.writeUInt32LE(crc32(value, crc32(name)));
  const bytes = Buffer.concat([value, sum]);
  database.prepare("UPDATE checkpoints SET value = ? WHERE name = ?").run(bytes, name);
  database.close();
}

const changes: readonly Change[] = [
  {
    ...{ name: "a newer directory", file: "crawl.json" },
    change: (path) =>
      writeFileSync(path, readFileSync(path, "utf8").replace(/"format": \d+/, '"format": 99')),
    said: /was made by a newer version of Trobar/,
  },
  ...[
    { format: 2, said: /written by an older version of Trobar \(format 2/ },
    { format: 99, said: /written by a newer version of Trobar \(format 99/ },
  ].map(({ format, said }) => ({
    ...{ name: `a checkpoint of format ${format}`, file: "crawl.db", said },
    change: (path: string) =>
      changeValue(path, "crawl", (text) => text.replace(/"format":\d+/, `"format":${format}`)),
  })),
  {
    ...{ name: "other marks of the sieve", file: "crawl.db" },
    change: (path) => changeValue(path, "0/lane", (text) => text.replace("sieve 1", "sieve 9")),
    said: /marks of the sieve cannot be used/,
  },
  {
    ...{ name: "a newer log", file: "logs/crawl.manifest" },
    change: (path) => {
      const json = JSON.stringify({ format: 9 });
      writeFileSync(path, `${json}\t${crc32(json).toString(16).padStart(8, "0")}\n`);
    },
    said: /its format is 9, of a newer version of Trobar/,
  },
  {
    ...{ name: "another table", file: "crawl.db" },
    change: (path) => {
      const database = new DatabaseSync(path);
      database.exec("ALTER TABLE checkpoints ADD COLUMN more TEXT");
      database.close();
    },
    said: /was made for other tables: .*Use the version of Trobar that made it/,
  },
];

test("a directory that another version wrote is refused by name, and not changed", async () => {
  const hosts = () => ({ "a.test": { pages: { "/": linking("/1"), "/1": linking() } } });
  await withWeb(hosts, async (web) => {
    const { folder, code } = await web.crawl(["a.test/"]);
    assert.equal(code, 0);
    const files = (): Map<string, Buffer> =>
      new Map(
        readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && !/-(?:wal|shm)$|\.lock$/.test(entry.name))
          .map((entry) => join(entry.parentPath, entry.name))
          .map((path) => [path, readFileSync(path)]),
      );
    const goOn = ["crawl", ...web.flags, "-q", "-o", folder, "-n", "9"];
    for (const { name, file, change, said } of changes) {
      const path = join(folder, file);
      const whole = readFileSync(path);
      change(path);
      const before = files();
      const terminal = new RecordedTerminal();
      assert.equal(await run(goOn, terminal), 4, `${name}: ${terminal.said}`);
      assert.match(terminal.said, said, name);
      assert.deepEqual(new Set(files().keys()), new Set(before.keys()), name);
      for (const [changed, bytes] of files()) {
        assert.deepEqual(bytes, before.get(changed), `${name}: ${changed} was changed`);
      }
      for (const end of ["-wal", "-shm"]) rmSync(path + end, { force: true });
      writeFileSync(path, whole);
    }
    const terminal = new RecordedTerminal();
    assert.equal(await run(goOn, terminal), 0, terminal.said);
  });
});
