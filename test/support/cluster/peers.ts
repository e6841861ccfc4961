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
import { Ring, type RingKey } from "../../../src/cluster/ring/index.ts";
import {
  type Conditions,
  Kernel,
  type Life,
  SimCluster,
} from "../../../src/lab/simulator/index.ts";

export interface PeerMember {
  place: Place;
  incarnation: number;
  standing: "alive" | "suspect" | "dead" | "given-up";
}

/** How one agent sees the others; it survives its lives. */
export class PeerView {
  readonly #members = new Map<AgentId, PeerMember>();
  readonly #self: AgentId;
  #ring: Ring;
  /** Stands for the seeds, and for anything else on which views may differ. */
  seeds = "";
  version = 0;
  changed: () => void = () => undefined;

  constructor(self: AgentId, ids: readonly AgentId[]) {
    this.#self = self;
    for (const id of ids) {
      const place = { id, generation: 1 };
      this.#members.set(id, { place, incarnation: 1, standing: "alive" });
    }
    this.#ring = Ring.of(
      ids.map((id) => ({ id, capacity: 1 })),
      20,
    );
  }

  get self(): Place {
    return this.of(this.#self).place;
  }

  get hash(): string {
    const lines = this.#inRing().map(
      ({ place, incarnation }) => `${placeText(place)}/${incarnation}`,
    );
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
    return this.#ring.ownerOf(key, (id) => this.#members.get(id)?.standing !== "given-up");
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

  set(id: AgentId, standing: PeerMember["standing"]): void {
    const member = this.of(id);
    if (member.standing === standing) return;
    member.standing = standing;
    this.#tell();
  }

  /** Somebody else has come. */
  add(id: AgentId): void {
    const place = { id, generation: 1 };
    this.#members.set(id, { place, incarnation: 1, standing: "alive" });
    this.#ring = this.#ring.with({ id, capacity: 1 });
    this.#tell();
  }

  /** A message of an agent: whether it is of a life that is over, and what it says about a new one. */
  hears({ place, incarnation }: Sender): DropReason | null {
    const member = this.#members.get(place.id);
    if (member === undefined) return null;
    const { generation } = member.place;
    if (place.generation < generation) return "stale";
    if (place.generation === generation && incarnation < member.incarnation) return "stale";
    if (place.generation !== generation || incarnation !== member.incarnation) {
      member.place = place;
      member.incarnation = incarnation;
      this.#tell();
    }
    return null;
  }

  #inRing(): PeerMember[] {
    return [...this.#members.values()].filter(({ standing }) => standing !== "given-up");
  }

  #tell(): void {
    this.version += 1;
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
  /** Starts the program of an agent, in every life of it. */
  readonly boot: (peer: Peer) => Program;
}

export class Peers<Program> {
  readonly kernel: Kernel;
  readonly cluster: SimCluster;
  readonly ids: readonly AgentId[];
  readonly #views = new Map<AgentId, PeerView>();
  readonly #programs = new Map<AgentId, Program>();

  constructor({ seed, ids, conditions, beatMs, boot }: PeersParts<Program>) {
    this.kernel = new Kernel({ seed });
    this.cluster = new SimCluster(this.kernel, conditions);
    this.ids = ids;
    for (const id of ids) {
      const view = new PeerView(id, ids);
      this.#views.set(id, view);
      this.cluster.add(id, (life, transport) => {
        const messenger = new Messenger(transport, life.clock);
        messenger.attach(gateOf(view, life));
        if (beatMs !== undefined) beat(messenger, life, beatMs);
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

function beat(messenger: Messenger, life: Life, beatMs: number): void {
  messenger.serve(BEAT, () => undefined);
  const again = (): void => {
    messenger.tell(BEAT, null);
    life.clock.after(beatMs, again);
  };
  again();
}

function gateOf(view: PeerView, life: Life): MessageGate {
  const own = view.of(life.nodeId);
  own.incarnation = life.incarnation;
  const { place, incarnation } = own;
  return {
    self: () => ({ crawl: "c", place, incarnation, capacity: 1 }),
    refuses: (sender) => view.hears(sender),
  };
}
