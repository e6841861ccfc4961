/**
 * Checks what an agent keeps because it is one of several: its table of members, seeds and limits, what it has
 * told and was told, and claims. At rest only: while the agent runs all of that moves.
 *
 * Where a place is named that the table of members does not know nothing is wrong: it is put on probation when
 * the agent starts (G3).
 */
import { CrawlError, isCrawlError } from "../../base/errors/index.ts";
import type { TellOfLog } from "../../base/log/index.ts";
import { answered, type FileName } from "../../base/seams/index.ts";
import type { DiskStorage } from "../../base/storage/index.ts";
import { checkClaims } from "../../cluster/custody/index.ts";
import {
  checkInbox,
  checkOutboxes,
  type FoundOutbox,
  type FoundStreams,
  type UrlEntry,
} from "../../cluster/delivery/index.ts";
import { openLedger } from "../../cluster/limits/index.ts";
import {
  CLUSTER_FILE,
  type ClusterState,
  checkSeeds,
  parseState,
} from "../../cluster/membership/index.ts";
import type { Place } from "../../cluster/messages/index.ts";
import type { ProblemList } from "../../store/query/index.ts";
import type { SavedMember } from "../saving/saved-crawl.ts";

export const JOIN_ANEW =
  "Put the directory aside, and let the agent join the others with an empty one (--join)";
const GOES_ON =
  "The agent goes on, and says so. If it has all its seeds and nobody is given up meanwhile nothing is " +
  "lost by it; to be sure, put the directory aside, and let the agent join the others with an empty one";

/** What follows from damage, and what is to be done, by the first folder. */
const MEANINGS: Readonly<Record<string, readonly [consequence: string, remedy: string]>> = {
  cluster: ["the agent may not start, or lacks what all others have", JOIN_ANEW],
  inbox: ["URLs that others count as taken may be known no more", JOIN_ANEW],
  outbox: [
    "if the agent that was told is lost with its disk, some of its pages may not be found again",
    GOES_ON,
  ],
  held: [
    "if the agent that claims them is lost with its disk, some pages may not be fetched again",
    GOES_ON,
  ],
  claims: ["who has the pages of hosts that have changed hands is not known", JOIN_ANEW],
};

/** What is compared with the directories of other agents. */
export interface CheckedCluster {
  /** This disk; null if that is not known. */
  readonly place: Place | null;
  /** Of its last life. */
  readonly incarnation: number;
  /** The last lives of others that it has heard of. */
  readonly members: readonly { readonly place: Place; readonly incarnation: number }[];
  readonly inbound: FoundStreams;
  readonly outboxes: readonly FoundOutbox[];
}

export interface ClusterToCheck {
  readonly storage: DiskStorage;
  /** The id of the agent. */
  readonly agent: string;
  /** Of the last checkpoint; null without one. */
  readonly member: SavedMember | null;
  /** Whether that says that the agent has ended in order. */
  readonly isClosed: boolean;
  readonly claimed: (place: Place, entry: UrlEntry) => void;
}

export async function checkCluster(
  { storage, agent, member, isClosed, claimed }: ClusterToCheck,
  problems: ProblemList,
): Promise<CheckedCluster> {
  const tell: TellOfLog = (file, at, problem) => {
    problems.add({ file, at, url: null, ...meantBy(file, problem) });
  };
  const state = await checkState(storage, tell);
  const logs = { storage, isClosed };
  await checkSeeds(logs, tell);
  const mark = member?.mark ?? null;
  const inbound = await checkInbox(logs, mark?.inbox ?? null, tell);
  const outboxes = await checkOutboxes(logs, tell);
  await checkClaims(logs, mark?.custody?.claims ?? null, { claimed, problem: tell });
  const { incarnation = 0, members: rows = [] } = state ?? {};
  const members = rows.map(({ id, generation, ...row }) => {
    return { place: { id, generation }, incarnation: row.incarnation };
  });
  const place = state === null ? null : { id: agent, generation: state.generation };
  return { place, incarnation, members, inbound, outboxes };
}

async function checkState(storage: DiskStorage, tell: TellOfLog): Promise<ClusterState | null> {
  const ledger = answered<unknown>((done) => openLedger(storage, null, done));
  await toldOf(ledger, "cluster/limits", tell);
  const read = answered<Uint8Array>((done) => storage.readWhole(CLUSTER_FILE, done));
  const bytes = await toldOf(read, CLUSTER_FILE, tell);
  if (bytes === null) return null;
  const state = parseState(bytes);
  if (!(state instanceof CrawlError)) return state;
  tell(CLUSTER_FILE, null, String(state.facts["fault"] ?? state.message));
  return null;
}

async function toldOf<Value>(
  value: Promise<Value>,
  file: FileName,
  tell: TellOfLog,
): Promise<Value | null> {
  try {
    return await value;
  } catch (error) {
    if (!isCrawlError(error)) throw error;
    const isMissing = error.code === "STORAGE_MISSING";
    tell(file, null, isMissing ? "it is missing" : String(error.facts["fault"] ?? error.message));
    return null;
  }
}

function meantBy(file: FileName, problem: string): { problem: string; remedy: string } {
  const [folder = ""] = file.split("/");
  const [consequence = "", remedy = JOIN_ANEW] = MEANINGS[folder] ?? [];
  return { problem: `${problem}: ${consequence}`, remedy: `${remedy}.` };
}
