import assert from "node:assert/strict";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import type { CrawlError } from "../../base/errors/index.ts";
import { RowFile } from "./row-file.ts";

/**
 * Writes a row, cuts back to nothing and closes; what is in the file then, and whether it is open.
 */
async function cutToNothing(isOwn: boolean): Promise<{ text: string; isOpen: boolean }> {
  const folder = fs.mkdtempSync(join(tmpdir(), "trobar-rows-"));
  const path = join(folder, "rows");
  try {
    fs.writeFileSync(path, "of others\n");
    const descriptor = fs.openSync(path, isOwn ? "w" : "a");
    const file = new RowFile({ descriptor, name: path, isOwn, lengthBytes: 0 });
    const write = promisify<Uint8Array, number>(file.write.bind(file));
    assert.equal(await write(Buffer.from("row\n")), 4);
    await new Promise<void>((resolve) => file.cutTo(0, resolve));
    await new Promise<CrawlError | null>((resolve) => file.close(resolve));
    const isOpen = isOpenDescriptor(descriptor);
    if (isOpen) fs.closeSync(descriptor);
    return { text: fs.readFileSync(path, "utf8"), isOpen };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function isOpenDescriptor(descriptor: number): boolean {
  try {
    fs.fstatSync(descriptor);
    return true;
  } catch {
    return false;
  }
}

test("a file of our own is cut back, and closed", async () => {
  assert.deepEqual(await cutToNothing(true), { text: "", isOpen: false });
});

test("a descriptor opened by others is neither cut nor closed: it may hold more than rows", async () => {
  assert.deepEqual(await cutToNothing(false), { text: "of others\nrow\n", isOpen: true });
});
