/**
 * Seeds reach every agent (S1): a heartbeat says what its sender holds, and whoever hears of something
 * else asks for what it lacks. Who adds seeds is answered when every member of the view holds them, and
 * how many those are; dead members get them when they come back.
 */
import type { Place } from "../../messages/index.ts";
import type { Core } from "../core.ts";
import { SEEDS, type SeedCount } from "../membership-messages.ts";
import type { MemberEntry } from "../view/member-table.ts";
import type { SeedBook } from "./seed-book.ts";

/** Called with how many agents hold the seeds, this one included. */
export type SeedsHeld = (heldBy: number) => void;

interface Waiting {
  /** What was held here since the seeds are: whoever holds the same holds them too. */
  readonly hashes: Set<string>;
  readonly done: SeedsHeld;
}

export class SeedGossip {
  readonly #core: Core;
  /** What is held here has changed: others should know soon. */
  readonly #changed: () => void;
  #book: SeedBook | null = null;
  #waiting: Waiting[] = [];
  #isPulling = false;

  constructor(core: Core, changed: () => void) {
    this.#core = core;
    this.#changed = changed;
    core.messenger.serve(SEEDS, (_, { have }, respond) => {
      this.#book?.after(have, (batches) => respond({ batches }));
    });
  }

  /** From now on these are the seeds; before that there are none. */
  attach(book: SeedBook): void {
    this.#book = book;
  }

  get hash(): string {
    return this.#book?.held.hash ?? "";
  }

  get counts(): readonly SeedCount[] {
    return this.#book?.held.list() ?? [];
  }

  /** Adds seeds that were given to this agent. */
  add(seeds: readonly string[], done: SeedsHeld): void {
    this.#book?.addOwn(this.#core.life.place, seeds, () => {
      this.#waiting.push({ hashes: new Set([this.hash]), done });
      this.arrived();
      this.tick();
    });
  }

  /** Some seeds have become durable here. */
  arrived(): void {
    for (const { hashes } of this.#waiting) hashes.add(this.hash);
    this.#changed();
  }

  /** Somebody has said what it holds. */
  heard({ seedsHash, place }: MemberEntry): void {
    if (seedsHash !== this.hash) this.#pull(place);
    this.tick();
  }

  /** Whether these seeds are held here; if not, they are asked for. */
  has(seeds: readonly SeedCount[], from: Place): boolean {
    const isHeld = this.#book?.held.covers(seeds) ?? false;
    if (!isHeld) this.#pull(from);
    return isHeld;
  }

  /** Answers those whose seeds everybody holds. */
  tick(): void {
    const { clock, detector } = this.#core;
    if (this.#waiting.length === 0) return;
    const members = detector.present(clock.nowMs()).filter(({ isInRing }) => isInRing);
    const ready = this.#waiting.filter(({ hashes }) =>
      members.every(({ seedsHash }) => hashes.has(seedsHash)),
    );
    this.#waiting = this.#waiting.filter((waiting) => !ready.includes(waiting));
    for (const { done } of ready) done(members.length + 1);
  }

  #pull(from: Place): void {
    const book = this.#book;
    const { messenger, times } = this.#core;
    if (book === null || this.#isPulling) return;
    this.#isPulling = true;
    const question = { body: { have: book.held.list() }, timeoutMs: times.replyMs };
    messenger.ask(from, SEEDS, question, (replied) => {
      this.#isPulling = false;
      if (replied.kind !== "reply") return;
      const { batches } = replied.body;
      const last = batches.at(-1);
      for (const batch of batches) {
        // One that is durable proves that those before it are.
        book.add(batch, () => {
          if (batch !== last) return;
          this.arrived();
          this.#pull(from);
        });
      }
    });
  }
}
