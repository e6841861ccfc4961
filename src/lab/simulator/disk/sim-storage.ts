/**
 * The simulated disk as one process sees it: `Storage` by its contract, with answers that come by
 * the given clock, after the latency of the disk.
 *
 * A call takes effect at the moment it answers. If the process dies before, the call may have had
 * its effect, a part of it, or none, as chance decides; the answer never comes.
 */
import assert from "node:assert/strict";
import { CrawlError } from "../../../base/errors/index.ts";
import {
  type Acknowledge,
  type Clock,
  type Done,
  type FileName,
  isFileName,
  type Random,
  type ReadableFile,
  type Storage,
  type StorageFile,
} from "../../../base/seams/index.ts";
import { Turns } from "../../../base/storage/index.ts";
import type { DiskCallKind, SimDisk, Where } from "./sim-disk.ts";
import { SimDiskNode } from "./sim-disk-node.ts";
import { SimStorageFile } from "./sim-storage-file.ts";

/** One call: what it does when it succeeds, when it fails, and when the process dies meanwhile. */
export interface SimCall<Outcome extends unknown[]> {
  readonly kind: DiskCallKind;
  readonly name: FileName | "";
  /** What must be finished before: names of files, or the key of a handle. */
  readonly inOrderOf: readonly string[];
  effect(): Outcome;
  fail(error: CrawlError): Outcome;
  /** Leaves what chance leaves of a call that never answered. */
  interrupt(): void;
}

const BOTH: Where = { seen: true, durable: true };
const NOTHING = (): void => undefined;

export class SimStorage implements Storage {
  readonly random: Random;
  readonly #disk: SimDisk;
  readonly #clock: Clock;
  readonly #turns = new Turns();
  readonly #openToAppend = new Set<FileName>();
  readonly #underWay = new Set<Pick<SimCall<never>, "interrupt">>();
  #isDead = false;
  #handles = 0;

  /** Made by `SimDisk.mount`. */
  constructor(disk: SimDisk, clock: Clock, random: Random) {
    this.#disk = disk;
    this.#clock = clock;
    this.random = random;
  }

