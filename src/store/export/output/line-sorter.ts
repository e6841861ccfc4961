/**
 * Sorts more lines than fit into memory, by their bytes, as `LC_ALL=C sort` does. Lines are
 * gathered up to a limit, sorted, and written as a run; at the end the runs are merged.
 *
 * The runs of `base/runs` hold keys of a fixed length; these hold text of any (docs/adr/0042).
 * Inside, a line is a string with one character for each byte, so that comparing strings compares
 * bytes.
 */
import fs from "node:fs";
import { join } from "node:path";
import { exportError } from "./export-error.ts";

/** Of lines that are gathered; with what strings cost, about four times that in memory. */
const GATHERED_BYTES_MAX = 32 * 1024 * 1024;
/** Runs that are merged at once. */
const FAN_IN = 64;
const READ_BYTES = 64 * 1024;
const WRITE_CHARACTERS = 256 * 1024;

export class LineSorter {
  readonly #folder: string;
  readonly #gatheredMax: number;
  #lines: string[] = [];
  #gathered = 0;
  #runs: string[] = [];
  #made = 0;

  /** The folder is made, and removed by `close`; it must be nobody else's. */
  constructor(folder: string, gatheredBytesMax: number = GATHERED_BYTES_MAX) {
    this.#folder = folder;
    this.#gatheredMax = gatheredBytesMax;
    fs.rmSync(folder, { recursive: true, force: true });
  }

  /** A line without its end; it must contain none. */
  add(line: string): void {
    const bytes = bytesText(line);
    this.#lines.push(bytes);
    this.#gathered += bytes.length;
    if (this.#gathered >= this.#gatheredMax) this.#writeRun();
  }

  /** All lines in order, once each, without their ends; in the form of one character a byte. */
  *sorted(): Generator<string> {
    if (this.#runs.length === 0) {
      yield* unique(this.#lines.sort(byBytes));
      return;
    }
    if (this.#lines.length > 0) this.#writeRun();
    while (this.#runs.length > FAN_IN) {
      const merged = this.#runs.splice(0, FAN_IN);
      this.#save(merge(merged));
      for (const path of merged) fs.rmSync(path);
    }
    yield* unique(merge(this.#runs));
  }

  /** Removes what lies on the disk. */
  close(): void {
    this.#lines = [];
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }

  #writeRun(): void {
    const lines = this.#lines.sort(byBytes);
    this.#lines = [];
    this.#gathered = 0;
    this.#save(lines);
  }

  #save(lines: Iterable<string>): void {
    try {
      fs.mkdirSync(this.#folder, { recursive: true });
      const path = join(this.#folder, `${this.#made}.run`);
      this.#made += 1;
      const descriptor = fs.openSync(path, "wx");
      try {
        for (const bytes of chunksOf(lines)) fs.writeFileSync(descriptor, bytes);
      } finally {
        fs.closeSync(descriptor);
      }
      this.#runs.push(path);
    } catch (error) {
      throw exportError(error, this.#folder);
    }
  }
}

/** Lines with their ends, in larger pieces. */
export function* chunksOf(lines: Iterable<string>): Generator<Buffer> {
  let text = "";
  for (const line of lines) {
    text += `${line}\n`;
    if (text.length < WRITE_CHARACTERS) continue;
    yield Buffer.from(text, "latin1");
    text = "";
  }
  if (text !== "") yield Buffer.from(text, "latin1");
}

/** A text as one character for each byte of its UTF-8. */
function bytesText(text: string): string {
  // As many bytes as characters means that all of it is ASCII, which is its own UTF-8.
  if (Buffer.byteLength(text) === text.length) return text;
  return Buffer.from(text, "utf8").toString("latin1");
}

function byBytes(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function* unique(lines: Iterable<string>): Generator<string> {
  let last: string | null = null;
  for (const line of lines) {
    if (line !== last) yield line;
    last = line;
  }
}

interface Cursor {
  line: string;
  readonly rest: Iterator<string>;
}

/** The run with the smallest line is at the front of a heap. */
function* merge(paths: readonly string[]): Generator<string> {
  const heap: Cursor[] = [];
  for (const path of paths) {
    const rest = linesOf(path);
    const first = rest.next();
    if (first.done !== true) heap.push({ line: first.value, rest });
  }
  heap.sort((left, right) => byBytes(left.line, right.line));
  for (let top = heap[0]; top !== undefined; top = heap[0]) {
    yield top.line;
    const next = top.rest.next();
    if (next.done !== true) top.line = next.value;
    else {
      const last = heap.pop() as Cursor;
      if (heap.length > 0) heap[0] = last;
    }
    sink(heap);
  }
}

function sink(heap: Cursor[]): void {
  for (let at = 0; ; ) {
    const left = 2 * at + 1;
    const right = left + 1;
    let least = at;
    if (lineAt(heap, left) < lineAt(heap, least)) least = left;
    if (lineAt(heap, right) < lineAt(heap, least)) least = right;
    if (least === at || heap[least] === undefined) return;
    [heap[at], heap[least]] = [heap[least] as Cursor, heap[at] as Cursor];
    at = least;
  }
}

/** A line beyond the end is larger than any: no byte is as large as this character. */
function lineAt(heap: readonly Cursor[], index: number): string {
  return heap[index]?.line ?? "\uffff";
}

function* linesOf(path: string): Generator<string> {
  const descriptor = fs.openSync(path, "r");
  try {
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    let rest = "";
    for (;;) {
      const count = fs.readSync(descriptor, buffer, 0, READ_BYTES, null);
      if (count === 0) break;
      const lines = (rest + buffer.toString("latin1", 0, count)).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } finally {
    fs.closeSync(descriptor);
  }
}
