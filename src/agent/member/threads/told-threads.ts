/**
 * What lanes in threads of their own are told of the node again and again: until when they may begin visits
 * (B5), whether there are tokens, and the ring when it is another.
 */
import type { Clock, Timer } from "../../../base/seams/index.ts";
import { type ClusterNode, copyRing } from "../../../cluster/node/index.ts";
import type { Configuration } from "../../../rules/config/index.ts";
import type { OwnThreads } from "../../crawl/crawl-member.ts";

export interface ToldThreadsParts {
  readonly clock: Clock;
  readonly node: Pick<ClusterNode, "view" | "mayFetch">;
  readonly threads: Pick<OwnThreads, "allow" | "setRing">;
  readonly cluster: Pick<Configuration["cluster"], "deadAfter" | "replicas">;
  readonly hasTokens: () => boolean;
}

/** For this share of `cluster.deadAfter` lanes may begin visits without hearing of the node. */
const LEASE_SHARE = 0.2;
/** It is put forward so often meanwhile. */
const LEASE_TURNS = 4;

export class ToldThreads {
  readonly #parts: ToldThreadsParts;
  readonly #leaseMs: number;
  #ring = "";
  #timer: Timer | null = null;
  #isClosed = false;

  constructor(parts: ToldThreadsParts) {
    this.#parts = parts;
    this.#leaseMs = LEASE_SHARE * parts.cluster.deadAfter;
    this.#tellAgain();
  }

  /** Something of it may be another. */
  tell(): void {
    if (this.#isClosed) return;
    this.#tellRing();
    this.allow();
  }

  /** The ring is the same, but perhaps not what may begin. */
  allow(): void {
    const { node, threads, hasTokens } = this.#parts;
    if (!this.#isClosed) threads.allow(node.mayFetch ? this.#leaseMs : 0, hasTokens());
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#parts.threads.allow(0, false);
  }

  #tellAgain(): void {
    this.tell();
    const { clock } = this.#parts;
    this.#timer = clock.after(this.#leaseMs / LEASE_TURNS, () => this.#tellAgain());
  }

  #tellRing(): void {
    const { node, threads, cluster } = this.#parts;
    const ring = copyRing(node.view, cluster.replicas);
    const text = JSON.stringify(ring);
    if (text === this.#ring) return;
    this.#ring = text;
    threads.setRing(ring);
  }
}
