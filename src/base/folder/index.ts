/**
 * Folders that one process uses at a time, and the small files in them.
 *
 * `FolderLock` keeps others out for as long as the process lives. `folder-files.ts` reads and writes
 * whole files, durably and for their owner only, and says what went wrong as `DIRECTORY_FAILED`. All of
 * it works synchronously and throws: it is used when something starts and when it ends. `readFile` reads
 * files that users name, and answers instead of throwing; `readGuarded` files of a folder that may be
 * somebody else's.
 *
 * Read `folder-lock.ts` first.
 */
export { parseChecked, printChecked } from "./checked-json.ts";
export {
  directoryFailure,
  isMissing,
  makeFolder,
  readText,
  removeFile,
  writePrivate,
} from "./folder-files.ts";
export { FolderLock, type LockedFolder } from "./folder-lock.ts";
export { readGuarded } from "./guarded-file.ts";
export { fileProblem, readFile } from "./read-file.ts";
