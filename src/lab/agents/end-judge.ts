/**
 * The judge of the end: what must be on the disks when a crawl has ended, and at the moment when somebody
 * says that it has. It believes the disks and the web, never an agent.
 */
import type { ClusterWorld } from "./cluster-world.ts";
import type { SimMachine } from "./sim-machine.ts";
import type { SimMachines } from "./sim-machines.ts";

/** A seed that somebody was told is held, and the disks that held it then. */
interface AcceptedSeed {
  readonly url: string;
  readonly disks: readonly { readonly id: string; readonly disk: number }[];
}

/**
 * Whoever has answered the last wave, or found the end, may die or be cut off before all others are told, which
 * takes as long as a message may be late, and some beats.
 */
const LAST_WAVE_MS = 7000;

export class EndJudge {
  readonly #world: ClusterWorld;
  readonly #machines: SimMachines;
  readonly #accepted = new Map<string, AcceptedSeed>();
  /** Seeds that somebody asked for, accepted or not: they may be crawled. */
  readonly #asked = new Set<string>();

  constructor(world: ClusterWorld, machines: SimMachines) {
    this.#world = world;
    this.#machines = machines;
  }

  get acceptedSeeds(): number {
    return this.#accepted.size;
  }

  asked(seed: string): void {
    this.#asked.add(seed);
  }

  isAccepted(seed: string): boolean {
    return this.#accepted.has(seed);
  }

  /** Somebody was told that this many agents hold a seed; null, or what is wrong with that. */
  accepted(url: string, holders: number): string | null {
    const machines = this.#machines.members().filter(({ id }) => this.#world.seedsOf(id).has(url));
    this.#accepted.set(url, {
      url,
      disks: machines.map(({ id }) => ({ id, disk: this.#world.diskOf(id) })),
    });
    // Whoever has said so may have lost its disk since.
    return machines.length >= holders || this.#world.disksLost > 0
      ? null
      : `${holders} agents are said to hold the seed ${url}, and ${machines.length} do`;
  }

  /** Accepted seeds that no surviving disk knows: all disks that held them were lost. */
  lostSeeds(): readonly string[] {
    const members = this.#machines.members();
    return [...this.#accepted.keys()].filter(
      (seed) => !members.some(({ id }) => this.#world.seedsOf(id).has(seed)),
    );
  }

  /** Seeds that are gone though a disk that held them is there. */
  seeds(): string | null {
    const isThere = ({ id, disk }: { id: string; disk: number }): boolean =>
      this.#world.diskOf(id) === disk && this.#machines.get(id)?.isMember === true;
    const wrong = this.lostSeeds().filter((seed) => this.#accepted.get(seed)?.disks.some(isThere));
    return wrong.length === 0 ? null : `no agent knows any more of ${wrong}`;
  }

  /** The pages that must be had. */
  due(): ReadonlySet<string> {
    const lost = new Set(this.lostSeeds());
    return this.#reached([...this.#accepted.keys()].filter((seed) => !lost.has(seed)));
  }

  coverage(): string | null {
    return this.#missing(this.due(), this.#machines.members());
  }

  /** The same at the moment when an agent says that the crawl has ended: about what it can know. */
  early(id: string, nowMs: number): string | null {
    const near = this.#around(id, nowMs).filter(
      ({ isUp, wentAtMs }) => isUp || nowMs - wentAtMs < LAST_WAVE_MS,
    );
    const isRecent = [...this.#machines.all()].some(
      ({ lostDiskAtMs }) => nowMs - lostDiskAtMs < LAST_WAVE_MS,
    );
    // What was on a disk that was lost just now cannot be asked for.
    if (isRecent) return null;
    const missing = this.#missing(this.#reached(this.#world.seedsOf(id)), near);
    return missing === null ? null : `${id} ended the crawl at ${nowMs.toFixed(0)}: ${missing}`;
  }

  /** Nothing was fetched that nobody had asked for, or that lies too deep. */
  excess(): string | null {
    const may = this.#reached(this.#asked);
    const excess = [...this.#world.fetches.keys()].filter((url) => !may.has(url));
    return excess.length === 0 ? null : `not to be fetched: ${excess.slice(0, 5)}`;
  }

  copies(): string | null {
    const visible = new Map<string, number>();
    for (const machine of this.#machines.members()) {
      for (const { url, isVisible } of machine.pages()) {
        visible.set(url, (visible.get(url) ?? 0) + (isVisible ? 1 : 0));
      }
    }
    const wrong = [...visible].filter(([, count]) => count !== 1);
    return wrong.length === 0 ? null : `visible copies: ${wrong.slice(0, 5).join(" ")}`;
  }

  views(): string | null {
    const hashes = this.#machines.members().map(({ agent }) => agent?.node?.view.hash);
    return new Set(hashes).size === 1 ? null : `the views differ: ${hashes.join(" ")}`;
  }

  /** Whether somebody seems dead to another: a link may be cut, and then that one is not idle (M6). */
  hasDead(): boolean {
    const nodes = this.#machines.members().map(({ agent }) => agent?.node);
    return nodes.some((node) =>
      [...(node?.view.members() ?? [])].some((one) => one.isInRing && one.standing === "dead"),
    );
  }

  /** What is left to be sent, or to be fetched unless a limit forbids it, whatever agents say of themselves. */
  pending(isLimited: boolean): string | null {
    const left = this.#machines.members().flatMap(({ id, agent }) => {
      const entries = agent?.node?.status.pending ?? 0;
      const urls = isLimited ? 0 : (agent?.queued ?? 0);
      const isIdle = agent?.node?.isIdle === true;
      return isIdle && entries + urls === 0
        ? []
        : [`${id} (idle: ${isIdle}, to be sent: ${entries}, queued: ${urls})`];
    });
    return left.length === 0 ? null : `work is left at ${left.join(", ")}`;
  }

  /** Those that an agent can hear of, through others if need be. */
  #around(id: string, nowMs: number): readonly SimMachine[] {
    const { absences } = this.#world;
    const ids = new Set([id]);
    for (const known of ids) {
      for (const { id: next } of this.#machines.members()) {
        if (!absences.areCutOff(known, next, nowMs, LAST_WAVE_MS)) ids.add(next);
      }
    }
    return this.#machines.members().filter((machine) => ids.has(machine.id));
  }

  #reached(seeds: Iterable<string>): ReadonlySet<string> {
    const { web, options } = this.#world;
    return web.reachedFrom(seeds, options.depthMax);
  }

  #missing(due: ReadonlySet<string>, machines: readonly SimMachine[]): string | null {
    const had = new Set<string>();
    for (const machine of machines) for (const { url } of machine.pages()) had.add(url);
    const missing = [...due].filter((url) => !had.has(url));
    return missing.length === 0
      ? null
      : `${missing.length} of ${due.size} missing: ${missing.slice(0, 5)}`;
  }
}
