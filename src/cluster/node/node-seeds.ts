/** Seeds of the crawl that membership has told: they wait here, in their order, until the node is open. */

export interface NodeSeedsParts {
  /** Where those end that the last checkpoint has. */
  readonly upTo: number;
  readonly found: (seeds: readonly string[]) => void;
  /** What is to be done may be another. */
  readonly changed: () => void;
}

export class NodeSeeds {
  readonly #parts: NodeSeedsParts;
  #waiting: string[] = [];
  #upTo: number;
  #isOpen = false;

  constructor(parts: NodeSeedsParts) {
    this.#parts = parts;
    this.#upTo = parts.upTo;
  }

  /** Where the last of them ends in the book of seeds. */
  get upTo(): number {
    return this.#upTo;
  }

  /** Whether none waits. */
  get areTold(): boolean {
    return this.#waiting.length === 0;
  }

  arrived(seeds: readonly string[], upTo: number): void {
    this.#waiting.push(...seeds);
    this.#upTo = upTo;
    this.#tell();
  }

  /** The node is open. */
  open(): void {
    this.#isOpen = true;
    this.#tell();
  }

  #tell(): void {
    if (!this.#isOpen) return;
    const seeds = this.#waiting.splice(0);
    if (seeds.length > 0) this.#parts.found(seeds);
    this.#parts.changed();
  }
}
