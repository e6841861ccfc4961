/** The launcher as users have it, and the old Nodes that may start it. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, symlinkSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

/** A folder with the launcher and the sources, and without a build; the path of the launcher. */
export function installLauncher(
  root: string,
  { packages }: { readonly packages: boolean },
): string {
  cpSync("bin", join(root, "bin"), { recursive: true });
  cpSync("package.json", join(root, "package.json"));
  symlinkSync(resolve("src"), join(root, "src"));
  if (packages) symlinkSync(resolve("node_modules"), join(root, "node_modules"));
  return join(root, "bin", "trobar.js");
}

/** Makes the Node that runs the launcher say that it is an old one; its child says the truth. */
function pretending(version: string, more = ""): string {
  const versions = `{value:{...process.versions,node:'${version}'}}`;
  return `--import=data:text/javascript,Object.defineProperty(process,'versions',${versions});${more}`;
}

export type NodeCommand = readonly [command: string, ...args: string[]];

/** A Node that pretends to be too old and can replace itself by another program. */
export const REPLACING_NODE: NodeCommand = [process.execPath, pretending("22.15.0")];

/** A Node that pretends to be so old that it cannot. */
const STAYING_NODE: NodeCommand = [
  process.execPath,
  pretending("20.0.0", "process.execve=undefined"),
];

/** Nodes that stay beside the one they start: a pretended one, and a truly old one if there is one. */
export function stayingNodes(): NodeCommand[] {
  const folders = (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((one) => !one.includes("node_modules"));
  const real = folders
    .map((one) => join(one, "node"))
    .find((node) => {
      if (!existsSync(node)) return false;
      const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
      return Number.parseInt(stdout.slice(1), 10) < 22;
    });
  return [STAYING_NODE, ...(real === undefined ? [] : [[real] as const])];
}

export function oldNodes(): NodeCommand[] {
  return [REPLACING_NODE, ...stayingNodes()];
}
