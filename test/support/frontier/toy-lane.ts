/**
 * A lane without a network: it acquires errands of a frontier in virtual time, as many at once as it
 * has connections, and ends each as a function says. It watches everything that the frontier
 * promises while it does so: one visit of a host at a time, delays kept, each errand and each URL
 * ended once.
 */
import assert from "node:assert/strict";
import type { Timer } from "../../../src/base/seams/index.ts";
import type {
  ExpandErrand,
  Frontier,
  PageEnd,
  PageErrand,
  Resolution,
  ResolveErrand,
  RobotsEnd,
  RobotsErrand,
} from "../../../src/frontier/front/index.ts";
import type { Ticket } from "../../../src/frontier/ticket/index.ts";
import type { Kernel } from "../../../src/lab/simulator/index.ts";
import { PolitenessWatch } from "./politeness-watch.ts";

/** What becomes of errands, and how long it takes. */
export interface ToyWeb {
  resolve(errand: ResolveErrand): { readonly afterMs: number; readonly resolution: Resolution };
  robots(errand: RobotsErrand): { readonly afterMs: number; readonly end: RobotsEnd };
  page(errand: PageErrand): { readonly afterMs: number; readonly end: PageEnd };
}

export interface ToyLaneOptions {
  readonly kernel: Kernel;
  readonly web: ToyWeb;
  readonly connections: number;
  readonly hostDelayMs: number;
  readonly addressDelayMs: number;
  /** The longest rest that a host may ask for. */
  readonly restMsMax: number;
  /** Called after a page's last answer. */
  readonly settled?: (ticket: Ticket) => void;
  readonly expanded?: (errand: ExpandErrand) => void;
  /** The lane of the process before this one. */
  readonly before?: ToyLane;
}

/** One line for each errand, in the order in which they began. */
export interface LoggedErrand {
  readonly kind: string;
  readonly what: string;
  readonly atMs: number;
  readonly address: string | null;
}

export class ToyLane {
  readonly log: LoggedErrand[];
  readonly watch: PolitenessWatch;
  /** Final answers and URLs ended without a fetch, by URL. */
  readonly ends: Map<string, string>;
  readonly expands: string[] = [];
  readonly depths: Map<string, number> = new Map<string, number>();
  readonly #visits = new Set<RobotsErrand | PageErrand>();
  /** How often it was told to ask at an instant and got nothing. */
  vainWakes = 0;
  /** Called after every turn. */
  each: () => void = () => undefined;
  readonly #options: ToyLaneOptions;
  #frontier: Frontier | null = null;
  #busy = 0;
  #timer: Timer | null = null;
  #busyMs = 0;
  #busySinceMs = 0;
  #isStopped = false;

  constructor(options: ToyLaneOptions) {
    this.#options = options;
    const { before } = options;
    this.watch = before?.watch ?? new PolitenessWatch(options.hostDelayMs, options.addressDelayMs);
    this.log = before?.log ?? [];
    this.ends = before?.ends ?? new Map<string, string>();
  }

  set frontier(frontier: Frontier) {
    this.#frontier = frontier;
  }

  get busy(): number {
    return this.#busy;
  }

  /** Virtual time spent by all connections together in visits. */
  get busyMs(): number {
    return this.#busyMs + this.#busy * (this.#options.kernel.nowMs - this.#busySinceMs);
  }

  /** Asks the frontier for nothing more and tells it of no more ends, as it is being closed. */
  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
    this.watch.abandon(this.#visits, this.#options.kernel.nowMs);
  }

