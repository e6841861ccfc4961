/**
 * An open file of the simulated disk. It spoils as a real one does: after a failed append until it
 * is cut, after a failed sync for good.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../../base/errors/index.ts";
import type { Acknowledge, Done, FileName, StorageFile } from "../../../base/seams/index.ts";
import type { SimDiskNode } from "./sim-disk-node.ts";
import type { SimCall, SimStorage } from "./sim-storage.ts";

export interface OpenNode {
  readonly storage: SimStorage;
  /** Calls with one key happen in their order. */
  readonly key: string;
  readonly name: FileName;
  readonly node: SimDiskNode;
  freeBytes(): number;
  /** Makes the names in the file's folder durable. */
  syncNames(): void;
  closed(): void;
}

type Acknowledged = [error: CrawlError | null];

export class SimStorageFile implements StorageFile {
  readonly name: FileName;
  readonly #open: OpenNode;
  readonly #node: SimDiskNode;
  #lengthBytes: number;
  #isClosing = false;
  #isNameDurable = false;
  #spoiledUntilCut: CrawlError | null = null;
  #spoiledForGood: CrawlError | null = null;

  constructor(open: OpenNode) {
    this.name = open.name;
    this.#open = open;
    this.#node = open.node;
    this.#lengthBytes = open.node.lengthBytes;
  }

  get lengthBytes(): number {
    return this.#lengthBytes;
  }

  append(chunks: readonly Uint8Array[], done: Acknowledge): void {
    const bytes = joined(chunks);
    const part = (): void => {
      const partBytes = this.random.below(Math.min(bytes.length, this.#open.freeBytes()) + 1);
      this.#node.append(bytes.subarray(0, partBytes));
    };
    const effect = (): Acknowledged => {
      assert(areJoinedIn(chunks, bytes), "bytes handed over were changed before the answer");
      const spoiled = this.#spoiledForGood ?? this.#spoiledUntilCut;
      if (spoiled !== null) return [spoiled];
      const freeBytes = this.#open.freeBytes();
      this.#node.append(bytes.subarray(0, freeBytes));
      if (bytes.length > freeBytes) this.#spoiledUntilCut = this.#open.storage.full(this.name);
      else this.#lengthBytes += bytes.length;
      return [this.#spoiledUntilCut];
    };
    const fail = (error: CrawlError): Acknowledged => {
      const spoiled = this.#spoiledForGood ?? this.#spoiledUntilCut;
      if (spoiled === null) part();
      this.#spoiledUntilCut = spoiled ?? error;
      return [this.#spoiledUntilCut];
    };
    this.#ask({ kind: "append", effect, fail, interrupt: part }, done);
  }

  sync(done: Acknowledge): void {
    const effect = (): Acknowledged => {
      if (this.#spoiledForGood !== null) return [this.#spoiledForGood];
      this.#node.sync();
      if (!this.#isNameDurable) this.#open.syncNames();
      this.#isNameDurable = true;
      return [null];
    };
    const fail = (error: CrawlError): Acknowledged => {
      if (this.#spoiledForGood === null) this.#node.failSync(this.random);
      this.#spoiledForGood ??= error;
      return [this.#spoiledForGood];
    };
    const interrupt = (): void => void (this.random.below(2) === 0 && effect());
    this.#ask({ kind: "sync", effect, fail, interrupt }, done);
  }

  read(offset: number, lengthBytes: number, done: Done<Uint8Array>): void {
    assert(offset >= 0 && lengthBytes >= 0, "a read has an offset and a length");
    const effect = (): Parameters<Done<Uint8Array>> => [null, this.#node.read(offset, lengthBytes)];
    const fail = (error: CrawlError): Parameters<Done<Uint8Array>> => [error, undefined];
    this.#ask({ kind: "read", effect, fail, interrupt: () => undefined }, done);
  }

  cut(lengthBytes: number, done: Acknowledge): void {
    assert(lengthBytes >= 0, "a length is not negative");
    const cutNow = (): void => this.#node.cut(Math.min(lengthBytes, this.#lengthBytes));
    const effect = (): Acknowledged => {
      if (this.#spoiledForGood !== null) return [this.#spoiledForGood];
      cutNow();
      this.#lengthBytes = this.#node.lengthBytes;
      this.#spoiledUntilCut = null;
      return [null];
    };
    const interrupt = (): void => void (this.random.below(2) === 0 && cutNow());
    const fail = (error: CrawlError): Acknowledged => {
      interrupt();
      this.#lengthBytes = Math.min(lengthBytes, this.#lengthBytes);
      this.#spoiledUntilCut = error;
      return [this.#spoiledForGood ?? error];
    };
    this.#ask({ kind: "cut", effect, fail, interrupt }, done);
  }

  close(done: Acknowledge): void {
    const closed = (error: CrawlError | null): Acknowledged => {
      this.#open.closed();
      return [error];
    };
    const interrupt = (): void => undefined;
    this.#ask({ kind: "close", effect: () => closed(null), fail: closed, interrupt }, done);
    this.#isClosing = true;
  }

  get random(): SimStorage["random"] {
    return this.#open.storage.random;
  }

  #ask<Outcome extends unknown[]>(
    call: Omit<SimCall<Outcome>, "name" | "inOrderOf">,
    done: (...outcome: Outcome) => void,
  ): void {
    assert(!this.#isClosing, `${this.name} is used after it was closed`);
    this.#open.storage.call({ ...call, name: this.name, inOrderOf: [this.#open.key] }, done);
  }
}

function areJoinedIn(chunks: readonly Uint8Array[], bytes: Uint8Array): boolean {
  let at = 0;
  for (const chunk of chunks) {
    if (Buffer.compare(chunk, bytes.subarray(at, at + chunk.length)) !== 0) return false;
    at += chunk.length;
  }
  return at === bytes.length;
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks;
  if (chunks.length === 1 && only !== undefined) return new Uint8Array(only);
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
