/**
 * Who decides if partitions are fenced (P2): the agents that were there when the crawl was founded, as the
 * servers of a ZooKeeper ensemble do for all its observers. They are written into the configuration
 * before anybody is active, so at no time two sets of agents can each believe to be more than half of
 * all. Agents that join later have no vote; they go on while more than half of the electors support them.
 *
 * A vote belongs to an id. An elector that comes back with an empty disk does not know how it has voted;
 * it has its vote back once it has joined again, for which more than half of the electors are needed
 * without it. A vote ends when its elector leaves, or when a person forgets it.
 */
import type { AgentId } from "../../../base/transport/index.ts";
import type { Place } from "../../messages/index.ts";
import type { Core } from "../core.ts";

export class Electorate {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  get isFenced(): boolean {
    return this.#core.settings.partition === "fence";
  }

  get electors(): readonly Place[] {
    return this.#core.life.configuration?.electors ?? [];
  }

  /** Whether it is known who has votes: before that nobody is active. */
  get isFounded(): boolean {
    return this.electors.length > 0;
  }

  /** Whether this agent has a vote, and its disk knows how it has voted. */
  get isVoter(): boolean {
    const { id, generation, isSeated } = this.#core.life;
    const own = this.electors.find((elector) => elector.id === id);
    return own !== undefined && (own.generation === generation || isSeated);
  }

  /** Whether this holds for more than half of the electors. */
  isMajority(holds: (id: AgentId) => boolean): boolean {
    const { electors } = this;
    return 2 * electors.filter(({ id }) => holds(id)).length > electors.length;
  }

  /**
   * Whether the other electors can go on without this one: more than half of them vote. The last one leaves its
   * vote to those who are there, so it waits for members that are away, and for whoever is joining.
   */
  get areOthersEnough(): boolean {
    const { life, table, detector, clock } = this.#core;
    const others = this.electors.filter(({ id }) => id !== life.id);
    if (!this.isFenced) return true;
    if (others.length === 0) return !this.#areHeirsAwaited();
    const voting = others.filter(({ id }) => {
      const entry = table.get(id);
      return entry?.isVoter === true && detector.hears(entry, clock.nowMs());
    });
    return 2 * voting.length > others.length;
  }

  /** Whether nobody is there to leave votes to, and somebody may be, soon. */
  #areHeirsAwaited(): boolean {
    const { table, detector, clock } = this.#core;
    const nowMs = clock.nowMs();
    if (detector.present(nowMs).some(({ isInRing }) => isInRing)) return false;
    return table
      .entries()
      .some((one) => one.isInRing || (one.state === "joining" && detector.hears(one, nowMs)));
  }

  /** The electors when this agent is none any more; if nobody would be left, those who are there. */
  without(gone: AgentId): readonly Place[] {
    const { life, detector, clock } = this.#core;
    const rest = this.electors.filter(({ id }) => id !== gone);
    if (rest.length > 0) return rest;
    const present = detector.present(clock.nowMs()).filter(({ isInRing }) => isInRing);
    const others = present.map(({ place }) => place).filter(({ id }) => id !== gone);
    const all = life.id === gone ? others : [life.place, ...others];
    return all.length > 0 ? all : this.electors;
  }
}