  /** Acquires whatever may begin. */
  pump(): void {
    if (this.#isStopped) return;
    const frontier = this.#asked;
    while (this.#busy < this.#options.connections) {
      const errand = frontier.acquire();
      if (errand === null) break;
      if (errand.kind === "page") this.#page(errand);
      else if (errand.kind === "robots") this.#robots(errand);
      else if (errand.kind === "resolve") this.#resolve(errand);
      else if (errand.kind === "unfetched") this.#end(errand.ticket.url, errand.code);
      else {
        this.expands.push(`${errand.high}/${errand.low}@${errand.depth}`);
        this.#options.expanded?.(errand);
      }
    }
    this.#sleep();
    this.each();
  }

  /** Runs until nothing is left; says how the kernel's run ended. */
  runToEnd(stepsMax = 10_000_000): string {
    const { kernel } = this.#options;
    kernel.schedule(0, () => this.pump());
    const limits = { stepsMax, virtualMsMax: 1e12 };
    return kernel.runUntil(() => this.#asked.isExhausted, limits);
  }

  get #asked(): Frontier {
    assert(this.#frontier !== null, "the lane was given its frontier");
    return this.#frontier;
  }

  #sleep(): void {
    const { kernel } = this.#options;
    this.#timer?.cancel();
    this.#timer = null;
    if (this.#busy >= this.#options.connections) return;
    const atMs = this.#asked.nextAtMs;
    if (atMs === Number.POSITIVE_INFINITY) return;
    this.#timer = kernel.schedule(Math.max(0, atMs - kernel.nowMs), () => {
      const before = this.log.length + this.ends.size;
      this.pump();
      if (this.log.length + this.ends.size === before) this.vainWakes += 1;
    });
  }

  #resolve(errand: ResolveErrand): void {
    const { kernel, web } = this.#options;
    this.#log("resolve", errand.host, null);
    const { afterMs, resolution } = web.resolve(errand);
    kernel.schedule(afterMs, () => {
      if (this.#isStopped) return;
      if (resolution.kind === "resolved" && resolution.canonical !== undefined) {
        this.watch.serverOf?.set(errand.host, resolution.canonical);
      }
      this.#asked.resolved(errand, resolution);
      this.pump();
    });
  }

  #robots(errand: RobotsErrand): void {
    this.#log("robots", errand.url, errand.address);
    const { afterMs, end } = this.#options.web.robots(errand);
    this.#visit(errand, afterMs, () => {
      const restMs =
        end.kind === "ended" ? Math.min(end.retryAfterMs ?? 0, this.#options.restMsMax) : 0;
      this.watch.ended(errand, this.#options.kernel.nowMs, restMs);
      this.#asked.robotsFetched(errand, end);
    });
  }

  #page(errand: PageErrand): void {
    this.#log("page", errand.ticket.url, errand.address);
    assert(!this.ends.has(errand.ticket.url), `${errand.ticket.url} had ended`);
    const { afterMs, end } = this.#options.web.page(errand);
    this.#visit(errand, afterMs, () => {
      const restMs =
        end.kind === "answered" ? Math.min(end.retryAfterMs ?? 0, this.#options.restMsMax) : 0;
      this.watch.ended(errand, this.#options.kernel.nowMs, restMs);
      const settlement = this.#asked.pageFetched(errand, end);
      if (settlement.kind === "again") return;
      this.depths.set(errand.ticket.url, errand.ticket.depth);
      this.#end(errand.ticket.url, end.kind === "answered" ? String(end.status) : end.kind);
      this.#options.settled?.(errand.ticket);
    });
  }

  #visit(errand: RobotsErrand | PageErrand, afterMs: number, ended: () => void): void {
    const { kernel } = this.#options;
    this.watch.began(errand, kernel.nowMs);
    this.#count(1);
    this.#visits.add(errand);
    kernel.schedule(afterMs, () => {
      if (this.#isStopped) return;
      this.#count(-1);
      this.#visits.delete(errand);
      ended();
      this.pump();
    });
  }

  #count(change: number): void {
    const { nowMs } = this.#options.kernel;
    this.#busyMs += this.#busy * (nowMs - this.#busySinceMs);
    this.#busySinceMs = nowMs;
    this.#busy += change;
  }

  #end(url: string, how: string): void {
    assert(!this.ends.has(url), `${url} ended twice: ${this.ends.get(url)}, then ${how}`);
    this.ends.set(url, how);
  }

  #log(kind: string, what: string, address: string | null): void {
    this.log.push({ kind, what, atMs: this.#options.kernel.nowMs, address });
  }
}
