/**
 * A server that a killed agent of the same directory has left running. Its process number is in a file; a
 * number may since belong to another process, so it is ended only if it runs this very configuration.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { readText, removeFile } from "../../folder/index.ts";
import type { Clock } from "../../seams/index.ts";

const LOOK_MS = 10;

/** Resolves when no such server runs any more. */
export async function endStaleServer(
  processFile: string,
  configuration: string,
  clock: Clock,
): Promise<void> {
  const id = Number(readText(processFile)?.trim());
  if (!Number.isSafeInteger(id) || id <= 1) return;
  while (commandOf(id).includes(configuration)) {
    tryKill(id);
    await new Promise<void>((resolve) => clock.after(LOOK_MS, resolve));
  }
  removeFile(processFile);
}

function tryKill(id: number): void {
  try {
    process.kill(id, "SIGKILL");
  } catch {
    // It has just ended.
  }
}

/** The words with which a process was started; empty if there is none, or if it has ended. */
function commandOf(id: number): string {
  try {
    if (process.platform === "linux") return readFileSync(`/proc/${id}/cmdline`, "utf8");
    if (process.platform === "win32") return "";
    return execFileSync("ps", ["-o", "args=", "-p", `${id}`], { encoding: "utf8" });
  } catch {
    return "";
  }
}
