/**
 * Opening a link graph to let it grow: its marks are read, its log is cut to the length that they name,
 * and runs that they do not name are removed. So a process that died leaves nothing behind but what its
 * last marks name.
 */
import { CrawlError } from "../../base/errors/index.ts";
import { type Log, type OpenedLog, openLog } from "../../base/log/index.ts";
import { openRunStack, type RunStack } from "../../base/runs/index.ts";
import {
  type Acknowledge,
  type Done,
  type FileName,
  type Random,
  type Storage,
  whenDone,
  withValue,
} from "../../base/seams/index.ts";
import { LinkGraph, type LinkGraphOptions } from "./link-graph.ts";
import {
  LINK_FORMATS,
  LINK_RUNS,
  type LinkMarks,
  type LinkRuns,
  linkLogName,
  linkMarksName,
  NO_LINK_MARKS,
  printLinkMarks,
  readLinkMarks,
} from "./link-marks.ts";

export interface LinkGraphPlace extends Omit<LinkGraphOptions, "batchBytes"> {
  /** For the salt of a new log. */
  readonly random: Random;
  readonly batchBytes?: number;
}

/** About ten thousand links, which take a few milliseconds to pack. */
const BATCH_BYTES = 1024 * 1024;

/** Opens the graph, or makes an empty one. `LINKS_DAMAGED` when its marks cannot be read. */
export function openLinkGraph(place: LinkGraphPlace, done: Done<LinkGraph>): void {
  const { storage, random, folder } = place;
  const options = { batchBytes: BATCH_BYTES, ...place };
  const openWith = (marks: LinkMarks): void => {
    const opened = ({ log }: OpenedLog): void => {
      const fail = (error: CrawlError): void => log.close(() => done(error, undefined));
      const finish = (stacks: Readonly<Record<LinkRuns, RunStack>>): void =>
        done(null, new LinkGraph(options, log, stacks, marks));
      const openStacks = (): void => openAll(options, marks, withValue(fail, finish));
      cut(log, marks, whenDone(fail, openStacks));
    };
    const name = linkLogName(folder);
    const durable = { framing: "binary", durableEnd: marks.end } as const;
    openLog({ storage, random, name, ...durable }, withValue(done, opened));
  };
  const begin = (marks: LinkMarks): void => {
    if (marks !== NO_LINK_MARKS) openWith(marks);
    else
      beginMarks(
        storage,
        folder,
        whenDone(done, () => openWith(marks)),
      );
  };
  readMarks(storage, folder, withValue(done, begin));
}

/** A graph has marks before it has anything else, so that marks which are gone are noticed. */
function beginMarks(storage: Storage, folder: FileName, done: Acknowledge): void {
  storage.replace(linkMarksName(folder), printLinkMarks(NO_LINK_MARKS), done);
}

/** The marks of a graph; `NO_LINK_MARKS` when there is none. */
export function readMarks(storage: Storage, folder: FileName, done: Done<LinkMarks>): void {
  const name = linkMarksName(folder);
  const lookAround = (names: readonly FileName[]): void => {
    if (names.length === 0) done(null, NO_LINK_MARKS);
    // They were made a moment ago, by the crawl that begins.
    else if (names.includes(name)) readMarks(storage, folder, done);
    else done(damagedLinks(name, "it is missing"), undefined);
  };
  storage.readWhole(name, (error, bytes) => {
    if (error?.code === "STORAGE_MISSING") storage.list(folder, withValue(done, lookAround));
    else if (error !== null) done(error, undefined);
    else {
      const marks = readLinkMarks(bytes);
      if (marks === null) done(damagedLinks(name, "it does not name runs"), undefined);
      else done(null, marks);
    }
  });
}

export function damagedLinks(file: FileName, reason: string): CrawlError {
  const message =
    `The links of the crawl are damaged: ${file}: ${reason}. Check the disk; the archive is not ` +
    "affected, and `trobar store verify --rebuild` makes them again from it.";
  return new CrawlError("LINKS_DAMAGED", message, { file, reason });
}

function cut(log: Log, { end }: LinkMarks, done: (error: CrawlError | null) => void): void {
  if (log.end === end) done(null);
  else log.cutTo(end, done);
}

function openAll(
  options: LinkGraphOptions,
  marks: LinkMarks,
  done: Done<Readonly<Record<LinkRuns, RunStack>>>,
): void {
  const stacks = new Map<LinkRuns, RunStack>();
  const openFrom = (at: number): void => {
    const name = LINK_RUNS[at];
    if (name === undefined) {
      done(null, Object.fromEntries(stacks) as Record<LinkRuns, RunStack>);
      return;
    }
    const folder = `${options.folder}/${name}`;
    const take = (stack: RunStack): void => {
      stacks.set(name, stack);
      openFrom(at + 1);
    };
    openRunStack({ ...options, ...LINK_FORMATS[name], folder }, marks[name], withValue(done, take));
  };
  openFrom(0);
}
