/**
 * Whose messages count, and what is noted of everyone who is heard. Messages of an earlier generation or
 * incarnation than the latest that is known are dropped: they were sent by a life that is over. If that
 * life does not know it (its disk was set back, or its process was stopped while another took its id)
 * it is told of the later one.
 */
import type { DropReason, Sender } from "../../messages/index.ts";
import type { Core } from "../core.ts";
import { REPLACED } from "../membership-messages.ts";
import type { MemberEntry } from "./member-table.ts";
import type { RingChanges } from "./ring-changes.ts";

export class Attendance {
  readonly #core: Core;
  readonly #changes: RingChanges;
  /** When an agent was last told of a later life, by id: once a heartbeat is enough. */
  readonly #toldAtMs = new Map<string, number>();

  constructor(core: Core, changes: RingChanges) {
    this.#core = core;
    this.#changes = changes;
  }

  /** Null if the message counts; its sender has been heard then. */
  judge(sender: Sender): DropReason | null {
    const { life, table } = this.#core;
    if (sender.place.id === life.id) return this.#judgeNamesake(sender);
    this.#changes.named(sender.place);
    const known = table.get(sender.place.id);
    if (known === undefined && table.isFull) return "crowded";
    const entry = known ?? table.add(sender.place, this.#core.clock.nowMs());
    if (isOver(sender, entry)) {
      this.#tellReplaced(sender, entry);
      return "stale";
    }
    if (entry.capacity > 0 && entry.capacity !== sender.capacity) return "capacity";
    this.#note(entry, sender);
    return null;
  }

  /** A message of this agent to itself, or of another process, or another life, with its id. */
  #judgeNamesake({ place, incarnation }: Sender): DropReason | null {
    const { life } = this.#core;
    const isOwn = place.generation === life.generation && incarnation === life.incarnation;
    if (!isOwn) this.#changes.named(place);
    return isOwn ? null : "stale";
  }

  #note(entry: MemberEntry, { incarnation, capacity }: Sender): void {
    const nowMs = this.#core.clock.nowMs();
    const isAnother = entry.incarnation !== incarnation || entry.capacity !== capacity;
    // A life begins with joining, whatever the one before it was doing.
    if (entry.incarnation !== incarnation) {
      entry.state = "joining";
      entry.hasLeft = false;
      entry.goesOn();
      entry.isCondemned = false;
      entry.beat = 0;
    }
    entry.incarnation = incarnation;
    entry.capacity = capacity;
    entry.heardAtMs = nowMs;
    entry.silentSinceMs = nowMs;
    entry.isTakenOver = false;
    const wasOnProbation = entry.isOnProbation;
    entry.isOnProbation = false;
    if (isAnother || wasOnProbation) this.#changes.changed();
  }

  #tellReplaced({ place: { id } }: Sender, { place, incarnation }: MemberEntry): void {
    const { clock, messenger, settings, times } = this.#core;
    const nowMs = clock.nowMs();
    const toldAtMs = this.#toldAtMs.get(id) ?? Number.NEGATIVE_INFINITY;
    if (nowMs - toldAtMs < settings.heartbeatMs) return;
    this.#toldAtMs.set(id, nowMs);
    const question = { body: { place, incarnation }, timeoutMs: times.replyMs };
    messenger.askAgent(id, REPLACED, question, () => undefined);
  }
}

/** Whether a later life of the sender is known. */
function isOver({ place, incarnation }: Sender, entry: MemberEntry): boolean {
  if (place.generation !== entry.generation) return place.generation < entry.generation;
  return incarnation < entry.incarnation;
}
