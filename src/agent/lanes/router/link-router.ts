/**
 * Sends links to the lanes whose hosts they lead to, in batches, and takes those of other lanes. A
 * batch is acknowledged when everything in it was offered to the frontier, whose sieve has it in its
 * log from then on; while the frontier is full, the acknowledgement waits, and so does the sender.
 *
 * Invariant: from the first entry of a batch until its acknowledgement the sender counts it as work
 * under way (`hold`, `release`). So a lane that has nothing under way has nothing on its way either,
 * and what it led to is known where it belongs.
 */
import type { Fingerprint } from "../../../base/fingerprints/index.ts";
import type { Clock } from "../../../base/seams/index.ts";
import type { Frontier } from "../../../frontier/front/index.ts";
import type { Port } from "../../../topology/threads/index.ts";
import type { TrailListener } from "../../links/scope-growth.ts";
import {
  type BatchTaker,
  LinkBatchWriter,
  type RoutedTicket,
  readLinkBatch,
} from "./link-batch.ts";

/** A robots.txt, and who is told how the fetch of it ended. */
type RobotsCall = Parameters<Frontier["fetchRobots"]>;
type GuestRobots = RobotsCall[0];
type RobotsDone = RobotsCall[1];

export type RouterMessage =
  | { readonly kind: "batch"; readonly bytes: ArrayBuffer }
  | { readonly kind: "taken"; readonly batches: number }
  /** Fetch this robots.txt; answered by how that ended. */
  | { readonly kind: "robots"; readonly id: number; readonly robots: GuestRobots }
  | { readonly kind: "robots-end"; readonly id: number; readonly end: Parameters<RobotsDone>[0] }
  /** The other lane knows how the fetch ended. */
  | { readonly kind: "robots-taken" };

export interface LinkRouterParts {
  readonly clock: Clock;
  /** The ways to the other lanes, by their numbers. */
  readonly ports: ReadonlyMap<number, Port<RouterMessage, RouterMessage>>;
  readonly taker: BatchTaker;
  /** Something is under way, until `release`. */
  readonly hold: () => void;
  readonly release: () => void;
  /** Whether the frontier has room for more. */
  readonly hasRoom: () => boolean;
  /** Called after something of another lane was taken. */
  readonly received: () => void;
  /** Fetches a robots.txt that a host of another lane redirects to. */
  readonly fetchRobots: Frontier["fetchRobots"];
}

/** A batch of this length is not waited with. */
const BATCH_BYTES = 64 * 1024;
/** So many batches may be on their way to one lane before nothing more is begun. */
const BATCHES_MAX = 32;

const NO_BATCHES = { told: 0, sent: 0, received: 0 };

interface Way {
  readonly port: Port<RouterMessage, RouterMessage>;
  readonly writer: LinkBatchWriter;
  /** Batches that are not acknowledged. */
  open: number;
  /** Batches that were taken and are to be acknowledged. */
  owed: number;
  /** Batches sent there, and taken from there. */
  sent: number;
  received: number;
  /** Robots.txt files of which that lane was told, and has not said that it knows. */
  told: number;
}

export class LinkRouter implements TrailListener {
  readonly #parts: LinkRouterParts;
  readonly #ways = new Map<number, Way>();
  /** Files that other lanes were asked for. */
  readonly #robots = new Map<number, RobotsDone>();
  #nextId = 0;
  #isDue = false;
  #sent = 0;
  #received = 0;

