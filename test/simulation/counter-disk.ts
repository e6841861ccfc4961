/**
 * The simulated disk of one replica, with the faults of the counter's world: full for a while, slow
 * for a while. When the replica's life ends, its power fails.
 */
import type { Storage } from "../../src/base/seams/index.ts";
import { CALM_DISK, type Kernel, type Life, SimDisk } from "../../src/lab/simulator/index.ts";
import { COUNTER_FILE } from "./counter.ts";

const ROOMY_BYTES = 2 ** 40;

export class CounterDisk {
  readonly #kernel: Kernel;
  readonly #disk: SimDisk;
  #fullBy = 0;
  readonly #slowFactors = new Set<{ readonly factor: number }>();

  constructor(kernel: Kernel, id: string) {
    this.#kernel = kernel;
    this.#disk = new SimDisk(kernel.random.fork(`disk/${id}`));
  }

  /** The disk as this life of its node sees it. */
  mount(life: Life): Storage {
    life.onEnd(() => this.#disk.crash());
    return this.#disk.mount(life.clock);
  }

  /** What would be found after a crash now: the counter only ever replaces its file. */
  content(): Uint8Array | null {
    return this.#disk.contentOf(COUNTER_FILE);
  }

  /** Another thing whenever the content is another. */
  get version(): unknown {
    return this.#disk.node(COUNTER_FILE);
  }

  fill(durationMs: number): void {
    this.#changeFull(1);
    this.#kernel.schedule(durationMs, () => this.#changeFull(-1), "disk no longer full");
  }

  slowDown(factor: number, durationMs: number): void {
    const slow = { factor };
    this.#slowFactors.add(slow);
    this.#changeSpeed();
    this.#kernel.schedule(
      durationMs,
      () => {
        this.#slowFactors.delete(slow);
        this.#changeSpeed();
      },
      "disk less slow",
    );
  }

  #changeFull(by: number): void {
    this.#fullBy += by;
    this.#disk.capacityBytes = this.#fullBy > 0 ? 0 : ROOMY_BYTES;
  }

  #changeSpeed(): void {
    const factor = Math.max(1, ...[...this.#slowFactors].map((slow) => slow.factor));
    this.#disk.speed = {
      ...CALM_DISK,
      callMsMax: CALM_DISK.callMsMax * factor,
      syncMsMax: CALM_DISK.syncMsMax * factor,
    };
  }
}
