/**
 * Real disks in a file: with ext4, which can be made to fail as it does after an error of its device, and
 * with btrfs, which has quotas that bind root too. Need root, and a kernel that knows the file system.
 *
 * A disk on which files are open for writing cannot be mounted read-only by hand; it becomes read-only by
 * an error that the file system has found, which the system can be asked to pretend.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { needsProgram, PROGRAM_MISSING } from "../requirement.ts";

export type FileSystem = "ext4" | "btrfs";

const MIB = 1024 * 1024;
const FILE_SYSTEM_CHECK = "fsck.ext4";
/** As btrfs numbers the quotas of subvolumes. */
const FIRST_SUBVOLUME = "0/256";
const MIBS: Readonly<Record<FileSystem, number>> = { ext4: 64, btrfs: 256 };

/** For the `skip` option of a test: why such disks cannot be made here, or false. */
export function needsLoopDisks(kind: FileSystem): string | false {
  const programs = kind === "ext4" ? ["mkfs.ext4"] : ["mkfs.btrfs", "btrfs"];
  for (const program of ["mount", ...programs]) {
    const missing = needsProgram(program);
    if (missing !== false) return missing;
  }
  try {
    new LoopDisk(kind).remove();
    return false;
  } catch (error) {
    return `${PROGRAM_MISSING}mount, which is there but refuses: ${String(error)}`;
  }
}

export class LoopDisk {
  /** Where files can be written. */
  readonly root: string;
  readonly #mounted: string;
  readonly #folder = mkdtempSync(join(tmpdir(), "trobar-loop-disk-"));
  readonly #image = join(this.#folder, "image");
  readonly #kind: FileSystem;

  constructor(kind: FileSystem) {
    this.#kind = kind;
    this.#mounted = join(this.#folder, "disk");
    // Whoever has used up a quota could not lift it from inside of it.
    this.root = kind === "btrfs" ? join(this.#mounted, "bounded") : this.#mounted;
    try {
      mkdirSync(this.#mounted);
      writeFileSync(this.#image, "");
      truncateSync(this.#image, MIBS[kind] * MIB);
      call(`mkfs.${kind}`, "-q", this.#image);
      this.#mount();
      if (kind === "btrfs") {
        call("btrfs", "quota", "enable", this.#mounted);
        call("btrfs", "subvolume", "create", this.root);
      }
    } catch (error) {
      this.remove();
      throw error;
    }
  }

  /** From now on nothing can be written; what the disk has not been given yet is lost. Only with ext4. */
  fail(): void {
    const device = basename(deviceOf(this.#mounted));
    writeFileSync(`/sys/fs/ext4/${device}/trigger_fs_error`, "a test");
  }

  /** Looks after the disk, and mounts it again; nobody has a file of it open. Only with ext4. */
  mend(): void {
    call("umount", this.#mounted);
    call(FILE_SYSTEM_CHECK, "-y", this.#image);
    this.#mount();
  }

  /** Nobody has a file of it open for writing. */
  setReadOnly(isReadOnly: boolean): void {
    call("mount", "-o", `remount,${isReadOnly ? "ro" : "rw"}`, this.#mounted);
  }

  /** How much may lie on it; null for as much as there is room for. Only with btrfs. */
  set quotaBytes(bytes: number | null) {
    const limit = bytes === null ? "none" : String(bytes);
    call("btrfs", "qgroup", "limit", limit, FIRST_SUBVOLUME, this.#mounted);
  }

  remove(): void {
    // Lazily, since a test that failed may have left files open.
    spawnSync("umount", ["--lazy", this.#mounted]);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #mount(): void {
    const options = this.#kind === "ext4" ? "loop,errors=remount-ro" : "loop";
    call("mount", "-t", this.#kind, "-o", options, this.#image, this.#mounted);
  }
}

function call(program: string, ...args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: "utf8" });
  // A check that has corrected something ends with 1.
  const isDone = status === 0 || (status === 1 && program === FILE_SYSTEM_CHECK);
  if (!isDone) throw new Error(`${program} ${args.join(" ")}: ${error ?? stderr.trim()}`);
}

function deviceOf(root: string): string {
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
  const [device = ""] = mounts.map((line) => line.split(" ")).find(([, at]) => at === root) ?? [];
  return device;
}
