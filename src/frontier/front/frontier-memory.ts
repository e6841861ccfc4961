/**
 * How the memory of a frontier is divided, and how much of it visit states may take. Sieve and queues
 * have shares of their own. The rest is for the tables of all hosts, which grow with every new host,
 * and for visit states, which take what is left: a host without a visit state costs only its place in
 * the tables.
 */

/** Anything that counts what it holds. */
export interface MemoryHolder {
  readonly memoryBytes: number;
}

/** The owners of a frontier's memory, by the names of the summary. */
export type FrontierOwner = "sieve" | "queues" | "hosts" | "states" | "robots" | "depths";

export interface FrontierMemoryParts {
  /** For hosts and visit states. */
  readonly memoryBytes: number;
  /** The shares of sieve and queues; what they hold beyond them is taken from the rest. */
  readonly sieveBytes: number;
  readonly queueBytes: number;
  readonly sieve: MemoryHolder;
  readonly queues: MemoryHolder;
  /** Tables of all hosts. */
  readonly hosts: readonly MemoryHolder[];
  readonly states: { readonly heldBytes: number; readonly robotsBytes: number };
  /** Null without a depth limit. */
  readonly depths: MemoryHolder | null;
}

/** Visit states may always have this part of the memory for hosts, however large the tables are. */
const STATES_PART_MIN = 4;

export class FrontierMemory {
  readonly #parts: FrontierMemoryParts;

  constructor(parts: FrontierMemoryParts) {
    this.#parts = parts;
  }

  /** What visit states may take now, the records and robots rules in them included. */
  get statesBytesMax(): number {
    const { memoryBytes, sieveBytes, queueBytes, sieve, queues } = this.#parts;
    const beyondBytes =
      Math.max(0, sieve.memoryBytes - sieveBytes) + Math.max(0, queues.memoryBytes - queueBytes);
    const leftBytes = memoryBytes - this.#hostBytes - this.#depthBytes - beyondBytes;
    return Math.max(memoryBytes / STATES_PART_MIN, leftBytes);
  }

  /** Bytes by owner. */
  get byOwner(): Readonly<Record<FrontierOwner, number>> {
    const { sieve, queues, states } = this.#parts;
    return {
      sieve: sieve.memoryBytes,
      queues: queues.memoryBytes,
      hosts: this.#hostBytes,
      states: states.heldBytes - states.robotsBytes,
      robots: states.robotsBytes,
      depths: this.#depthBytes,
    };
  }

  get #hostBytes(): number {
    return this.#parts.hosts.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);
  }

  get #depthBytes(): number {
    return this.#parts.depths?.memoryBytes ?? 0;
  }
}
