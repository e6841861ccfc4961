/**
 * What an agent does whose disk is full (`cluster.fullDisk`): it says so; and then it waits for room, or
 * leaves. It leaves only if the disk stays full for as long as others need to say the same, and somebody
 * has room; if all leave at once because of that, and nobody is left in the ring, they stay after all.
 */
import type { Core } from "../core.ts";
import type { Heartbeats } from "../view/heartbeats.ts";
import type { LifeCycle } from "./life-cycle.ts";

export interface FullDiskParts {
  readonly core: Core;
  readonly heartbeats: Heartbeats;
  readonly cycle: LifeCycle;
}

export class FullDisk {
  readonly #parts: FullDiskParts;
  #fullSinceMs = 0;
  /** Leaving was begun here. */
  #isLeaving = false;

  constructor(parts: FullDiskParts) {
    this.#parts = parts;
  }

  setFull(isFull: boolean): void {
    const { core, heartbeats } = this.#parts;
    if (core.life.isFull === isFull) return;
    core.life.isFull = isFull;
    this.#fullSinceMs = core.clock.nowMs();
    heartbeats.beat();
  }

  tick(): void {
    const { core, cycle } = this.#parts;
    const { life, settings, clock, times } = core;
    if (settings.fullDisk !== "leave") return;
    if (this.#isLeaving) this.#stayIfLast();
    else if (life.isFull && life.state === "active") {
      const isLasting = clock.nowMs() - this.#fullSinceMs >= times.listenMs;
      if (!isLasting || !this.#members().some(({ isFull }) => !isFull)) return;
      this.#isLeaving = true;
      cycle.leave(this.#left);
    }
  }

  #stayIfLast(): void {
    const { core, cycle } = this.#parts;
    if (core.life.state !== "leaving" || this.#members().length > 0) return;
    this.#isLeaving = false;
    cycle.stay(this.#left);
  }

  readonly #left = (): void => {
    this.#isLeaving = false;
  };

  /** Those that could take something over. */
  #members(): readonly { readonly isFull: boolean }[] {
    const { detector, clock } = this.#parts.core;
    return detector.present(clock.nowMs()).filter(({ isInRing }) => isInRing);
  }
}
