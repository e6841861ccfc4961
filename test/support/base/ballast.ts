/** Fills a real disk, or what a quota leaves of it. */
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

/** A file that takes all the room there is. */
export class Ballast {
  readonly #path: string;

  constructor(disk: string) {
    this.#path = join(disk, "ballast");
  }

  fill(): void {
    const file = openSync(this.#path, "a");
    for (let bytes = 1024 * 1024; bytes > 0; ) {
      try {
        writeSync(file, Buffer.alloc(bytes));
      } catch {
        bytes >>= 1;
      }
    }
    closeSync(file);
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }
}
