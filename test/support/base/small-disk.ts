/** Small real disks: a memory file system, mounted where a test wants it. Needs root. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { needsProgram, PROGRAM_MISSING } from "../requirement.ts";

/** For the `skip` option of a test: why small disks cannot be made here, or false. */
export function needsSmallDisks(): string | false {
  const missing = needsProgram("mount");
  if (missing !== false) return missing;
  const root = emptyFolder();
  const said = mount(root);
  if (said === "") removeSmallDisk(root);
  else rmdirSync(root);
  return said === "" ? false : `${PROGRAM_MISSING}mount, which is there but refuses: ${said}`;
}

/** The path of a new, empty disk, of this many MiB. */
export function makeSmallDisk(mib = 1): string {
  const root = emptyFolder();
  const said = mount(root, mib);
  if (said !== "") throw new Error(`mount refuses: ${said}`);
  return root;
}

export function removeSmallDisk(root: string): void {
  // Lazily, since a test that failed may have left files open.
  spawnSync("umount", ["--lazy", root]);
  rmdirSync(root);
}

function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), "trobar-small-disk-"));
}

/** Empty on success, otherwise what the system said. */
function mount(root: string, mib = 1): string {
  const args = ["-t", "tmpfs", "-o", `size=${mib}m`, "tmpfs", root];
  const { status, stderr } = spawnSync("mount", args, { encoding: "utf8" });
  return status === 0 ? "" : stderr.trim() || "without a word";
}
