/**
 * Files in one folder of a real disk, and nothing outside it.
 *
 * Durability rests on three calls: `fdatasync` for bytes, `fsync` of the folder for names, and
 * `rename`, which swaps a name from one content to another at once. A replacement is written to a
 * temporary file beside its target. Its name begins with a dot and so is not a `FileName`: it can
 * neither be listed nor opened, and what a crash leaves of it is overwritten by the next
 * replacement of that target or removed by `prepare`.
 */
import assert from "node:assert/strict";
import { basename, dirname, join, relative, sep } from "node:path";
import type { CrawlError } from "../errors/index.ts";
import {
  type Acknowledge,
  type Done,
  type FileName,
  isFileName,
  type ReadableFile,
  type Storage,
  type StorageFile,
} from "../seams/index.ts";
import {
  DISK_CALLS,
  type DiskCalls,
  READ_ONLY,
  READ_WRITE_CREATE,
  uninterrupted,
  WRITE_ANEW,
} from "./disk-calls.ts";
import { DiskFile } from "./disk-file.ts";
import { FolderNames } from "./folder-names.ts";
import { makeFolder } from "./make-folder.ts";
import { storageError, storageFailure } from "./storage-error.ts";
import { Turns } from "./turns.ts";
import { walkFolder } from "./walk-folder.ts";
import { writeFully } from "./write-fully.ts";

type SystemError = NodeJS.ErrnoException | null;

const LEFTOVER = /^\..*\.tmp$/;

export class DiskStorage implements Storage {
  readonly root: string;
  readonly #calls: DiskCalls;
  readonly #names: FolderNames;
  readonly #turns = new Turns();
  readonly #openToAppend = new Set<FileName>();

  /** `root` is an absolute path. Nothing is touched before the first call. */
  constructor(root: string, calls: DiskCalls = DISK_CALLS) {
    this.root = root;
    this.#calls = calls;
    this.#names = new FolderNames(calls, root);
  }

