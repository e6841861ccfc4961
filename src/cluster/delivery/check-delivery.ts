/**
 * Reads what an agent has told others and was told, from outside and at rest, for those who check its
 * directory: every frame, and how far each stream has got at either end. Nothing is written or cut.
 */
import { parseChecked } from "../../base/folder/index.ts";
import { checkLog, type Position, type TellOfLog, viewLog } from "../../base/log/index.ts";
import { answered, type FileName, type Storage } from "../../base/seams/index.ts";
import {
  decodePiece,
  decodeRecord,
  InboundStreams,
  streamFile,
} from "../../topology/remote/index.ts";
import type { Place } from "../messages/index.ts";
import type { Entry } from "./entry.ts";
import { readEntries, unpackBlock } from "./entry-blocks.ts";
import { entriesIn, INBOX } from "./inbox.ts";
import { OUTBOXES } from "./outbox.ts";
import { placeFolder, placesIn } from "./place-folders.ts";
import { numberOf } from "./retained-log.ts";

/** What one place was told. */
export interface FoundOutbox {
  readonly place: Place;
  /** The name of the stream; null if it is not known. */
  readonly stream: string | null;
  /** Everything before this was acknowledged by the place. */
  readonly acknowledged: Position;
}

/** Where logs of an agent are. */
export interface LogsToCheck {
  readonly storage: Storage;
  /** Whether the agent has ended in order. */
  readonly isClosed: boolean;
}

/** By the names of streams: everything before the position was acknowledged here. */
export type FoundStreams = ReadonlyMap<string, Position>;

/** `mark`: of the last checkpoint, which needs everything behind it; null without one. */
export async function checkInbox(
  { storage, isClosed }: LogsToCheck,
  mark: Position | null,
  tell: TellOfLog,
): Promise<FoundStreams> {
  const streams = new InboundStreams();
  let end = 0;
  const take = (bytes: Uint8Array, position: Position): boolean => {
    end = position + 1;
    const record = decodeRecord(bytes);
    if (record?.kind === "mark") streams.replayMark(record.mark);
    const piece = record?.kind === "arrival" ? decodePiece(record.arrival.piece) : null;
    if (record?.kind === "arrival" && piece !== null)
      streams.replay(record.arrival, piece, position);
    return record?.kind === "mark" || entriesIn(bytes) !== null;
  };
  const log = { storage, name: INBOX, from: null, to: null, isClosed };
  await checkLog(log, take, tell);
  if (mark !== null && (await beginOf(storage, INBOX)) > mark) {
    tell(`${INBOX}.log`, mark, "the checkpoint needs what is not there from here on");
  } else if (mark !== null && mark > end) {
    tell(`${INBOX}.log`, end, `it ends here, and the checkpoint knows it up to ${mark}`);
  }
  return new Map(Array.from(streams.all(), ({ name, durableAt }) => [name, durableAt] as const));
}

export async function checkOutboxes(
  { storage, isClosed }: LogsToCheck,
  tell: TellOfLog,
): Promise<readonly FoundOutbox[]> {
  const found: FoundOutbox[] = [];
  for (const place of await placesUnder(storage, OUTBOXES)) {
    const folder = placeFolder(OUTBOXES, place);
    const name = `${folder}/out`;
    const take = (bytes: Uint8Array): boolean => {
      const piece = decodePiece(bytes);
      return piece !== null && readEntries(piece.bytes, piece.count) !== null;
    };
    await checkLog({ storage, name, from: null, to: null, isClosed }, take, tell);
    await checkRetained({ storage, folder, isClosed }, () => undefined, tell);
    const acknowledged = await beginOf(storage, name);
    const stream = await textIn(storage, streamFile(folder));
    if (stream === null) tell(streamFile(folder), null, "it is missing");
    found.push({ place, stream, acknowledged });
  }
  return found;
}

interface Retained extends LogsToCheck {
  readonly folder: FileName;
}

/** Reads a log in which entries are retained; of one that was never begun there is nothing to say. */
export async function checkRetained(
  { storage, folder, isClosed }: Retained,
  each: (entry: Entry) => void,
  tell: TellOfLog,
): Promise<void> {
  const files = await filesIn(storage, folder);
  const current = await textIn(storage, `${folder}/current`);
  const said = current === null ? { number: 0 } : parseChecked(current, "must-have");
  if (said === null) tell(`${folder}/current`, null, "it is not as it was written");
  const number = numberOf({ folder }, said?.["number"] as number | undefined, files);
  if (number === null) tell(`${folder}/current`, null, "which of the logs counts is not known");
  else if (files.some((file) => file.startsWith(`${folder}/kept-`))) {
    const take = (block: Uint8Array): boolean => {
      const entries = unpackBlock(block);
      for (const entry of entries ?? []) each(entry);
      return entries !== null;
    };
    const name = `${folder}/kept-${number}`;
    await checkLog({ storage, name, from: null, to: null, isClosed }, take, tell);
  }
}

/** Those that have folders in this one. */
export async function placesUnder(storage: Storage, root: FileName): Promise<readonly Place[]> {
  return placesIn(root, await filesIn(storage, root));
}

function filesIn(storage: Storage, folder: FileName): Promise<readonly FileName[]> {
  return answered((done) => storage.list(folder, done));
}

/** 0 for a log that cannot be read, which is told elsewhere. */
function beginOf(storage: Storage, name: FileName): Promise<Position> {
  return new Promise((resolve) =>
    viewLog(storage, name, (error, log) => resolve(error === null ? log.begin : 0)),
  );
}

function textIn(storage: Storage, file: FileName): Promise<string | null> {
  return new Promise((resolve) =>
    storage.readWhole(file, (error, bytes) =>
      resolve(error === null ? new TextDecoder().decode(bytes) : null),
    ),
  );
}
