/**
 * A storage under test, and short ways to ask it: each waits for the one answer and lets the suite
 * read as a list of facts.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../base/errors/index.ts";
import type { FileName, ReadableFile, Storage, StorageFile } from "../../base/seams/index.ts";
import { ask, errorOf, resultOf, succeed } from "./ask.ts";
import type { World } from "./world.ts";

export interface StorageSubject {
  readonly world: World;
  /** Empty at first. */
  readonly storage: Storage;
  /** The same files as another process finds them; the storage before is not used any more. */
  restart(): Promise<Storage>;
  /** Removes everything. */
  close(): Promise<void>;
}

export class StorageProbe implements AsyncDisposable {
  readonly subject: StorageSubject;
  readonly world: World;
  storage: Storage;

  constructor(subject: StorageSubject) {
    this.subject = subject;
    this.world = subject.world;
    this.storage = subject.storage;
  }

  async restart(): Promise<void> {
    this.storage = await this.subject.restart();
  }

  open(name: FileName): Promise<StorageFile> {
    return resultOf<StorageFile>(this.world, (done) => this.storage.open(name, done));
  }

  openToRead(name: FileName): Promise<ReadableFile> {
    return resultOf<ReadableFile>(this.world, (done) => this.storage.openToRead(name, done));
  }

  append(file: StorageFile, ...chunks: (string | Uint8Array)[]): Promise<void> {
    return succeed(this.world, (done) => file.append(chunks.map(bytesOf), done));
  }

  sync(file: StorageFile): Promise<void> {
    return succeed(this.world, (done) => file.sync(done));
  }

  cut(file: StorageFile, lengthBytes: number): Promise<void> {
    return succeed(this.world, (done) => file.cut(lengthBytes, done));
  }

  close(file: ReadableFile): Promise<void> {
    return succeed(this.world, (done) => file.close(done));
  }

  async read(file: ReadableFile, offset: number, lengthBytes: number): Promise<string> {
    return textOf(
      await resultOf<Uint8Array>(this.world, (done) => file.read(offset, lengthBytes, done)),
    );
  }

  /** Makes a file with this content, and closes it. */
  async put(name: FileName, content: string | Uint8Array): Promise<void> {
    const file = await this.open(name);
    await this.append(file, content);
    await this.close(file);
  }

  wholeBytes(name: FileName): Promise<Uint8Array> {
    return resultOf<Uint8Array>(this.world, (done) => this.storage.readWhole(name, done));
  }

  async whole(name: FileName): Promise<string> {
    return textOf(await this.wholeBytes(name));
  }

  replace(name: FileName, content: string | Uint8Array): Promise<void> {
    return succeed(this.world, (done) => this.storage.replace(name, bytesOf(content), done));
  }

  rename(name: FileName, to: FileName): Promise<void> {
    return succeed(this.world, (done) => this.storage.rename(name, to, done));
  }

  remove(name: FileName): Promise<void> {
    return succeed(this.world, (done) => this.storage.remove(name, done));
  }

  list(folder: FileName | "" = ""): Promise<readonly FileName[]> {
    return resultOf<readonly FileName[]>(this.world, (done) => this.storage.list(folder, done));
  }

  freeBytes(): Promise<number> {
    return resultOf<number>(this.world, (done) => this.storage.freeBytes(done));
  }

  /** The code of the error with which something fails. */
  async fails(start: Start): Promise<string> {
    return (await errorOf(this.world, start)).code;
  }

  /**
   * Starts several things without waiting and answers with the codes of their outcomes, in the order
   * in which they came; "good" for those that succeeded.
   */
  together(starts: Readonly<Record<string, Start>>): Promise<string[]> {
    const names = Object.keys(starts);
    return ask<string[]>(this.world, (answered) => {
      const outcomes: string[] = [];
      for (const name of names) {
        starts[name]?.((error) => {
          outcomes.push(`${name} ${error === null ? "good" : error.code}`);
          if (outcomes.length === names.length) answered(outcomes);
        });
      }
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.subject.close();
  }
}

/** Something that answers by `Acknowledge`, or by `Done` with a value that does not matter. */
export type Start = (done: (error: CrawlError | null, value?: unknown) => void) => void;

export function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? new TextEncoder().encode(content) : content;
}

export function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Bytes without repetition, so that a misplaced piece is noticed. */
export function unlikeBytes(lengthBytes: number): Uint8Array {
  const bytes = new Uint8Array(lengthBytes);
  let word = 0x2545f491;
  for (let at = 0; at < lengthBytes; at += 1) {
    word = Math.imul(word, 0x19660d) + 0x3c6ef35f;
    bytes[at] = word >>> 24;
  }
  return bytes;
}

export function assertSameBytes(actual: Uint8Array, expected: Uint8Array): void {
  assert.equal(actual.length, expected.length, "as many bytes");
  assert.equal(Buffer.compare(actual, expected), 0, "the same bytes");
}