  constructor(parts: LinkRouterParts) {
    this.#parts = parts;
    for (const [lane, port] of parts.ports) {
      this.#ways.set(lane, {
        port,
        writer: new LinkBatchWriter(),
        open: 0,
        owed: 0,
        ...NO_BATCHES,
      });
    }
  }

  /** From now on batches of others are taken; those that came before wait until then. */
  start(): void {
    for (const way of this.#ways.values()) {
      way.port.listen((message) => this.#listen(way, message));
    }
  }

  /** Batches sent to other lanes, and taken from them, since the start. */
  get sent(): number {
    return this.#sent;
  }

  get received(): number {
    return this.#received;
  }

  /** The same for each other lane. */
  get ways(): readonly { lane: number; sent: number; received: number }[] {
    return Array.from(this.#ways, ([lane, { sent, received }]) => ({ lane, sent, received }));
  }

  /** While true, nothing more should be begun. */
  get isFull(): boolean {
    for (const { open } of this.#ways.values()) if (open >= BATCHES_MAX) return true;
    return false;
  }

  /** Whether other lanes have acknowledged everything that was written for them. */
  get isSettled(): boolean {
    for (const { open, told, writer } of this.#ways.values()) {
      if (open > 0 || told > 0 || writer.lengthBytes > 0) return false;
    }
    return true;
  }

  /** False for a ticket that fits into no record. */
  trySend(lane: number, routed: RoutedTicket): boolean {
    const way = this.#ways.get(lane);
    if (way === undefined) return false;
    const isFirst = way.writer.lengthBytes === 0;
    if (!way.writer.tryTicket(routed)) return false;
    this.#wrote(way, isFirst);
    return true;
  }

  /** Asks another lane for a robots.txt; `done` is called once, unless the lanes end before. */
  askRobots(lane: number, ...[robots, done]: RobotsCall): void {
    this.#nextId += 1;
    this.#robots.set(this.#nextId, done);
    this.#ways.get(lane)?.port.post({ kind: "robots", id: this.#nextId, robots });
  }

  begun(url: string): void {
    this.#tellAll((writer) => writer.trailBegun(url));
  }

  ended(page: Fingerprint): void {
    this.#tellAll((writer) => writer.trailEnded(page));
  }

  /** Sends what was written so far. */
  flush(): void {
    this.#isDue = false;
    for (const way of this.#ways.values()) this.#flush(way);
  }

  /** Acknowledges what waited for room. */
  acknowledge(): void {
    if (!this.#parts.hasRoom()) return;
    for (const way of this.#ways.values()) {
      if (way.owed === 0) continue;
      way.port.post({ kind: "taken", batches: way.owed });
      way.owed = 0;
    }
  }

  close(): void {
    for (const { port } of this.#ways.values()) port.close();
  }

  #listen(way: Way, message: RouterMessage): void {
    const { fetchRobots, received } = this.#parts;
    switch (message.kind) {
      case "batch":
        this.#take(way, message.bytes);
        break;
      case "taken":
        this.#acknowledged(way, message.batches);
        break;
      case "robots": {
        const { id, robots } = message;
        fetchRobots(robots, (end) => this.#tellRobots(way, id, end));
        received();
        break;
      }
      case "robots-end":
        this.#robots.get(message.id)?.(message.end);
        this.#robots.delete(message.id);
        way.port.post({ kind: "robots-taken" });
        received();
        break;
      case "robots-taken":
        way.told -= 1;
        this.#parts.release();
    }
  }

  /** The file has its line in this lane; no checkpoint is taken before the other lane knows of it. */
  #tellRobots(way: Way, id: number, end: Parameters<RobotsDone>[0]): void {
    way.told += 1;
    this.#parts.hold();
    way.port.post({ kind: "robots-end", id, end });
  }

  #tellAll(write: (writer: LinkBatchWriter) => void): void {
    for (const way of this.#ways.values()) {
      const isFirst = way.writer.lengthBytes === 0;
      write(way.writer);
      this.#wrote(way, isFirst);
    }
  }

  #wrote(way: Way, isFirst: boolean): void {
    if (isFirst) this.#parts.hold();
    if (way.writer.lengthBytes >= BATCH_BYTES) this.#flush(way);
    else if (!this.#isDue) {
      this.#isDue = true;
      this.#parts.clock.after(0, () => this.flush());
    }
  }

  #flush(way: Way): void {
    if (way.writer.lengthBytes === 0) return;
    const bytes = way.writer.take();
    way.open += 1;
    way.sent += 1;
    this.#sent += 1;
    way.port.post({ kind: "batch", bytes }, bytes);
  }

  #take(way: Way, bytes: ArrayBuffer): void {
    this.#received += 1;
    way.received += 1;
    way.owed += 1;
    readLinkBatch(bytes, this.#parts.taker);
    this.acknowledge();
    this.#parts.received();
  }

  #acknowledged(way: Way, batches: number): void {
    way.open -= batches;
    for (let count = 0; count < batches; count += 1) this.#parts.release();
  }
}
