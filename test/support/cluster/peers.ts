/**
 * Agents on a simulated network, each with a messenger and a view of the others, for tests of what
 * agents agree on. Who is alive is told to the views by the test, or by `settle` to all at once; that an
 * agent has begun another life they learn from its messages, as with real membership.
 */
import assert from "node:assert/strict";
import type { AgentId } from "../../../src/base/transport/index.ts";
import {
  type DropReason,
  type MessageGate,
  Messenger,
  messageType,
  NOTHING,
  type Place,
  placeText,
  type Sender,
  samePlace,
} from "../../../src/cluster/messages/index.ts";
import { type IsIn, Ring, type RingKey } from "../../../src/cluster/ring/index.ts";
import {
  type Conditions,
  Kernel,
  type Life,
  SimCluster,
} from "../../../src/lab/simulator/index.ts";

export class PeerMember {
  place: Place;
  incarnation = 1;
  standing: "alive" | "suspect" | "dead" | "given-up" = "alive";
  state: "joining" | "active" = "active";
  /** Whether it is about to leave. */
  leaves = false;
  hasEnded = false;

  constructor(id: AgentId) {
    this.place = { id, generation: 1 };
  }

  get isInRing(): boolean {
    return this.standing !== "given-up" && !this.leaves;
  }
}

/** How one agent sees the others; it survives its lives. */
export class PeerView {
  readonly #members = new Map<AgentId, PeerMember>();
  readonly #self: AgentId;
  #ring: Ring;
  /** Stands for the seeds, and for anything else on which views may differ. */
  seeds = "";
  /** Whether the view finds out by itself who is dead; otherwise the test says so. */
  isDetecting = false;
  readonly #heardAtMs = new Map<AgentId, number>();
  changed: () => void = () => undefined;

