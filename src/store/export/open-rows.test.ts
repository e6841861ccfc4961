import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { isCrawlError } from "../../base/errors/index.ts";
import { openRowFile } from "./open-rows.ts";

const ROWS = '{"url":"http://a.test/"}\n';

/** Opens a file with this content, or one that is not there, of which a crawl knows so many bytes. */
async function opened(
  content: string | null,
  cutTo: number | null,
): Promise<{ readonly code: string; readonly text: string | null }> {
  const folder = mkdtempSync(join(tmpdir(), "open-rows-"));
  const path = join(folder, "pages.jsonl");
  const now = (): string | null => (existsSync(path) ? readFileSync(path, "utf8") : null);
  try {
    if (content !== null) writeFileSync(path, content);
    const use = { mayReplace: false, fits: () => true, isCompressed: false, cutTo };
    const sink = openRowFile(path, use);
    await new Promise((resolve) => sink.close(resolve));
    return { code: "good", text: now() };
  } catch (error) {
    if (!isCrawlError(error)) throw error;
    return { code: error.code, text: now() };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("rows that a killed crawl does not know of are cut off", async () => {
  const known = ROWS.length;
  assert.deepEqual(await opened(ROWS + ROWS, known), { code: "good", text: ROWS });
  assert.deepEqual(await opened(ROWS, known), { code: "good", text: ROWS });
});

test("a file that lacks rows which the crawl knows of is refused, and left as it is", async () => {
  const known = ROWS.length;
  const shorter = ROWS.slice(0, -1);
  assert.deepEqual(await opened(shorter, known), { code: "PAGES_DAMAGED", text: shorter });
  assert.deepEqual(await opened("", known), { code: "PAGES_DAMAGED", text: "" });
  assert.deepEqual(await opened(null, known), { code: "PAGES_DAMAGED", text: null });
});

test("a file of which a crawl knows nothing may be missing, or have any length", async () => {
  assert.deepEqual(await opened(null, null), { code: "good", text: "" });
  assert.deepEqual(await opened(null, 0), { code: "good", text: "" });
  assert.deepEqual(await opened(ROWS, null), { code: "good", text: ROWS });
});
