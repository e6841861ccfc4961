import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { CrawlError } from "../../base/errors/index.ts";
import { openRowFile } from "./open-rows.ts";
import type { RowSink } from "./row-sink.ts";

/** Gives a named pipe whose reader is this test. */
async function withPipe(use: (pipe: string, reader: number) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "trobar-pipe-"));
  const pipe = join(folder, "pages.jsonl");
  await once(spawn("mkfifo", [pipe]), "close");
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    await use(pipe, reader);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function write(sink: RowSink, text: string): Promise<CrawlError | null> {
  return new Promise((resolve) => sink.write(Buffer.from(text), (error) => resolve(error)));
}

/** More than any pipe holds. */
const MUCH = "x".repeat(4_000_000);

test("a pipe takes as much as its reader does", async () => {
  await withPipe(async (pipe, reader) => {
    const sink = openRowFile(pipe);
    assert.equal(await write(sink, "one\n"), null);
    const bytes = Buffer.alloc(100);
    assert.equal(bytes.toString("utf8", 0, readSync(reader, bytes)), "one\n");
    await new Promise((resolve) => sink.close(resolve));
    closeSync(reader);
  });
});

test("a reader that has stopped can be abandoned; the write ends and keeps nothing open", async () => {
  await withPipe(async (pipe, reader) => {
    const sink = openRowFile(pipe);
    const written = write(sink, MUCH);
    sink.abandon();
    assert.equal((await written)?.code, "PAGES_READER_GONE");
    assert.equal((await write(sink, "more"))?.code, "PAGES_READER_GONE");
    await new Promise((resolve) => sink.close(resolve));
    closeSync(reader);
  });
});

test("a reader that has gone is an outcome of the next write", async () => {
  await withPipe(async (pipe, reader) => {
    const sink = openRowFile(pipe);
    const written = write(sink, MUCH);
    closeSync(reader);
    assert.equal((await written)?.code, "PAGES_READER_GONE");
  });
});

test("a pipe that nobody reads is refused with a remedy", async () => {
  await withPipe(async (pipe, reader) => {
    closeSync(reader);
    assert.throws(
      () => openRowFile(pipe),
      /is a pipe that nobody reads\. Start the reader first\.$/,
    );
  });
});