  /**
   * Makes the root when it is missing, durably, and removes what interrupted replacements left.
   * To be called once by the process that owns the folder, before anything else uses it.
   */
  prepare(done: Acknowledge): void {
    makeFolder(this.#calls, this.root, (error, firstMade) => {
      if (error !== null) return done(storageError(error, "make the folder", this.root));
      this.#names.syncRoot(firstMade ?? this.root, (syncError) => {
        if (syncError !== null) done(storageError(syncError, "make durable", this.root));
        else this.#sweep(done);
      });
    });
  }

  open(name: FileName, done: Done<StorageFile>): void {
    assert(!this.#openToAppend.has(name), `${name} is already open for appending`);
    this.#openToAppend.add(name);
    this.#inTurn([name], done, (answer) => {
      const settle: Done<DiskFile> = (...outcome) => {
        if (outcome[0] !== null) this.#openToAppend.delete(name);
        answer(...outcome);
      };
      makeFolder(this.#calls, dirname(this.#path(name)), (error) => {
        if (error === null) this.#openWith(READ_WRITE_CREATE, name, settle);
        else settle(storageError(error, "make the folder of", name), undefined);
      });
    });
  }

  openToRead(name: FileName, done: Done<ReadableFile>): void {
    this.#inTurn([name], done, (answer) => this.#openWith(READ_ONLY, name, answer));
  }

  readWhole(name: FileName, done: Done<Uint8Array>): void {
    const calls = this.#calls;
    this.#inTurn([name], done, (answer) => {
      // An interrupted call begins anew: a descriptor remembers how far it was read.
      uninterrupted<[Buffer?]>(
        (read) =>
          this.#openRegular(READ_ONLY, name, (error, descriptor = -1) => {
            if (error !== null) return read(error);
            calls.readFile(descriptor, (readError, content) =>
              calls.close(descriptor, () => read(readError, content)),
            );
          }),
        (error, content = Buffer.alloc(0)) => {
          if (error !== null) answer(storageError(error, "read", name), undefined);
          else answer(null, new Uint8Array(content.buffer, content.byteOffset, content.length));
        },
      );
    });
  }

  replace(name: FileName, bytes: Uint8Array, done: Acknowledge): void {
    this.#assertNotOpen(name);
    this.#inTurn([name], done, (answer) => {
      const path = this.#path(name);
      const temporary = join(dirname(path), `.${basename(path)}.tmp`);
      this.#writeAnew(temporary, bytes, (error) => {
        if (error === null) return this.#renameDurably(temporary, path, name, answer);
        const failure = storageError(error, "replace", name);
        this.#calls.unlink(temporary, () => answer(failure));
      });
    });
  }

  rename(name: FileName, to: FileName, done: Acknowledge): void {
    this.#assertNotOpen(name);
    this.#assertNotOpen(to);
    this.#inTurn([name, to], done, (answer) => {
      makeFolder(this.#calls, dirname(this.#path(to)), (error) => {
        if (error !== null) answer(storageError(error, "make the folder of", to));
        else this.#renameDurably(this.#path(name), this.#path(to), name, answer);
      });
    });
  }

  remove(name: FileName, done: Acknowledge): void {
    this.#assertNotOpen(name);
    this.#inTurn([name], done, (answer) => {
      const path = this.#path(name);
      this.#calls.unlink(path, (error) => {
        if (error?.code === "ENOENT") return answer(null);
        if (error !== null) return answer(storageError(error, "remove", name));
        this.#names.sync(dirname(path), (syncError) =>
          answer(syncError && storageFailure(syncError, "remove", name)),
        );
      });
    });
  }

  list(folder: FileName | "", done: Done<readonly FileName[]>): void {
    assert(folder === "" || isFileName(folder), `${folder} is not the name of a folder`);
    this.#walk(folder, (error, paths) => {
      if (error !== null) return done(storageError(error, "list", folder), undefined);
      const names = paths.map((path) => relative(this.root, path).split(sep).join("/"));
      done(null, names.filter(isFileName).sort());
    });
  }

  freeBytes(done: Done<number>): void {
    this.#calls.statfs(this.root, (error, sizes) => {
      if (error !== null) done(storageError(error, "find the free space of", this.root), undefined);
      else done(null, Number(sizes.bavail) * Number(sizes.bsize));
    });
  }

  /** Calls `run` when earlier calls for these names have ended; answering ends its turn. */
  #inTurn<Outcome extends unknown[]>(
    names: readonly FileName[],
    done: (...outcome: Outcome) => void,
    run: (answer: (...outcome: Outcome) => void) => void,
  ): void {
    for (const name of names) assert(isFileName(name), `${name} is not the name of a file`);
    this.#turns.take(names, (finished) =>
      run((...outcome) => {
        finished();
        done(...outcome);
      }),
    );
  }

  #assertNotOpen(name: FileName): void {
    for (const open of this.#openToAppend) {
      assert(open !== name && !open.startsWith(`${name}/`), `${open} is open for appending`);
    }
  }

  #path(name: FileName): string {
    return join(this.root, ...name.split("/"));
  }

  #openWith(flags: number, name: FileName, done: Done<DiskFile>): void {
    this.#openRegular(flags, name, (error, descriptor = -1, lengthBytes = 0) => {
      if (error !== null) done(storageError(error, "open", name), undefined);
      else done(null, this.#file(name, descriptor, { flags, lengthBytes }));
    });
  }

  /** Opens what is a file, and not a pipe or a device: those could be read without end. */
  #openRegular(
    flags: number,
    name: FileName,
    done: (error: SystemError, descriptor?: number, lengthBytes?: number) => void,
  ): void {
    const calls = this.#calls;
    uninterrupted<[number?]>(
      (opened) => calls.open(this.#path(name), flags, opened),
      (openError, descriptor) => {
        if (openError !== null) return done(openError);
        assert(descriptor !== undefined, "an opened file has a descriptor");
        calls.fstat(descriptor, (error, stats) => {
          const problem = error ?? (stats.isFile() || stats.isDirectory() ? null : notRegular());
          if (problem === null) done(null, descriptor, stats.size);
          else calls.close(descriptor, () => done(problem));
        });
      },
    );
  }

  #file(
    name: FileName,
    descriptor: number,
    opened: { readonly flags: number; readonly lengthBytes: number },
  ): DiskFile {
    return new DiskFile({
      calls: this.#calls,
      name,
      descriptor,
      lengthBytes: opened.lengthBytes,
      syncName: (done) => this.#names.sync(dirname(this.#path(name)), done),
      closed: () => {
        if (opened.flags === READ_WRITE_CREATE) this.#openToAppend.delete(name);
      },
    });
  }

  #writeAnew(path: string, bytes: Uint8Array, done: (error: SystemError) => void): void {
    const calls = this.#calls;
    const create = (descriptorReady: (descriptor: number) => void): void =>
      makeFolder(calls, dirname(path), (mkdirError) => {
        if (mkdirError !== null) return done(mkdirError);
        calls.open(path, WRITE_ANEW, (openError, descriptor) => {
          if (openError !== null) done(openError);
          else descriptorReady(descriptor);
        });
      });
    create((descriptor) => {
      const close = (error: SystemError): void =>
        calls.close(descriptor, (closeError) => done(error ?? closeError ?? null));
      writeFully({ calls, descriptor, offset: 0 }, [bytes], (writeError) => {
        if (writeError !== null) close(writeError);
        else uninterrupted((answer) => calls.fsync(descriptor, answer), close);
      });
    });
  }

  #renameDurably(from: string, to: string, name: FileName, done: Acknowledge): void {
    this.#calls.rename(from, to, (error) => {
      if (error !== null) return done(storageError(error, "rename", name));
      this.#names.forget(from);
      const failed = (syncError: SystemError): CrawlError | null =>
        syncError && storageFailure(syncError, "make durable the name", name);
      this.#names.sync(dirname(to), (toError) => {
        if (toError !== null || dirname(from) === dirname(to)) return done(failed(toError));
        this.#names.sync(dirname(from), (fromError) => done(failed(fromError)));
      });
    });
  }

  /** Paths of all files below a folder, temporary ones too; none when there is no such folder. */
  #walk(folder: FileName | "", done: (error: SystemError, paths: string[]) => void): void {
    const top = folder === "" ? this.root : this.#path(folder);
    walkFolder(this.#calls, top, (error, paths) => {
      if (error?.code === "ENOENT" && error.path === top) done(null, []);
      // A folder further down was renamed meanwhile.
      else if (error?.code === "ENOENT") this.#walk(folder, done);
      else done(error, paths);
    });
  }

  #sweep(done: Acknowledge): void {
    this.#walk("", (error, paths) => {
      if (error !== null) return done(storageError(error, "list", this.root));
      const leftovers = paths.filter((path) => LEFTOVER.test(basename(path)));
      const next = (): void => {
        const path = leftovers.pop();
        if (path === undefined) done(null);
        else this.#calls.unlink(path, (unlinkError) => settle(path, unlinkError));
      };
      const settle = (path: string, unlinkError: SystemError): void => {
        if (unlinkError === null || unlinkError.code === "ENOENT") next();
        else done(storageError(unlinkError, "remove", relative(this.root, path)));
      };
      next();
    });
  }
}

function notRegular(): NodeJS.ErrnoException {
  return Object.assign(new Error("that it is not a regular file"), { code: "EINVAL" });
}
