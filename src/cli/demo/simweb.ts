/**
 * `trobar simweb`: serves a synthetic web and its name server on loopback until it is interrupted
 * or told to stop over its control port, then prints the verdict on the crawl.
 *
 * With `--json` it prints two JSON lines: `{"event": "listening", …}` at the start and
 * `{"event": "verdict", …}` at the end.
 */
import { CrawlError } from "../../base/errors/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import {
  type GeneratedWeb,
  openGeneratedWeb,
  type ServedWeb,
  verdictText,
} from "../../lab/simweb/index.ts";
import { EXIT } from "../shell/exit-code.ts";
import { programName } from "../shell/program-name.ts";
import { bold, type Terminal } from "../shell/terminal.ts";
import { readSimwebArguments, type SimwebArguments } from "./simweb-arguments.ts";

/** Computing the truth about a larger web takes minutes, so it is done only on request. */
const JUDGED_PAGES_MAX = 1_000_000;

export async function simweb(args: readonly string[], terminal: Terminal): Promise<number> {
  const given = readSimwebArguments(args);
  const { profile, seed, port, dnsPort, controlPort } = given;
  const clock = new SystemClock();
  const served = await openGeneratedWeb({ profile, seed, port, dnsPort, controlPort, clock });
  try {
    checkJudge(served, given);
    terminal.out(
      given.isJson ? listeningJson(served, given) : listeningText(served, given, terminal),
    );
    await Promise.race([served.stopAsked, terminal.untilInterrupted()]);
    tellVerdict(served, given, terminal);
  } finally {
    await served.close();
  }
  return EXIT.finished;
}

/** Mistakes in `--judge` are reported at the start, not after a long crawl. */
function checkJudge(served: ServedWeb<GeneratedWeb>, { judge }: SimwebArguments): void {
  const isNamed = Object.keys(judge.crawl).length + Object.keys(judge.rules).length > 0;
  if (!isNamed) return;
  const reading = served.judge(judge.crawl, judge.rules);
  if (reading.ok) return;
  throw new CrawlError("USAGE_BAD_FLAG_VALUE", `flag --judge: ${reading.mistakes.join("; ")}.`);
}

function tellVerdict(
  served: ServedWeb<GeneratedWeb>,
  { judge, isJson }: SimwebArguments,
  terminal: Terminal,
): void {
  const { requests } = served.server.stats();
  const isAsked = Object.keys(judge.crawl).length > 0;
  if (requests === 0 || (!isAsked && pagesOf(served) > JUDGED_PAGES_MAX)) {
    const why = requests === 0 ? "nothing was asked for" : "the web is too large to judge unasked";
    terminal.out(
      isJson ? jsonLine({ event: "verdict", verdict: null, why }) : `No verdict: ${why}.\n`,
    );
    return;
  }
  const reading = served.judge(judge.crawl, judge.rules);
  if (!reading.ok) throw new CrawlError("USAGE_BAD_FLAG_VALUE", reading.mistakes.join("; "));
  const { verdict } = reading;
  terminal.out(isJson ? jsonLine({ event: "verdict", verdict }) : verdictText(verdict));
}

function listeningText(
  served: ServedWeb<GeneratedWeb>,
  { profileName, seed }: SimwebArguments,
  { colour, environment }: Terminal,
): string {
  const { port, dnsPort, controlPort, web } = served;
  const [first = ""] = web.seeds();
  const names = `--set 'dns.servers=[127.0.0.1:${dnsPort}]' --allow-private`;
  return `A ${profileName} web (seed ${seed}): ${web.hostCount} hosts, ${pagesOf(served)} URLs.

${bold("Listening", colour)}, on this machine only
  web      127.0.0.0/8 and ::1, port ${port}
  names    127.0.0.1:${dnsPort}
  control  http://127.0.0.1:${controlPort}/

${bold("To crawl it", colour)}
  ${programName(environment)} crawl ${first} --scope any ${names}
${bold("To look at it", colour)}
  curl --resolve '${resolveRule(first, web)}' ${first}
${bold("The verdict so far", colour)}
  curl 'http://127.0.0.1:${controlPort}/verdict?text'

Ctrl-C ends it and tells the verdict.
`;
}

/** For clients that can be told an address: host, port and address of a seed. */
function resolveRule(seed: string, web: GeneratedWeb): string {
  const { hostname, port } = new URL(seed);
  const [address = "127.0.0.1"] = web.hostNamed(hostname)?.addresses ?? [];
  return `${hostname}:${port}:${address}`;
}

function listeningJson(
  served: ServedWeb<GeneratedWeb>,
  { profileName, seed }: SimwebArguments,
): string {
  const { port, dnsPort, controlPort, web } = served;
  const about = { profile: profileName, seed, hosts: web.hostCount, urls: pagesOf(served) };
  return jsonLine({ event: "listening", port, dnsPort, controlPort, ...about, seeds: web.seeds() });
}

function pagesOf({ web }: ServedWeb<GeneratedWeb>): number {
  return web.model.hosts.pageCount;
}

function jsonLine(entry: unknown): string {
  return `${JSON.stringify(entry)}\n`;
}
