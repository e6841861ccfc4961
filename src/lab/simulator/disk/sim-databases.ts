/** The simulated databases of one thread, on the disk of its machine. */
import {
  type Acknowledge,
  type Clock,
  type DatabaseShape,
  type Databases,
  type Done,
  type FileName,
  type Random,
  withValue,
} from "../../../base/seams/index.ts";
import { SimDatabase } from "./sim-database.ts";
import type { SimDisk } from "./sim-disk.ts";

export interface SimDatabasesOptions {
  readonly disk: SimDisk;
  /** The clock of the process: its timers must die with it. */
  readonly clock: Clock;
  readonly random: Random;
}

export class SimDatabases implements Databases {
  readonly #options: SimDatabasesOptions;
  readonly #open = new Map<FileName, SimDatabase>();

  constructor(options: SimDatabasesOptions) {
    this.#options = options;
  }

  /** Views are for people, so there are none here. */
  open(file: FileName, { tables: schema }: DatabaseShape, done: Done<SimDatabase>): void {
    const { disk, clock, random } = this.#options;
    const known = this.#open.get(file);
    if (known !== undefined) {
      clock.after(0, () => done(null, known));
      return;
    }
    SimDatabase.open(
      { disk: disk.database(file), schema, clock, random },
      withValue(done, (database) => {
        this.#open.set(file, database);
        done(null, database);
      }),
    );
  }

  close(file: FileName, done: Acknowledge): void {
    const database = this.#open.get(file);
    this.#open.delete(file);
    if (database === undefined) this.#options.clock.after(0, () => done(null));
    else database.close(done);
  }

  /** The thread dies. */
  kill(): void {
    for (const database of this.#open.values()) database.kill();
    this.#open.clear();
  }
}
