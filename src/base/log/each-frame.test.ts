import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { SeededRandom } from "../random/index.ts";
import { answered } from "../seams/index.ts";
import { DiskStorage } from "../storage/index.ts";
import { checkLog, type LogToCheck } from "./each-frame.ts";
import { type OpenedLog, openLog } from "./open-log.ts";

const FRAMES = ["first", "second", "third"];

/** What is told of a log of three frames after its file was changed. */
async function toldOf(
  change: (file: string) => void,
  how: Partial<LogToCheck> = {},
): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "trobar-frames-"));
  const storage = new DiskStorage(folder);
  const parts = {
    storage,
    random: new SeededRandom("frames"),
    name: "in",
    framing: "binary" as const,
  };
  const { log } = await answered<OpenedLog>((done) => openLog(parts, done));
  for (const frame of FRAMES) log.append(Buffer.from(frame));
  await answered((done) => log.commit(done));
  await answered((done) => log.close(done));
  change(join(folder, "in.log"));
  const told: string[] = [];
  const taken: string[] = [];
  const take = (bytes: Uint8Array): boolean => taken.push(Buffer.from(bytes).toString()) > 0;
  await checkLog({ storage, name: "in", from: null, to: null, ...how }, take, (file, at, problem) =>
    told.push(`${file} ${at}: ${problem}`),
  );
  rmSync(folder, { recursive: true });
  return [...taken, ...told];
}

function flip(file: string, fromEnd: number): void {
  const bytes = readFileSync(file);
  const at = bytes.length - fromEnd;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

const END = "in.log 31: the last bytes are not as they were written";

test("a log that is as it was written has nothing to tell", async () => {
  assert.deepEqual(await toldOf(() => undefined, { isClosed: true }), FRAMES);
  assert.deepEqual(await toldOf(() => undefined), FRAMES);
});

test("a last frame that is torn is what a crash leaves, and damage if the log was closed", async () => {
  const cut = (file: string): void => truncateSync(file, 40);
  assert.deepEqual(await toldOf(cut), FRAMES.slice(0, 2));
  assert.deepEqual(await toldOf(cut, { isClosed: true }), [...FRAMES.slice(0, 2), END]);
  assert.deepEqual(await toldOf((file) => flip(file, 2), { isClosed: true }), [
    ...FRAMES.slice(0, 2),
    END,
  ]);
});

test("a log that ends before what is known of it is told", async () => {
  const cut = (file: string): void => truncateSync(file, 31);
  const told = await toldOf(cut, { to: 46 });
  assert.deepEqual(told, [...FRAMES.slice(0, 2), "in.log 31: it ends here, and not at 46"]);
});
