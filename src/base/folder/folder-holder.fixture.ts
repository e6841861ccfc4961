/** A process that locks a folder, says so, and keeps it until it is killed. */
import { fileURLToPath } from "node:url";
import { FolderLock } from "./index.ts";

export const FOLDER_HOLDER: string = fileURLToPath(import.meta.url);

if (process.argv[1] === FOLDER_HOLDER) {
  const path = String(process.argv[2]);
  const folder = { path, lockFile: "test.lock", meaning: "folder", wayOut: "name another" };
  const lock = FolderLock.take(folder);
  process.stdout.write("locked\n");
  // A lock to which nothing refers is collected, and released with that.
  process.stdin.resume().once("end", () => lock.release());
}