  constructor(self: AgentId, ids: readonly AgentId[]) {
    this.#self = self;
    for (const id of ids) this.#members.set(id, new PeerMember(id));
    this.#ring = Ring.of(
      ids.map((id) => ({ id, capacity: 1 })),
      20,
    );
  }

  get self(): Place {
    return this.of(this.#self).place;
  }

  get hash(): string {
    const inRing = [...this.#members.values()].filter(({ isInRing }) => isInRing);
    const lines = inRing.map(({ place, incarnation }) => `${placeText(place)}/${incarnation}`);
    return [...lines.toSorted(), this.seeds].join(" ");
  }

  of(id: AgentId): PeerMember {
    const member = this.#members.get(id);
    assert.ok(member !== undefined, `there is no ${id}`);
    return member;
  }

  members(): Iterable<PeerMember> {
    return this.#members.values();
  }

  ownerOf(key: RingKey): AgentId | null {
    return this.ownerAmong(key, (id) => this.#members.get(id)?.isInRing === true);
  }

  ownerAmong(key: RingKey, isIn: IsIn): AgentId | null {
    return this.#ring.ownerOf(key, isIn);
  }

  placeOf(id: AgentId): Place | null {
    return this.#members.get(id)?.place ?? null;
  }

  isAlive(place: Place): boolean {
    const member = this.#members.get(place.id);
    return member?.standing === "alive" && samePlace(member.place, place);
  }

  isGivenUp(place: Place): boolean {
    const member = this.#members.get(place.id);
    if (member === undefined) return false;
    return place.generation < member.place.generation || member.standing === "given-up";
  }

  hasEnded(place: Place): boolean {
    return this.of(place.id).hasEnded;
  }

  set(id: AgentId, standing: PeerMember["standing"]): void {
    const member = this.of(id);
    if (member.standing === standing) return;
    member.standing = standing;
    this.#tell();
  }

  /** Somebody else has come. */
  add(id: AgentId): void {
    this.#members.set(id, new PeerMember(id));
    this.#ring = this.#ring.with({ id, capacity: 1 });
    this.#tell();
  }

  /** A message of an agent: whether it is of a life that is over, and what it says about a new one. */
  hears({ place, incarnation }: Sender, nowMs: number): DropReason | null {
    const member = this.#members.get(place.id);
    if (member === undefined) return null;
    const { generation } = member.place;
    if (place.generation < generation) return "stale";
    if (place.generation === generation && incarnation < member.incarnation) return "stale";
    this.#heardAtMs.set(place.id, nowMs);
    const isAnother = place.generation !== generation || incarnation !== member.incarnation;
    const isBack = this.isDetecting && member.standing === "dead";
    if (!isAnother && !isBack) return null;
    member.place = place;
    member.incarnation = incarnation;
    if (isBack) member.standing = "alive";
    this.#tell();
    return null;
  }

  /** Whoever was silent for so long is dead. */
  detect(nowMs: number, deadAfterMs: number): void {
    this.isDetecting = true;
    for (const [id, { standing }] of this.#members) {
      const heardAtMs = this.#heardAtMs.get(id) ?? nowMs;
      this.#heardAtMs.set(id, heardAtMs);
      const isSilent = id !== this.#self && nowMs - heardAtMs > deadAfterMs;
      if (isSilent && standing === "alive") this.set(id, "dead");
    }
  }

  /** Another life begins: silence is counted from now on. */
  begin(incarnation: number): void {
    this.of(this.#self).incarnation = incarnation;
    this.#heardAtMs.clear();
  }

  /** The agent begins another life without being restarted, as one does that others have given up. */
  rejoin(): void {
    this.of(this.#self).incarnation += 1;
    this.#tell();
  }

  #tell(): void {
    this.changed();
  }
}

/** One life of an agent. */
export interface Peer {
  readonly id: AgentId;
  readonly life: Life;
  readonly messenger: Messenger;
  readonly view: PeerView;
}

export interface PeersParts<Program> {
  readonly seed: string;
  readonly ids: readonly AgentId[];
  readonly conditions?: Partial<Conditions>;
  /** How often an agent says that it is there; never if not given. */
  readonly beatMs?: number;
  /** With it, agents that are silent for so long are dead in the views of others. */
  readonly deadAfterMs?: number;
  /** Starts the program of an agent, in every life of it. */
  readonly boot: (peer: Peer) => Program;
}

export class Peers<Program> {
  readonly kernel: Kernel;
  readonly cluster: SimCluster;
  readonly ids: readonly AgentId[];
  readonly #views = new Map<AgentId, PeerView>();
  readonly #programs = new Map<AgentId, Program>();

  constructor({ seed, ids, conditions, beatMs, deadAfterMs, boot }: PeersParts<Program>) {
    this.kernel = new Kernel({ seed });
    this.cluster = new SimCluster(this.kernel, conditions);
    this.ids = ids;
    for (const id of ids) {
      const view = new PeerView(id, ids);
      this.#views.set(id, view);
      this.cluster.add(id, (life, transport) => {
        const messenger = new Messenger(transport, life.clock);
        messenger.attach(gateOf(view, life));
        if (beatMs !== undefined) {
          beat(messenger, life, beatMs, () => {
            if (deadAfterMs !== undefined) view.detect(life.clock.nowMs(), deadAfterMs);
          });
        }
        this.#programs.set(id, boot({ id, life, messenger, view }));
      });
    }
  }

  view(id: AgentId): PeerView {
    return this.#views.get(id) as PeerView;
  }

  get views(): Iterable<PeerView> {
    return this.#views.values();
  }

  /** What `boot` gave in the latest life of this agent. */
  program(id: AgentId): Program {
    return this.#programs.get(id) as Program;
  }

  get programs(): Iterable<Program> {
    return this.#programs.values();
  }

  /** Everybody sees this agent so. */
  set(id: AgentId, standing: PeerMember["standing"]): void {
    for (const view of this.#views.values()) view.set(id, standing);
  }
}

const BEAT = messageType("beat", NOTHING);

function beat(messenger: Messenger, life: Life, beatMs: number, beaten: () => void): void {
  messenger.serve(BEAT, () => undefined);
  const again = (): void => {
    messenger.tell(BEAT, null);
    beaten();
    life.clock.after(beatMs, again);
  };
  again();
}

function gateOf(view: PeerView, life: Life): MessageGate {
  view.begin(life.incarnation);
  const own = view.of(life.nodeId);
  return {
    self: () => ({ crawl: "c", place: view.self, incarnation: own.incarnation, capacity: 1 }),
    refuses: (sender) => view.hears(sender, life.clock.nowMs()),
    hearsOther: () => undefined,
  };
}
