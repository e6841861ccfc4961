/** The simulated databases of one thread, on the disk of its machine. */
import { OpenedDatabases } from "../../../base/database/index.ts";
import type {
  Acknowledge,
  Clock,
  DatabaseShape,
  Databases,
  Done,
  FileName,
  Random,
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
  readonly #opened: OpenedDatabases<SimDatabase>;

  constructor({ disk, clock, random }: SimDatabasesOptions) {
    // Views are for people, so there are none here.
    this.#opened = new OpenedDatabases(clock, (file, { tables: schema }, done) =>
      SimDatabase.open({ disk: disk.database(file), schema, clock, random }, done),
    );
  }

  open(file: FileName, shape: DatabaseShape, done: Done<SimDatabase>): void {
    this.#opened.open(file, shape, done);
  }

  close(file: FileName, done: Acknowledge): void {
    this.#opened.close(file, done);
  }

  /** The thread dies. */
  kill(): void {
    for (const database of this.#opened.takeAll()) database.kill();
  }
}
