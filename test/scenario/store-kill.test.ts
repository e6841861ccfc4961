/** A real process on a real disk, killed without warning: its archive and its log agree. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { freshSeed, SeededRandom } from "../../src/base/random/index.ts";
import { openPageStore, type PageStore } from "../../src/store/archive/index.ts";
import { writeUntilKilled } from "../support/base/killed-writer.ts";
import { damageOf, recordsOf, scanAll } from "../support/formats/warc-reading.ts";
import { loggedLines } from "../support/store/store-rig.ts";
import { STORE_WRITER, storeUnderFire } from "./store-writer.ts";

const kills = process.env["TROBAR_FULL"] === "1" ? 100 : 6;

test("a store loses and doubles nothing when its process is killed", async (context) => {
  const seed = freshSeed();
  context.diagnostic(`seed ${seed}, ${kills} kills`);
  const random = new SeededRandom(seed);
  const root = mkdtempSync(join(tmpdir(), "trobar-store-kill-"));
  let pages = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const acknowledged = await writeUntilKilled(
      { program: STORE_WRITER, root, first: pages, acknowledgementsMax: 15 },
      random,
    );
    pages = await checkedPages(root);
    assert.ok(pages > acknowledged, `page ${acknowledged} was acknowledged, ${pages} are there`);
  }
  await rm(root, { recursive: true });
});

/** Opens the store as the next process would; how many pages there are, each once and in order. */
async function checkedPages(root: string): Promise<number> {
  const options = storeUnderFire(root);
  const store = await new Promise<PageStore>((resolve, reject) =>
    openPageStore(options, (error, value) => (error === null ? resolve(value) : reject(error))),
  );
  await new Promise((resolve) => store.close(resolve));
  const lines = await loggedLines(options.storage);
  const answers = readdirSync(join(root, "warc")).flatMap((name) => {
    assert.ok(!name.endsWith(".open"), name);
    const steps = scanAll(readFileSync(join(root, "warc", name)), 65_536);
    assert.deepEqual(damageOf(steps), []);
    return recordsOf(steps).filter(({ type }) => !/warcinfo|request/.test(type));
  });
  const logged = lines.filter(({ place }) => place !== null).map(({ url }) => url);
  assert.deepEqual(answers.map(({ targetUri }) => targetUri ?? "").sort(), logged.sort());
  lines.forEach(({ url }, number) => {
    assert.ok(url.endsWith(`/${number}`), `${url} is line ${number}`);
  });
  return lines.length;
}
