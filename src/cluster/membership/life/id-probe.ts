/**
 * Before its first heartbeat an agent asks whether its id is in use (B0). The question has a nonce. All
 * who hear it ask the id itself, with the nonce: a process that has the id and has not drawn the nonce
 * answers them, and so proves that it is there. What was heard of the id in the past proves nothing, since
 * messages may be late and agents may start again within a heartbeat. Both processes may get what is sent
 * to the id, or only one of them: that depends on the transport.
 *
 * With the answers comes what the others know of the id: the latest generation, which a new disk must
 * exceed, and the capacity, which never changes.
 */
import { CrawlError } from "../../../base/errors/index.ts";
import type { AgentId } from "../../../base/transport/index.ts";
import { type Place, placeText, type Sender } from "../../messages/index.ts";
import type { Core } from "../core.ts";
import { KNOWN, type Known, WHO, type Who } from "../membership-messages.ts";
import { unmet } from "./waiting.ts";

export interface ProbeResult {
  /** Another process has the id. */
  readonly isInUse: boolean;
  /** The latest life of the id that anybody knows. */
  readonly generation: number;
  readonly incarnation: number;
  /** Its capacity; 0 if nobody knows. */
  readonly capacity: number;
  /** Somebody who has answered. */
  readonly teller: Place | null;
}

const NOTHING_FOUND: ProbeResult = {
  isInUse: false,
  generation: 0,
  incarnation: 0,
  capacity: 0,
  teller: null,
};

export class IdProbe {
  readonly #core: Core;
  #nonce: string | null = null;
  #found: ProbeResult = NOTHING_FOUND;
  #beganAtMs = 0;
  #firstAtMs: number | null = null;
  #askedAtMs: number = Number.NEGATIVE_INFINITY;
  /** When it first asked, and whether it has told since that nobody knows the crawl. */
  #unmetSinceMs: number | null = null;
  #hasToldWaiting = false;
  #done: (found: ProbeResult) => void = () => undefined;

  constructor(core: Core) {
    this.#core = core;
    core.messenger.serve(WHO, (from, who) => this.#takeWho(from, who));
    core.messenger.serve(KNOWN, (from, known, respond) => {
      if (known.nonce === this.#nonce) this.#learn(from, known);
      else if (core.life.state !== "asking") respond(null);
    });
  }

  /** Asks for some time, and if the crawl is not known until somebody answers. */
  begin(done: (found: ProbeResult) => void): void {
    const { clock, random } = this.#core;
    this.#nonce = `${random.u32().toString(36)}-${random.u32().toString(36)}`;
    this.#found = NOTHING_FOUND;
    this.#beganAtMs = clock.nowMs();
    this.#unmetSinceMs ??= this.#beganAtMs;
    this.#firstAtMs = null;
    this.#askedAtMs = Number.NEGATIVE_INFINITY;
    this.#done = done;
    this.tick();
  }

  tick(): void {
    const { clock, messenger, settings, life } = this.#core;
    if (this.#nonce === null) return;
    const nowMs = clock.nowMs();
    if (this.#isOver(nowMs)) this.#end();
    else if (nowMs - this.#askedAtMs >= settings.heartbeatMs) {
      this.#askedAtMs = nowMs;
      messenger.tell(WHO, { id: life.id, nonce: this.#nonce });
    }
    this.#tellWaiting(nowMs);
  }

  /** Once: it asks for ever, and may have been sent where nobody is. */
  #tellWaiting(nowMs: number): void {
    const { life, listener, settings } = this.#core;
    if (life.configuration !== null || this.#hasToldWaiting) return;
    if (nowMs - (this.#unmetSinceMs ?? nowMs) <= settings.deadAfterMs) return;
    this.#hasToldWaiting = true;
    listener.trouble(unmet());
  }

  #isOver(nowMs: number): boolean {
    const { life, settings, times } = this.#core;
    if (this.#found.isInUse) return true;
    if (nowMs - this.#beganAtMs < times.listenMs) return false;
    if (life.configuration !== null) return true;
    // Time for those who know more than the first one.
    return this.#firstAtMs !== null && nowMs - this.#firstAtMs >= settings.heartbeatMs;
  }

  #end(): void {
    this.#nonce = null;
    this.#done(this.#found);
  }

  #learn({ crawl, place }: Sender, known: Known): void {
    if (crawl === "") return;
    const found = this.#found;
    const isLater =
      known.generation > found.generation ||
      (known.generation === found.generation && known.incarnation > found.incarnation);
    this.#firstAtMs ??= this.#core.clock.nowMs();
    this.#found = {
      isInUse: found.isInUse || known.isLive,
      generation: isLater ? known.generation : found.generation,
      incarnation: isLater ? known.incarnation : found.incarnation,
      capacity: found.capacity === 0 ? known.capacity : found.capacity,
      teller: found.teller ?? (place.id === this.#core.life.id ? null : place),
    };
  }

  /** Somebody asks for an id. */
  #takeWho(_: Sender, { id, nonce }: Who): void {
    const { life, table } = this.#core;
    if (nonce === this.#nonce || life.state === "asking") return;
    if (id === life.id) {
      const { generation, incarnation, capacity } = life;
      this.#tell(id, { nonce, generation, incarnation, capacity, isLive: true });
      return;
    }
    const { generation = 0, incarnation = 0, capacity = 0 } = table.get(id) ?? {};
    const known = { nonce, generation, incarnation, capacity, isLive: false };
    this.#tell(id, known, () => this.#tell(id, { ...known, isLive: true }));
  }

  #tell(id: AgentId, known: Known, replied: () => void = () => undefined): void {
    const { messenger, times } = this.#core;
    messenger.askAgent(id, KNOWN, { body: known, timeoutMs: times.replyMs }, (answer) => {
      if (answer.kind === "reply") replied();
    });
  }
}

export function idInUse(place: Place): CrawlError {
  return new CrawlError(
    "CLUSTER_ID_IN_USE",
    `Another process of this cluster has the id ${place.id} (this one is ${placeText(place)}). Stop ` +
      "that one, or start this one with another --id.",
    { id: place.id },
  );
}

/** Only a broken agent says so: clocks do not come near the last generation. */
export function idUsedUp(id: AgentId): CrawlError {
  return new CrawlError(
    "CLUSTER_ID_USED_UP",
    `The cluster knows a disk of the agent ${id} after which no other can come, so that nobody would listen ` +
      "to this one. Start it with another --id.",
    { id },
  );
}

export function capacityFixed(id: AgentId, given: number, known: number): CrawlError {
  return new CrawlError(
    "CLUSTER_CAPACITY_FIXED",
    `The agent ${id} has capacity ${known} in this cluster, and was started with ${given}. A capacity ` +
      `never changes: set cluster.capacity to ${known}, or start the agent with another --id.`,
    { id, given, known },
  );
}
