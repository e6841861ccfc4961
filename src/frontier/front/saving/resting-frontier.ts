/**
 * The frontier of a crawl that rests, as its checkpoint and its files have it, for people who ask: how
 * much waits, where one URL is, how many URLs of its host go before it, and what the robots.txt of its
 * origin says, and whether all is as it was written. Nothing is opened or changed.
 */
import type { Fingerprint } from "../../../base/fingerprints/index.ts";
import type { FileName, Storage } from "../../../base/seams/index.ts";
import { type FetchableUrl, hostOf } from "../../../formats/url/index.ts";
import { viewHostNumber, viewQueue } from "../../queues/index.ts";
import { countsIn } from "../../sieve/index.ts";
import { fingerprintInRecord, politeHost } from "../../ticket/index.ts";
import type { TraversalName } from "../../traversal/index.ts";
import type { FrontierStatus } from "../frontier.ts";
import type { FrontierSettings } from "../frontier-settings.ts";
import { awayIn } from "../hosts/host-ledger.ts";
import { type CheckedFrontier, checkFrontier, type FrontierFindings } from "./check-frontier.ts";
import { rowName, rowsOf } from "./checkpoint-rows.ts";
import type { FrontierCheckpoint } from "./frontier-checkpoint.ts";
import { lookAtVisit, type VisitLook } from "./look-at-visit.ts";
import { visitOf } from "./restore-frontier.ts";

export interface CheckpointFiles {
  readonly storage: Storage;
  /** Of the frontier. */
  readonly folder: FileName;
  /** Only breadth-first has an order in which places can be counted. */
  readonly traversal: TraversalName;
}

const NOT_IN_MEMORY: VisitLook = {
  place: null,
  robots: null,
  canonical: null,
  restsForMs: 0,
  waiting: 0,
};
const NO_MEMORY = { sieve: 0, queues: 0, hosts: 0, states: 0, robots: 0, depths: 0 };

export class RestingFrontier {
  readonly #checkpoint: FrontierCheckpoint;
  readonly #files: CheckpointFiles;

  constructor(checkpoint: FrontierCheckpoint, files: CheckpointFiles) {
    this.#checkpoint = checkpoint;
    this.#files = files;
  }

  get isExhausted(): boolean {
    return RestingFrontier.isExhausted(this.#checkpoint);
  }

  /** Whether nothing is left, also of what was found last and may turn out to be known. */
  static isExhausted({ marks }: FrontierCheckpoint): boolean {
    return marks.tally.open + marks.overflow.length + countsIn(marks.sieve).pending === 0;
  }

  /** As the frontier itself told it last: what the sieve has not decided is not counted. */
  static statusOf({ marks, rows }: FrontierCheckpoint): FrontierStatus {
    const { open, elsewhere = 0 } = marks.tally;
    const away = Array.from(rowsOf(rows, "hosts"), ([, chunk]) => awayIn(chunk));
    const hosts = marks.names.hosts - away.reduce((sum, count) => sum + count, 0);
    return {
      ...{ urls: countsIn(marks.sieve).seen - elsewhere, queued: open, inFlight: 0 },
      ...{ hosts, refused: marks.tally.refused, idle: {}, allowances: [] },
      memory: NO_MEMORY,
    };
  }

  /** Reads all that the checkpoint names, and tells what is wrong. */
  check(settings: Partial<FrontierSettings>, findings: FrontierFindings): Promise<CheckedFrontier> {
    const checkpoint = this.#checkpoint;
    return checkFrontier({ ...this.#files, checkpoint, settings }, findings);
  }

  /** Null if the crawl does not know the host. */
  async look(url: FetchableUrl, wanted: Fingerprint): Promise<VisitLook | null> {
    const { storage, folder, traversal } = this.#files;
    const host = politeHost(hostOf(url));
    const number = await viewHostNumber(storage, `${folder}/hosts`, host);
    if (number === null) return null;
    const { rows, marks } = this.#checkpoint;
    const saved = rows.get(rowName("visits", number));
    const isOf = (record: Buffer): boolean => {
      const { high, low } = fingerprintInRecord(record);
      return high === wanted.high && low === wanted.low;
    };
    const look =
      saved === undefined ? NOT_IN_MEMORY : lookAtVisit(visitOf(saved), url, isOf, marks.momentMs);
    if (traversal !== "breadth-first") return look;
    const records = await viewQueue(storage, `${folder}/queues`, marks.queues, number);
    const at = records.findIndex(isOf);
    const waiting = look.waiting + records.length;
    const place = at === -1 ? look.place : ({ kind: "queue", before: look.waiting + at } as const);
    return { ...look, place, waiting };
  }
}
