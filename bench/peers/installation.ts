/**
 * Installs what is compared: npm packages into a folder below the system's temporary one, which is
 * kept for the next run, and missing Debian packages where that is permitted.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const NPM_PACKAGES = ["@crawlee/cheerio@3", "@crawlee/http@3", "crawler@2", "htmlparser2@10"];
const DEBIAN_PACKAGES: Readonly<Record<string, string>> = {
  scrapy: "python3-scrapy",
  time: "time",
  unshare: "util-linux",
  wget: "wget",
  wget2: "wget2",
};

/** The folder with the clients and their packages. */
export function installClients(): string {
  const home = join(tmpdir(), "trobar-peers");
  mkdirSync(home, { recursive: true });
  const clients = join(import.meta.dirname, "clients");
  for (const name of readdirSync(clients)) copyFileSync(join(clients, name), join(home, name));
  if (!existsSync(join(home, "node_modules", "crawler"))) {
    console.log(`installing ${NPM_PACKAGES.join(", ")} into ${home}`);
    writeFileSync(join(home, "package.json"), '{ "private": true, "type": "module" }\n');
    const args = ["install", "--no-audit", "--no-fund", "--prefix", home, ...NPM_PACKAGES];
    const { status } = spawnSync("npm", args, { stdio: ["ignore", "ignore", "inherit"] });
    if (status !== 0) console.log("npm could not install them; their rows are left out");
  }
  return home;
}

export function hasClients(home: string): boolean {
  return existsSync(join(home, "node_modules", "crawler"));
}

/** Whether the program is there, or could be installed. */
export function hasProgram(program: string): boolean {
  if (isOnPath(program)) return true;
  const debianPackage = DEBIAN_PACKAGES[program];
  if (debianPackage === undefined || process.getuid?.() !== 0 || !isOnPath("apt-get")) return false;
  console.log(`installing ${debianPackage}`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const args = ["install", "-y", "--no-install-recommends", debianPackage];
  spawnSync("apt-get", ["update"], { env, stdio: "ignore" });
  spawnSync("apt-get", args, { env, stdio: "ignore" });
  return isOnPath(program);
}

function isOnPath(program: string): boolean {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/bin", "/usr/sbin"];
  return folders.some((folder) => existsSync(join(folder, program)));
}
