/**
 * The link graph of a crawl while it grows. Links gather in a batch; a full one is frozen and written
 * while the next one fills, one step after the other: it is packed in the background, its blocks go to
 * the log, its three runs are written, and then the marks name them. Runs are merged in between.
 *
 * Invariants: what the marks name is durable. A batch that failed halfway stays in memory and is tried
 * again by `flush` or the next full batch; its blocks may then be in the log twice, and the first
 * copy is never read. `add` always takes its page, so callers begin no further ones without `hasRoom`.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../base/errors/index.ts";
import type { Log, Position } from "../../base/log/index.ts";
import {
  type BatchToWrite,
  type RunStack,
  type RunStackMarks,
  writeBatch,
} from "../../base/runs/index.ts";
import {
  type Acknowledge,
  type Background,
  type FileName,
  type Storage,
  whenDone,
  withValue,
} from "../../base/seams/index.ts";
import { type GraphPage, LinkBatch } from "./link-batch.ts";
import { columnsOf, type RunColumns } from "./link-columns.ts";
import type { PageLinks } from "./link-lines.ts";
import {
  LINK_FORMATS,
  LINK_RUNS,
  type LinkMarks,
  type LinkRuns,
  linkMarksName,
  printLinkMarks,
} from "./link-marks.ts";
import { type PackedLinks, packLinks } from "./pack-links.ts";

export interface LinkGraphOptions {
  readonly storage: Storage;
  readonly background: Background;
  /** The graph has this folder to itself. */
  readonly folder: FileName;
  /** How much text gathers before it is written. */
  readonly batchBytes: number;
  /** Called with failures of what goes on behind the calls; it is tried again later. */
  readonly report: (error: CrawlError) => void;
}

/** How many pages have had their links written, and how many links. */
export interface LinkCounts {
  readonly pages: number;
  readonly links: number;
}

/** What of a batch has been done. */
interface Frozen {
  readonly batch: LinkBatch;
  readonly links: number;
  packed: PackedLinks | null;
  /** Where each block is in the log; null until all of them are durable. */
  places: Position[] | null;
  readonly written: Set<LinkRuns>;
}

/** How many batches may be in memory: one that is written, one that fills, and one more. */
const BATCHES_MAX = 3;

export class LinkGraph {
  readonly #options: LinkGraphOptions;
  readonly #log: Log;
  readonly #stacks: Readonly<Record<LinkRuns, RunStack>>;
  #countOfPages: number;
  #countOfLinks: number;
  #linksWritten: number;
  #active: LinkBatch;
  #activeLinks = 0;
  #frozen: Frozen | null = null;
  #isBusy = false;
  #hasFailed = false;
  #areMarksOld = false;
  /** Answered when what was added before is named by the marks. */
  #flushing: Acknowledge[] = [];
  #nextFlushing: Acknowledge[] = [];
  #waiting: (() => void)[] = [];
  #closed: Acknowledge | null = null;

  constructor(
    options: LinkGraphOptions,
    log: Log,
    stacks: Readonly<Record<LinkRuns, RunStack>>,
    marks: LinkMarks,
  ) {
    this.#options = options;
    this.#log = log;
    this.#stacks = stacks;
    this.#countOfPages = marks.countOfPages;
    this.#countOfLinks = marks.countOfLinks;
    this.#linksWritten = marks.linksWritten ?? marks.countOfLinks;
    this.#active = new LinkBatch(marks.nextBlock);
  }

  get memoryBytes(): number {
    const frozenBytes = this.#frozen?.batch.memoryBytes ?? 0;
    return this.#active.memoryBytes + frozenBytes + this.#log.memoryBytes;
  }

  /** How much has been added; what a page had before it was added once more counts too. */
  get counts(): LinkCounts {
    const { batch = null, links: frozenLinks = 0 } = this.#frozen ?? {};
    return {
      pages: this.#countOfPages + (batch?.pages.count ?? 0) + this.#active.pages.count,
      links: this.#countOfLinks + frozenLinks + this.#activeLinks,
    };
  }

