/**
 * The voice of a member: what others hear of an agent that has joined and has nothing to do. It beats, asks to be
 * let in, says to whoever joins that it has handed everything over, and to granters that it uses no addresses, in
 * the messages that agents use; it knows no rule besides. A thousand of these can be heard by an agent whose own node is real.
 */
import type { Clock } from "../../src/base/seams/index.ts";
import type { Transport } from "../../src/base/transport/index.ts";
import {
  BEAT,
  type Beat,
  type RingRow,
  SYNC,
} from "../../src/cluster/membership/membership-messages.ts";
import { Messenger, type Place, type Sender } from "../../src/cluster/messages/index.ts";
import { SLOT_USES } from "../../src/cluster/slots/slot-messages.ts";

export interface MemberVoiceParts {
  readonly clock: Clock;
  readonly transport: Transport;
  readonly crawl: string;
  /** Whose ring it wants to be in. */
  readonly member: () => Place;
  /** What it tells others about its ring. */
  readonly ring: () => readonly RingRow[];
  /** The roll that it tells granters of addresses, of which it uses none. */
  readonly roll: () => string;
  /** What a real agent says about the seeds and the configuration: the same. */
  readonly shared: () => Pick<Beat, "seedsHash" | "configuration">;
}

const BEAT_MS = 1000;
const NO_VOTE = { isVoter: false, ringHash: "", heard: [], condemned: [] };

export class MemberVoice {
  readonly row: RingRow;
  readonly #parts: MemberVoiceParts;
  readonly #messenger: Messenger;
  #isIn = false;
  #number = 0;

  constructor(parts: MemberVoiceParts) {
    const { transport, clock, crawl } = parts;
    const place = { id: transport.self, generation: 1 };
    const self: Sender = { crawl, place, incarnation: 1, capacity: 1 };
    this.row = { place, incarnation: 1, capacity: 1, isDead: false };
    this.#parts = parts;
    this.#messenger = new Messenger(transport, clock);
    this.#messenger.attach({
      ...{ self: () => self, refuses: () => null, hearsOther: () => undefined },
    });
    this.#messenger.serve(SYNC, (_from, { number }, respond) =>
      respond({
        ...{
          number,
          isDone: true,
          isBegun: true,
          isEstablished: true,
          isVoter: false,
          condemned: [],
          seeds: [],
        },
        ...{ ring: parts.ring(), absences: [], elapsedMs: 0 },
      }),
    );
    this.#messenger.serve(SLOT_USES, (_from, _inquiry, respond) =>
      respond({ roll: parts.roll(), uses: [], isLast: true }),
    );
  }

  /** Beats from now on, and asks until it is let in. */
  start(): void {
    const { clock, shared, member } = this.#parts;
    this.#number += 1;
    this.#messenger.tell(BEAT, {
      ...{ ...shared(), state: this.#isIn ? "active" : "joining", isFull: false },
      ...{ missing: [], heard: [], number: this.#number, vote: NO_VOTE },
    });
    if (!this.#isIn) {
      const body = { number: 1, isJoin: true, givenUp: [] };
      this.#messenger.ask(member(), SYNC, { body, timeoutMs: BEAT_MS }, (replied) => {
        this.#isIn ||= replied.kind === "reply" && replied.body.isDone;
      });
    }
    clock.after(BEAT_MS, () => this.start());
  }
}
