/**
 * A file that gets its name when it is whole. Until then it is `NAME.part`, with `NAME.part.json`
 * beside it, which says how much of it is good and from where to go on. So an export that was
 * interrupted, by whatever, is never taken for a whole one, and one that can be continued is.
 *
 * A checkpoint is written after the bytes that it counts are durable. Symbolic links are never
 * followed: what lies under the temporary names is replaced if it is not a plain file.
 */
import fs from "node:fs";
import { exportError } from "./export-error.ts";
import type { Output } from "./output.ts";

const { O_RDWR, O_CREAT, O_NOFOLLOW, O_TRUNC } = fs.constants;

/** What an export needs to go on, as it was at its last checkpoint. */
export interface Checkpoint {
  /** Of the source. */
  readonly cursor: number;
  readonly counts: Readonly<Record<string, number>>;
}

interface State extends Checkpoint {
  /** What is exported, and how; another export is not continued. */
  readonly plan: string;
  readonly lengthBytes: number;
}

export class PartFile implements Output {
  readonly path: string;
  /** Where an interrupted export goes on; null when it begins. */
  readonly continued: Checkpoint | null;
  readonly #plan: string;
  readonly #descriptor: number;
  #writtenBytes: number;

  private constructor(path: string, plan: string, opened: Opened) {
    this.path = path;
    this.#plan = plan;
    this.#descriptor = opened.descriptor;
    this.#writtenBytes = opened.state?.lengthBytes ?? 0;
    this.continued = opened.state;
  }

  /** `plan` is null for an export that cannot be continued. */
  static open(path: string, plan: string | null): PartFile {
    try {
      const state = plan === null ? null : stateOf(path, plan);
      const flags = O_RDWR | O_CREAT | O_NOFOLLOW | (state === null ? O_TRUNC : 0);
      dropUnlessFile(`${path}.part`);
      const descriptor = fs.openSync(`${path}.part`, flags, 0o666);
      if (state === null) fs.rmSync(stateName(path), { force: true });
      else fs.ftruncateSync(descriptor, state.lengthBytes);
      return new PartFile(path, plan ?? "", { descriptor, state });
    } catch (error) {
      throw exportError(error, path);
    }
  }

  get writtenBytes(): number {
    return this.#writtenBytes;
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.writeAt(bytes, this.#writtenBytes);
    this.#writtenBytes += bytes.length;
  }

  /** Writes over what was written before, or at the end. */
  async writeAt(bytes: Uint8Array, position: number): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      done += await this.#writeSome(bytes.subarray(done), position + done);
    }
  }

  /** Everything so far survives an interruption from here on. */
  async checkpoint({ cursor, counts }: Checkpoint): Promise<void> {
    const { path } = this;
    const state: State = { plan: this.#plan, lengthBytes: this.#writtenBytes, cursor, counts };
    try {
      fs.fdatasyncSync(this.#descriptor);
      const temporary = `${stateName(path)}.new`;
      fs.rmSync(temporary, { force: true });
      fs.writeFileSync(temporary, JSON.stringify(state), { flag: "wx" });
      fs.renameSync(temporary, stateName(path));
    } catch (error) {
      throw exportError(error, path);
    }
  }

  /** Gives the file its name. */
  finish(): void {
    try {
      fs.fsyncSync(this.#descriptor);
      fs.closeSync(this.#descriptor);
      fs.renameSync(`${this.path}.part`, this.path);
      fs.rmSync(stateName(this.path), { force: true });
    } catch (error) {
      throw exportError(error, this.path);
    }
  }

  /** Leaves the part for the next time. */
  close(): void {
    fs.closeSync(this.#descriptor);
  }

  /** How many bytes were written. */
  #writeSome(bytes: Uint8Array, position: number): Promise<number> {
    return new Promise((resolve, reject) => {
      fs.write(this.#descriptor, bytes, 0, bytes.length, position, (error, count) => {
        if (error === null) resolve(count);
        else if (error.code === "EINTR") resolve(0);
        else reject(exportError(error, this.path));
      });
    });
  }
}

interface Opened {
  readonly descriptor: number;
  readonly state: State | null;
}

function stateName(path: string): string {
  return `${path}.part.json`;
}

/** The state of a part that this plan can continue. */
function stateOf(path: string, plan: string): State | null {
  try {
    const state = JSON.parse(fs.readFileSync(stateName(path), "utf8")) as State;
    const part = fs.lstatSync(`${path}.part`);
    const isOurs = part.isFile() && part.size >= state.lengthBytes && state.plan === plan;
    return isOurs && Number.isSafeInteger(state.cursor) ? state : null;
  } catch {
    return null;
  }
}

function dropUnlessFile(path: string): void {
  const status = fs.lstatSync(path, { throwIfNoEntry: false });
  if (status !== undefined && !status.isFile()) fs.rmSync(path, { recursive: false, force: true });
}