  /**
   * For a crawl that goes on after a kill: counts what its checkpoint knows, since all that came later is
   * about to be added once more. To be called before anything is added.
   */
  countFrom({ pages, links }: LinkCounts): void {
    assert(this.#active.isEmpty && this.#frozen === null, "counts are set before they grow");
    if (pages === this.#countOfPages && links === this.#countOfLinks) return;
    this.#countOfPages = pages;
    this.#countOfLinks = links;
    this.#areMarksOld = true;
  }

  /** Whether the disk keeps up. */
  get hasRoom(): boolean {
    return this.#active.bytes < (BATCHES_MAX - 1) * this.#options.batchBytes;
  }

  /** Calls back when there is room again; perhaps after a failure was reported and has passed. */
  whenRoom(callback: () => void): void {
    this.#waiting.push(callback);
  }

  /** From now on these are the links of the page, whatever they were before. */
  add(page: GraphPage, links: PageLinks): void {
    assert(this.#closed === null, "a closed graph takes nothing");
    this.#active.add(page, links);
    this.#activeLinks += links.highs.length;
    if (this.#active.bytes >= this.#options.batchBytes) this.#retry();
  }

  /** Answers when everything added before can be found; at once durable, too. */
  flush(done: Acknowledge): void {
    assert(this.#closed === null, "a closed graph is not flushed");
    this.#nextFlushing.push(done);
    this.#retry();
  }

  /** Closes it when what is under way and every flush has ended; what was not flushed is lost. */
  close(done: Acknowledge): void {
    assert(this.#closed === null, "a graph is closed once");
    this.#closed = done;
    this.#work();
  }

  /** Tries again what has failed. */
  #retry(): void {
    this.#hasFailed = false;
    this.#work();
  }

  #work(): void {
    if (this.#isBusy) return;
    const isAwaited = this.#flushing.length + this.#nextFlushing.length > 0;
    if (this.#closed !== null && !isAwaited) this.#close(this.#closed);
    else if (!this.#hasFailed) this.#next();
  }

  #next(): void {
    const stacks = LINK_RUNS.map((name) => this.#stacks[name]);
    const crowded = stacks.find(({ isCrowded }) => isCrowded);
    const merging = crowded ?? stacks.find(({ isMergeDue }) => isMergeDue);
    if (this.#frozen === null) this.#freezeIfDue();
    if (crowded !== undefined) this.#merge(crowded);
    else if (this.#frozen !== null) this.#write(this.#frozen);
    else if (this.#areMarksOld) this.#keepMarks();
    else if (this.#flushing.length > 0) this.#answerFlushes();
    else if (merging !== undefined) this.#merge(merging);
  }

  #freezeIfDue(): void {
    const { batchBytes } = this.#options;
    const isAsked = this.#nextFlushing.length > 0 && this.#flushing.length === 0;
    if (this.#active.bytes < batchBytes && !isAsked) return;
    this.#flushing.push(...this.#nextFlushing.splice(0));
    if (this.#active.isEmpty) return;
    const batch = this.#active;
    const links = this.#activeLinks;
    this.#active = new LinkBatch(batch.firstBlock + batch.ends.length);
    this.#activeLinks = 0;
    this.#frozen = { batch, links, packed: null, places: null, written: new Set() };
    for (const callback of this.#waiting.splice(0)) callback();
  }

  /** Does the next step of a batch. */
  #write(frozen: Frozen): void {
    const { batch, packed, places, written } = frozen;
    const next = LINK_RUNS.find((name) => !written.has(name));
    if (packed === null) this.#pack(frozen, this.#begun());
    else if (places === null) this.#append(frozen, packed, this.#begun());
    else if (next === undefined) this.#finish(frozen);
    else this.#writeRun(frozen, next, columnsOf(next, { batch, packed, places }));
  }

  #pack(frozen: Frozen, ended: Acknowledge): void {
    const { text, ends, arcs } = frozen.batch;
    const input = { text, ends, arcHighs: arcs.firsts, arcBlocks: arcs.seconds };
    const take = (packed: PackedLinks): void => {
      frozen.packed = packed;
      ended(null);
    };
    this.#options.background.run(packLinks, input, withValue(ended, take));
  }

  #append(frozen: Frozen, { blocks }: PackedLinks, ended: Acknowledge): void {
    const places: Position[] = [];
    const goOn = (): void => {
      for (const block of blocks.slice(places.length)) {
        const place = this.#log.tryAppend(block);
        if (place === null) break;
        places.push(place);
      }
      this.#log.commit(
        whenDone(ended, () => {
          if (places.length < blocks.length) goOn();
          else {
            frozen.places = places;
            ended(null);
          }
        }),
      );
    };
    goOn();
  }

  #writeRun({ written }: Frozen, name: LinkRuns, columns: RunColumns): void {
    const { background, storage } = this.#options;
    const stack = this.#stacks[name];
    if (columns.highs.length === 0) {
      written.add(name);
      this.#work();
      return;
    }
    const ended = this.#begun();
    const batch: BatchToWrite = { ...columns, ...LINK_FORMATS[name], name: stack.newName() };
    background.run(writeBatch, batch, (error, run) => {
      if (error !== null) {
        storage.remove(batch.name, () => ended(error));
        return;
      }
      stack.push(run);
      written.add(name);
      ended(null);
    });
  }

  #finish({ batch, links }: Frozen): void {
    this.#countOfPages += batch.pages.count;
    this.#countOfLinks += links;
    this.#linksWritten += links;
    this.#frozen = null;
    this.#areMarksOld = true;
    this.#work();
  }

  #merge(stack: RunStack): void {
    const { length } = stack.runs;
    const ended = this.#begun();
    stack.mergeSlice((error) => {
      if (stack.runs.length !== length) this.#areMarksOld = true;
      ended(error);
    });
  }

  #keepMarks(): void {
    const { storage, folder } = this.#options;
    const ended = this.#begun();
    const kept = new Map<LinkRuns, RunStackMarks>();
    for (const name of LINK_RUNS) kept.set(name, this.#stacks[name].mark());
    const marksOf = (name: LinkRuns): RunStackMarks => kept.get(name) as RunStackMarks;
    const marks: LinkMarks = {
      ...{ end: this.#log.committed, nextBlock: this.#active.firstBlock },
      ...{ countOfPages: this.#countOfPages, countOfLinks: this.#countOfLinks },
      linksWritten: this.#linksWritten,
      ...{ arcs: marksOf("arcs"), pages: marksOf("pages"), places: marksOf("places") },
    };
    storage.replace(linkMarksName(folder), printLinkMarks(marks), (error) => {
      for (const [name, mark] of kept) {
        if (error === null) this.#stacks[name].keepOnly(mark);
        else this.#stacks[name].forget(mark);
      }
      if (error === null) this.#areMarksOld = false;
      ended(error);
    });
  }

  #begun(): Acknowledge {
    this.#isBusy = true;
    return (error) => {
      this.#isBusy = false;
      if (error !== null) this.#failed(error);
      this.#work();
    };
  }

  #failed(error: CrawlError): void {
    this.#hasFailed = true;
    if (this.#closed === null) this.#options.report(error);
    for (const done of [...this.#flushing.splice(0), ...this.#nextFlushing.splice(0)]) done(error);
  }

  /** Never inside the call that asked: there may have been nothing to do. */
  #answerFlushes(): void {
    const flushed = this.#flushing.splice(0);
    const ended = this.#begun();
    this.#options.storage.freeBytes(() => {
      for (const done of flushed) done(null);
      ended(null);
    });
  }

  #close(done: Acknowledge): void {
    this.#isBusy = true;
    this.#log.close(done);
  }
}
