/**
 * Makes names durable. On POSIX systems a file's name belongs to the content of its folder: it
 * survives a crash only after the folder itself was synced. The same holds for the folder's own
 * name in the folder above it, up to the root of the storage.
 *
 * Which folders are known to have a durable name is remembered, so the usual cost is one sync.
 */
import { dirname, sep } from "node:path";
import { type DiskCalls, READ_ONLY, type SystemAnswer, uninterrupted } from "./disk-calls.ts";

/** Where folders cannot be opened or synced (Windows, some network disks) names need no sync. */
const NO_FOLDER_SYNC: ReadonlySet<string> = new Set(["EISDIR", "EPERM", "EINVAL", "ENOTSUP"]);

export class FolderNames {
  readonly #calls: DiskCalls;
  readonly #root: string;
  readonly #durable = new Set<string>();

  constructor(calls: DiskCalls, root: string) {
    this.#calls = calls;
    this.#root = root;
  }

  /** Makes the names in `folder` durable, and the names of the folders that lead to it. */
  sync(folder: string, done: SystemAnswer): void {
    const parent = dirname(folder);
    this.#syncOne(folder, (error) => {
      if (error !== null || folder === this.#root || this.#durable.has(folder)) return done(error);
      this.sync(parent, (parentError) => {
        if (parentError === null) this.#durable.add(folder);
        done(parentError);
      });
    });
  }

  /** Makes the names of the root and of `above`, a folder above it, durable in their parents. */
  syncRoot(above: string, done: SystemAnswer): void {
    const climb = (folder: string): void =>
      this.#syncOne(dirname(folder), (error) => {
        if (error !== null || folder === above || folder === dirname(folder)) return done(error);
        climb(dirname(folder));
      });
    climb(this.#root);
  }

  /** To be called after a folder was renamed. */
  forget(folder: string): void {
    for (const known of this.#durable) {
      if (known === folder || known.startsWith(`${folder}${sep}`)) this.#durable.delete(known);
    }
  }

  #syncOne(folder: string, done: SystemAnswer): void {
    const calls = this.#calls;
    uninterrupted<[number?]>(
      (answer) => calls.open(folder, READ_ONLY, answer),
      (openError, descriptor) => {
        if (descriptor === undefined) return done(unlessUnsupported(openError));
        uninterrupted(
          (answer) => calls.fsync(descriptor, answer),
          (syncError) => calls.close(descriptor, () => done(unlessUnsupported(syncError))),
        );
      },
    );
  }
}

function unlessUnsupported(error: NodeJS.ErrnoException | null): NodeJS.ErrnoException | null {
  return error !== null && NO_FOLDER_SYNC.has(error.code ?? "") ? null : error;
}
