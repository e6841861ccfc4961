/**
 * All lines of a crawl log that can be read, whatever happened to it: by way of its manifest, with their
 * checksums; where that cannot be used, as plain text. Then a line counts if it is one by its form, and
 * has the length that it states; whether its record is there is found out later.
 */
import { isCrawlError } from "../../../base/errors/index.ts";
import {
  answered,
  type FileName,
  type ReadableFile,
  type Storage,
} from "../../../base/seams/index.ts";
import { CRAWL_LOG, type CrawlLine, CrawlLogView } from "../../archive/index.ts";
import { logSteps } from "../log-steps.ts";

export interface SalvagedLines {
  readonly lines: readonly CrawlLine[];
  /** Bytes that are not lines. */
  readonly damagedBytes: number;
}

/** Nothing if there is no log. */
export async function* salvagedLines(storage: Storage): AsyncGenerator<SalvagedLines> {
  try {
    for await (const { lines, damage } of logSteps(storage, 0)) {
      yield { lines, damagedBytes: damage.reduce((sum, { from, to }) => sum + to - from, 0) };
    }
  } catch (error) {
    if (!isCrawlError(error) || error.code !== "LOG_DAMAGED") throw error;
    const manifest = `${CRAWL_LOG}.manifest`;
    const names = await answered<readonly FileName[]>((done) => storage.list("logs", done));
    if (names.includes(manifest)) {
      const bytes = await answered<Uint8Array>((done) => storage.readWhole(manifest, done));
      yield { lines: [], damagedBytes: bytes.length };
    }
    yield* plainLines(storage);
  }
}

const SEGMENT = new RegExp(`^${CRAWL_LOG}(?:\\.(\\d+))?\\.log$`);
const PIECE_BYTES = 1024 * 1024;
/** A tab, whether it is the first after a sync, its length, its checksum. */
const TRAILER = /^(.*)\t[.+]([0-9a-f]{6})\.[0-9a-f]{8}$/s;

async function* plainLines(storage: Storage): AsyncGenerator<SalvagedLines> {
  const names = await answered<readonly FileName[]>((done) => storage.list("logs", done));
  const serial = (name: FileName): number => Number(SEGMENT.exec(name)?.[1] ?? 0);
  const segments = names.filter((name) => SEGMENT.test(name));
  for (const name of segments.sort((one, other) => serial(one) - serial(other))) {
    const file = await answered<ReadableFile>((done) => storage.openToRead(name, done));
    try {
      let rest = "";
      for (let at = 0; ; ) {
        const from = at;
        const bytes = await answered<Uint8Array>((done) => file.read(from, PIECE_BYTES, done));
        if (bytes.length === 0) break;
        at += bytes.length;
        const texts = (rest + Buffer.from(bytes).toString("latin1")).split("\n");
        rest = texts.pop() ?? "";
        yield linesIn(texts);
      }
    } finally {
      await answered((done) => file.close(done));
    }
  }
}

function linesIn(texts: readonly string[]): SalvagedLines {
  const lines: CrawlLine[] = [];
  let damagedBytes = 0;
  for (const text of texts) {
    const [, payload = "", length = ""] = TRAILER.exec(text) ?? [];
    const line =
      Number.parseInt(length, 16) === text.length + 1 ? CrawlLogView.parse(payload) : null;
    if (line === null) damagedBytes += text.length + 1;
    else lines.push(line);
  }
  return { lines, damagedBytes };
}
