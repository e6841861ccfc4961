/** A process that locks a folder, says so, and keeps it until it is killed. */
import { fileURLToPath } from "node:url";
import { FolderLock } from "./index.ts";

export const FOLDER_HOLDER: string = fileURLToPath(import.meta.url);

if (process.argv[1] === FOLDER_HOLDER) {
  const path = String(process.argv[2]);
  FolderLock.take({ path, lockFile: "test.lock", meaning: "folder", wayOut: "name another" });
  process.stdout.write("locked\n");
  process.stdin.resume();
}
