/**
 * `trobar doctor`: whether this machine is fit for a crawl of this configuration, and if not, what
 * would go wrong and what to do. Exit code 0 if a crawl would work, 1 if it would not. With `--json`
 * it prints `{"fit", "checks": [{"name", "fitness", "found", "problem", "remedy"}]}`.
 */
import { printable } from "../../base/text/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { type ConfigMistake, configError } from "../../rules/settings/index.ts";
import { readCrawlArguments } from "../crawl/crawl-arguments.ts";
import { EXIT } from "../shell/exit-code.ts";
import { DOCTOR_FLAGS } from "../shell/flag-table.ts";
import { bold, dim, type Terminal } from "../shell/terminal.ts";
import {
  checkClock,
  checkCores,
  checkDisk,
  checkLimits,
  checkMemory,
  checkNames,
  checkNats,
  checkVersions,
  type Finding,
} from "./checks.ts";
import type { Machine } from "./machine.ts";
import { thisMachine } from "./this-machine.ts";

/** A name that will exist for as long as the web does (RFC 2606). */
const EXAMPLE_HOST = "example.org";

export async function doctor(args: readonly string[], terminal: Terminal): Promise<number> {
  const given = readCrawlArguments(args, DOCTOR_FLAGS, terminal);
  const { configuration } = given;
  if (configuration === null) throw configError(given.mistakes.map(inOwnWords), given.omitted);
  const machine = thisMachine(configuration);
  const findings = await examine(machine, configuration, given.text("out") ?? ".");
  const isFit = findings.every(({ fitness }) => fitness !== "bad");
  const text = given.has("json")
    ? `${JSON.stringify({ fit: isFit, checks: findings })}\n`
    : shown(findings, isFit, terminal.colour);
  await terminal.write(text);
  return isFit ? EXIT.finished : EXIT.unexpected;
}

/** Who asks about a machine need not know what seeds are. */
function inOwnWords(mistake: ConfigMistake): ConfigMistake {
  if (mistake.location.kind !== "argument" || mistake.key !== "seeds") return mistake;
  const legal =
    "no word, or URLs of sites, such as https://example.org/, whose names are looked up";
  return { ...mistake, key: null, legal };
}

/** All checks; those that wait for something do so at the same time. */
export async function examine(
  machine: Machine,
  configuration: Configuration,
  folder: string,
): Promise<readonly Finding[]> {
  const { dns, fetch, seeds } = configuration;
  const servers = dns.servers.length === 0 ? [null] : dns.servers;
  const hosts = hostsOf(seeds);
  // A proxy resolves names itself.
  const questions =
    fetch.proxy === null
      ? servers.flatMap((server) => hosts.map((host) => ({ host, server })))
      : [];
  const [disk, nats, ...names] = await Promise.all([
    machine.disk(folder),
    machine.natsVersion(),
    ...questions.map(({ host, server }) => machine.resolve(host, server)),
  ]);
  return [
    checkVersions(machine),
    checkCores(machine),
    checkMemory(machine, configuration),
    checkLimits(machine, configuration),
    ...checkDisk(disk, configuration),
    checkClock(machine, disk),
    ...questions.flatMap(({ host, server }, at) => {
      const facts = names[at];
      return facts === undefined ? [] : [checkNames(host, server, facts)];
    }),
    checkNats(nats),
  ];
}

/** A few of the seeds' hosts stand for all. */
const HOSTS_MAX = 5;

function hostsOf(seeds: readonly string[]): readonly string[] {
  const hosts = new Set(seeds.map((seed) => new URL(seed).hostname).filter((host) => host !== ""));
  return hosts.size === 0 ? [EXAMPLE_HOST] : [...hosts].slice(0, HOSTS_MAX);
}

const MARKS = { good: "ok  ", poor: "poor", bad: "BAD " } as const;

function shown(findings: readonly Finding[], isFit: boolean, colour: boolean): string {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const lines = findings.flatMap(({ name, fitness, found, problem, remedy }) => {
    const line = `${MARKS[fitness]}  ${name.padEnd(width)}  ${printable(found)}`;
    const rest = [problem, remedy].filter((text) => text !== null);
    return [
      fitness === "good" ? line : bold(line, colour),
      ...rest.map((text) => dim(`      ${" ".repeat(width)}  ${printable(text)}`, colour)),
    ];
  });
  const isPoor = findings.some(({ fitness }) => fitness === "poor");
  const verdict = isFit
    ? `This machine is fit for a crawl${isPoor ? ", with the reservations above" : ""}.`
    : "This machine is not fit for a crawl: see BAD above.";
  return `${[...lines, "", verdict].join("\n")}\n`;
}