  /**
   * The process dies and the machine lives: no call is answered any more; written bytes are
   * readable.
   */
  kill(): void {
    if (this.#isDead) return;
    this.#isDead = true;
    for (const call of this.#underWay) call.interrupt();
    this.#underWay.clear();
  }

  open(name: FileName, done: Done<StorageFile>): void {
    assert(!this.#openToAppend.has(name), `${name} is already open for appending`);
    this.#openToAppend.add(name);
    const create = (): SimDiskNode => {
      const node = this.#disk.node(name) ?? new SimDiskNode();
      this.#disk.setName(name, node, { seen: true, durable: false });
      return node;
    };
    this.call<Parameters<Done<StorageFile>>>(
      {
        kind: "open",
        name,
        inOrderOf: [name],
        effect: () => [null, this.#handle(name, create(), () => this.#openToAppend.delete(name))],
        fail: (error) => {
          this.#openToAppend.delete(name);
          return [error, undefined];
        },
        interrupt: () => void (this.random.below(2) === 0 && create()),
      },
      done,
    );
  }

  openToRead(name: FileName, done: Done<ReadableFile>): void {
    this.#look("openToRead", name, done, () => this.#handle(name, this.#found(name), NOTHING));
  }

  readWhole(name: FileName, done: Done<Uint8Array>): void {
    this.#look("readWhole", name, done, () => {
      const node = this.#found(name);
      return node.read(0, node.lengthBytes);
    });
  }

  replace(name: FileName, bytes: Uint8Array, done: Acknowledge): void {
    this.#assertNotOpen(name);
    const asGiven = new Uint8Array(bytes);
    this.#change({ kind: "replace", name, inOrderOf: [name] }, done, (where) => {
      assert(Buffer.compare(bytes, asGiven) === 0, "bytes were changed before the answer");
      if (bytes.length > this.#disk.roomFor(name)) throw this.full(name);
      this.#disk.setName(name, SimDiskNode.durable(bytes), where);
    });
  }

  rename(name: FileName, to: FileName, done: Acknowledge): void {
    this.#assertNotOpen(name);
    this.#assertNotOpen(to);
    assert(isFileName(to), `${to} is no name of a file`);
    this.#change({ kind: "rename", name, inOrderOf: [name, to] }, done, (where) => {
      for (const [from, target] of this.#renamed(name, to)) {
        const node = this.#disk.node(from);
        this.#disk.setName(from, undefined, where);
        this.#disk.setName(target, node, where);
      }
    });
  }

  remove(name: FileName, done: Acknowledge): void {
    this.#assertNotOpen(name);
    this.#change({ kind: "remove", name, inOrderOf: [name] }, done, (where) => {
      this.#disk.setName(name, undefined, where);
    });
  }

  list(folder: FileName | "", done: Done<readonly FileName[]>): void {
    const isBelow = (name: FileName): boolean => folder === "" || name.startsWith(`${folder}/`);
    this.#look("list", folder, done, () => this.#disk.fileNames().filter(isBelow));
  }

  freeBytes(done: Done<number>): void {
    this.#look("freeBytes", "", done, () => this.#disk.freeBytes);
  }

  /** For `SimStorageFile`: carries a call out in its turn, or interrupts it. */
  call<Outcome extends unknown[]>(
    call: SimCall<Outcome>,
    done: (...outcome: Outcome) => void,
  ): void {
    const isRoot = call.name === "" && (call.kind === "list" || call.kind === "freeBytes");
    assert(isRoot || isFileName(call.name), `${call.name} is no name of a file`);
    if (this.#isDead) return;
    const fails = this.#disk.begin(call.kind, call.name);
    this.#turns.take(call.inOrderOf, (finished) => {
      if (this.#isDead) return;
      this.#underWay.add(call);
      this.#clock.after(this.#disk.latencyMs(call.kind), () => {
        if (this.#isDead) return;
        this.#underWay.delete(call);
        const outcome = fails ? call.fail(this.failed(call.kind, call.name)) : call.effect();
        finished();
        done(...outcome);
      });
    });
  }

  full(name: FileName): CrawlError {
    const message = `Could not write ${name}: the simulated disk is full.`;
    return new CrawlError("STORAGE_FULL", message, { file: name, systemCode: "ENOSPC" });
  }

  failed(kind: DiskCallKind, name: FileName): CrawlError {
    const message = `Could not ${kind} ${name}: the simulated disk failed.`;
    return new CrawlError("STORAGE_FAILED", message, { file: name, systemCode: "EIO" });
  }

  #missing(name: FileName): CrawlError {
    const message = `There is no file ${name} on the simulated disk.`;
    return new CrawlError("STORAGE_MISSING", message, { file: name, systemCode: "ENOENT" });
  }

  #found(name: FileName): SimDiskNode {
    const node = this.#disk.node(name);
    if (node === undefined) throw this.#missing(name);
    return node;
  }

  #handle(name: FileName, node: SimDiskNode, closed: () => void): SimStorageFile {
    this.#handles += 1;
    const syncNames = (): void => this.#disk.syncNamesBeside(name);
    const key = `handle:${this.#handles}`;
    const freeBytes = (): number => this.#disk.roomFor(name);
    return new SimStorageFile({ storage: this, key, name, node, freeBytes, syncNames, closed });
  }

  /** A call that changes nothing; `look` may throw a `CrawlError`. */
  #look<Value>(
    kind: DiskCallKind,
    name: FileName | "",
    done: Done<Value>,
    look: () => Value,
  ): void {
    const effect = (): Parameters<Done<Value>> => {
      try {
        return [null, look()];
      } catch (error) {
        if (error instanceof CrawlError) return [error, undefined];
        throw error;
      }
    };
    const inOrderOf = name === "" || kind === "list" ? [] : [name];
    const fail = (error: CrawlError): Parameters<Done<Value>> => [error, undefined];
    this.call<Parameters<Done<Value>>>(
      { kind, name, inOrderOf, effect, fail, interrupt: NOTHING },
      done,
    );
  }

  /** A call that changes names: at a crash or failure the old state or the new one is left. */
  #change(
    call: Pick<SimCall<never>, "kind" | "name" | "inOrderOf">,
    done: Acknowledge,
    change: (where: Where) => void,
  ): void {
    const attempt = (where: Where): [CrawlError | null] => {
      try {
        change(where);
        return [null];
      } catch (error) {
        if (error instanceof CrawlError) return [error];
        throw error;
      }
    };
    const interrupt = (): void => {
      const seen = this.random.below(2) === 0;
      attempt({ seen, durable: seen && this.random.below(2) === 0 });
    };
    const fail = (error: CrawlError): [CrawlError] => {
      interrupt();
      return [error];
    };
    this.call<[CrawlError | null]>({ ...call, effect: () => attempt(BOTH), fail, interrupt }, done);
  }

  /** Old and new names of the file `name`, or of the files below it. */
  #renamed(name: FileName, to: FileName): [FileName, FileName][] {
    if (this.#disk.node(name) !== undefined) return [[name, to]];
    const names = this.#disk.fileNames();
    const below = names.filter((each) => each.startsWith(`${name}/`));
    if (below.length === 0) throw this.#missing(name);
    const isTaken = names.some((each) => each === to || each.startsWith(`${to}/`));
    if (isTaken) throw this.failed("rename", name);
    return below.map((each) => [each, to + each.slice(name.length)]);
  }

  #assertNotOpen(name: FileName): void {
    for (const open of this.#openToAppend) {
      assert(open !== name && !open.startsWith(`${name}/`), `${open} is open for appending`);
    }
  }
}
