/**
 * The web of `fairness.ts`, in a thread of its own: honest hosts, each in its own network and domain,
 * whose pages come at once and lead to the next one; and those of an attack. Counts what honest and
 * hostile hosts were asked for.
 */
import { parentPort, workerData } from "node:worker_threads";
import { drip, HostileWorld } from "../../test/support/lab/hostile-world.ts";
import { type Attack, isHonest } from "./fairness-attacks.ts";

const { attack } = workerData as { readonly attack: Attack };
const counts = { honest: 0, hostile: 0 };

/** A network for each honest host, or for each hostile one where the attack says so. */
function addressOf(name: string): string | null {
  const number = Number(/\d+/.exec(name)?.[0] ?? 0);
  if (isHonest(name)) return `127.1.${number & 255}.1`;
  if (attack === "silent names") return null;
  if (attack === "wildcard farm") return `127.3.0.${1 + (number % 250)}`;
  return attack === "drip from many networks"
    ? `127.${10 + (number >> 8)}.${number & 255}.1`
    : `127.2.${number >> 8}.${number & 255}`;
}

const FARM_LINKS = 40;
const DRIP_BYTES_PER_SECOND = 600;
const TEXT = "<p>Some words of a page that is neither short nor long.</p>\n".repeat(60);

const world = await HostileWorld.open({
  addressOf,
  serve: (host, path, response) => {
    const isFriend = isHonest(host);
    if (path !== "/robots.txt") counts[isFriend ? "honest" : "hostile"] += 1;
    if (!isFriend && attack.startsWith("drip")) drip(response, DRIP_BYTES_PER_SECOND);
    else if (path === "/robots.txt") response.writeHead(404).end();
    else if (isFriend) {
      const next = Number(path.slice(1)) + 1;
      response.end(`<title>${host} ${path}</title>${TEXT}<a href="/${next}">next</a>`);
    } else response.end(farmPage());
  },
});

let farmHosts = 1_000_000;
function farmPage(): string {
  const links = Array.from({ length: FARM_LINKS }, () => {
    farmHosts += 1;
    return `<a href="${world.url(`h${farmHosts}.farm.test`)}">x</a>`;
  });
  return links.join("\n");
}

parentPort?.on("message", () => parentPort?.postMessage(counts));
parentPort?.postMessage({ port: world.port, dnsPort: world.dnsPort });
