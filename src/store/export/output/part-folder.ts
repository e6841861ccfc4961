/**
 * A folder that gets its name when it is whole; until then it is `NAME.part`. Files are written
 * below it by names that are safe on every system (`safe-path.ts`), without following any link: the
 * folder is made anew, unless an interrupted export with the same plan is continued.
 */
import fs from "node:fs";
import { join } from "node:path";
import { exportError } from "./export-error.ts";
import type { Checkpoint } from "./part-file.ts";

const { O_WRONLY, O_CREAT, O_NOFOLLOW, O_TRUNC, O_APPEND } = fs.constants;

interface State extends Checkpoint {
  readonly plan: string;
}

export class PartFolder {
  readonly path: string;
  readonly continued: Checkpoint | null;
  readonly #plan: string;
  /** Folders that are known to be there. */
  readonly #made = new Set<string>();
  #writtenBytes = 0;

  private constructor(path: string, plan: string, continued: Checkpoint | null) {
    this.path = path;
    this.#plan = plan;
    this.continued = continued;
  }

  /** `plan` is null for an export that starts over. */
  static open(path: string, plan: string | null): PartFolder {
    try {
      const state = plan === null ? null : stateOf(path, plan);
      if (state === null) {
        fs.rmSync(`${path}.part`, { recursive: true, force: true });
        fs.rmSync(stateName(path), { force: true });
        fs.mkdirSync(`${path}.part`);
      }
      return new PartFolder(path, plan ?? "", state);
    } catch (error) {
      throw exportError(error, path);
    }
  }

  get writtenBytes(): number {
    return this.#writtenBytes;
  }

  /** Writes a whole file; `name` is relative, with `/`, and safe. */
  write(name: string, bytes: Uint8Array): void {
    this.#put(name, bytes, O_TRUNC);
  }

  /** Whether a file of this name has been written. */
  has(name: string): boolean {
    const status = fs.lstatSync(join(`${this.path}.part`, name), { throwIfNoEntry: false });
    return status?.isFile() === true;
  }

  append(name: string, bytes: Uint8Array): void {
    this.#put(name, bytes, O_APPEND);
  }

  checkpoint({ cursor, counts }: Checkpoint): void {
    const state: State = { plan: this.#plan, cursor, counts };
    try {
      const temporary = `${stateName(this.path)}.new`;
      fs.rmSync(temporary, { force: true });
      fs.writeFileSync(temporary, JSON.stringify(state), { flag: "wx" });
      fs.renameSync(temporary, stateName(this.path));
    } catch (error) {
      throw exportError(error, this.path);
    }
  }

  /** Gives the folder its name. */
  finish(): void {
    try {
      fs.renameSync(`${this.path}.part`, this.path);
      fs.rmSync(stateName(this.path), { force: true });
    } catch (error) {
      throw exportError(error, this.path);
    }
  }

  #put(name: string, bytes: Uint8Array, flag: number): void {
    const file = join(`${this.path}.part`, name);
    try {
      this.#makeFolders(name);
      // What lies there of an interrupted export may be a link to elsewhere.
      if (this.continued !== null && flag === O_TRUNC) fs.rmSync(file, { force: true });
      const descriptor = fs.openSync(file, O_WRONLY | O_CREAT | O_NOFOLLOW | flag, 0o666);
      try {
        fs.writeFileSync(descriptor, bytes);
      } finally {
        fs.closeSync(descriptor);
      }
      this.#writtenBytes += bytes.length;
    } catch (error) {
      throw exportError(error, this.path);
    }
  }

  /** One by one, since what a continued part holds may be links that lead out of it. */
  #makeFolders(name: string): void {
    for (let end = name.indexOf("/"); end !== -1; end = name.indexOf("/", end + 1)) {
      const folder = name.slice(0, end);
      if (this.#made.has(folder)) continue;
      const path = join(`${this.path}.part`, folder);
      const status = fs.lstatSync(path, { throwIfNoEntry: false });
      if (status?.isDirectory() !== true) {
        if (status !== undefined) fs.rmSync(path);
        fs.mkdirSync(path);
      }
      this.#made.add(folder);
    }
  }
}

function stateName(path: string): string {
  return `${path}.part.json`;
}

function stateOf(path: string, plan: string): State | null {
  try {
    const state = JSON.parse(fs.readFileSync(stateName(path), "utf8")) as State;
    const isOurs = fs.lstatSync(`${path}.part`).isDirectory() && state.plan === plan;
    return isOurs && Number.isSafeInteger(state.cursor) ? state : null;
  } catch {
    return null;
  }
}
