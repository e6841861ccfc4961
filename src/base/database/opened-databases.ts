/** Databases by the names of their files, each opened once, whatever their kind. */
import {
  type Acknowledge,
  type Clock,
  type Database,
  type DatabaseShape,
  type Databases,
  type Done,
  type FileName,
  withValue,
} from "../seams/index.ts";

/** Opens a database that is not open yet. */
type OpenFile<Kind> = (file: FileName, shape: DatabaseShape, done: Done<Kind>) => void;

export class OpenedDatabases<Kind extends Database> implements Databases {
  readonly #clock: Clock;
  readonly #openFile: OpenFile<Kind>;
  readonly #opened = new Map<FileName, Kind>();

  constructor(clock: Clock, openFile: OpenFile<Kind>) {
    this.#clock = clock;
    this.#openFile = openFile;
  }

  open(file: FileName, shape: DatabaseShape, done: Done<Kind>): void {
    const known = this.#opened.get(file);
    if (known !== undefined) {
      this.#clock.after(0, () => done(null, known));
      return;
    }
    this.#openFile(
      file,
      shape,
      withValue(done, (database) => {
        this.#opened.set(file, database);
        done(null, database);
      }),
    );
  }

  close(file: FileName, done: Acknowledge): void {
    const database = this.#opened.get(file);
    this.#opened.delete(file);
    if (database === undefined) this.#clock.after(0, () => done(null));
    else database.close(done);
  }

  /** Forgets all that are open, and leaves closing them to the caller. */
  takeAll(): readonly Kind[] {
    const all = [...this.#opened.values()];
    this.#opened.clear();
    return all;
  }
}
