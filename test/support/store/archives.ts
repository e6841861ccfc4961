/** Archive files for tests, written by hand, and what is read of them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PageRow, RecordOutcome } from "../../../src/store/export/index.ts";
import {
  type CrawlReader,
  type CrawlView,
  openArchiveView,
} from "../../../src/store/query/index.ts";

type Limits = NonNullable<Parameters<typeof openArchiveView>[0]["limits"]>;
type Fields = Readonly<Record<string, string>>;

/** A record with exactly these bytes of a block. */
export function warcRecord(type: string, url: string, fields: Fields, block: string): Buffer {
  const lines = [
    ...["WARC/1.1", `WARC-Type: ${type}`, `WARC-Target-URI: ${url}`],
    ...Object.entries({ "WARC-Date": "2026-01-01T00:00:00Z", ...fields }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
  ];
  const head = `${lines.join("\r\n")}\r\nContent-Length: ${Buffer.byteLength(block)}\r\n\r\n`;
  return Buffer.from(`${head}${block}\r\n\r\n`);
}

/** A page; its URL is `http://a.test/NAME`. */
export function answer(name: string, body: string, fields: Fields = {}): Buffer {
  const block = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n${body}`;
  const type = { "Content-Type": "application/http; msgtype=response" };
  return warcRecord("response", `http://a.test/${name}`, { ...type, ...fields }, block);
}

export function revisit(name: string, fields: Fields): Buffer {
  const head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
  return warcRecord("revisit", `http://a.test/${name}`, fields, head);
}

export class ArchiveRig {
  readonly folder: string = mkdtempSync(join(tmpdir(), "trobar-archive-view-"));
  /** What the user was told. */
  readonly notes: string[] = [];
  #opened = 0;

  file(name: string, bytes: Uint8Array): string {
    const path = join(this.folder, name);
    writeFileSync(path, bytes);
    return path;
  }

  async open(paths: readonly string[], limits?: Limits): Promise<CrawlView> {
    this.#opened += 1;
    const scratch = join(this.folder, `scratch-${this.#opened}`);
    mkdirSync(scratch);
    const tell = (_path: string, note: string): void => void this.notes.push(note);
    return await openArchiveView({ paths, scratch, tell, ...(limits && { limits }) });
  }

  close(): void {
    rmSync(this.folder, { recursive: true });
  }
}

export async function withArchives(use: (rig: ArchiveRig) => Promise<void>): Promise<void> {
  const rig = new ArchiveRig();
  try {
    await use(rig);
  } finally {
    rig.close();
  }
}

/** Every capture, in order: the last part of its URL, and its body or why there is none. */
export async function bodiesOf(view: CrawlReader): Promise<string[]> {
  const found: string[] = [];
  for await (const { pages } of view.pages()) {
    for (const page of pages) found.push(`${nameOf(page)}: ${bodyOf(await view.record(page))}`);
  }
  return found;
}

function nameOf({ url }: PageRow): string {
  return url.slice(url.lastIndexOf("/") + 1);
}

function bodyOf(outcome: RecordOutcome): string {
  if (outcome.kind === "record") return Buffer.from(outcome.record.payload).toString();
  return outcome.kind === "damaged" ? `(${outcome.reason})` : "(absent)";
}
