/**
 * Every command of Trobar in one table, including those to come, so that help, suggestions and the
 * answer to a command that is not built yet use the same names. What runs them is in `run.ts`.
 */

import { SIMWEB_FLAGS } from "../demo/simweb-flags.ts";
import { SIMULATE_FLAGS } from "../simulate/simulate-flags.ts";
import {
  CONTROL_FLAGS,
  HOSTS_FLAGS,
  PEERS_FLAGS,
  PEERS_TOKEN_FLAGS,
  RETRY_FLAGS,
  STATUS_FLAGS,
  STOP_FLAGS,
} from "./control-flags.ts";
import {
  AGENT_COMMAND_FLAGS,
  AGENT_FLAGS,
  CRAWL_FLAGS,
  DEMO_FLAGS,
  DOCTOR_FLAGS,
  type Flag,
  INSPECT_FILTER_FLAGS,
  INSPECT_LINKS_FLAGS,
  INSPECT_ROBOTS_FLAGS,
  INSPECT_TOPOLOGY_FLAGS,
  INSPECT_URL_FLAGS,
  STORE_EXPORT_FLAGS,
} from "./flag-table.ts";
import {
  STORE_GET_FLAGS,
  STORE_LINKS_FLAGS,
  STORE_LIST_FLAGS,
  STORE_STATS_FLAGS,
  STORE_STREAM_FLAGS,
  STORE_VERIFY_FLAGS,
} from "./store-flags.ts";

export interface Command {
  /** One or two words. */
  readonly name: string;
  /** What follows the name. */
  readonly usage: string;
  /** What a word of the usage may be. */
  readonly choices?: string;
  readonly summary: string;
  readonly example: string;
  readonly flags: readonly Flag[];
  /** Whether it is part of this version. */
  readonly built: boolean;
}

/** The commands that people need first come first. */
export const COMMANDS: readonly Command[] = [
  {
    name: "crawl",
    usage: "[SEED...]",
    choices:
      "Pages are kept in WARC files; --set store.kind=jsonl, or a module of your own, keeps them " +
      "elsewhere: docs/stores.md. All keys for --set: docs/configuration.md.",
    summary: "crawl a site, or the web, from these seeds",
    example: "trobar crawl https://example.org/ -n 1000",
    flags: CRAWL_FLAGS,
    built: true,
  },
  {
    name: "demo",
    usage: "",
    summary: "see it work on a synthetic web, in half a minute",
    example: "trobar demo",
    flags: DEMO_FLAGS,
    built: true,
  },
  {
    name: "agent",
    usage: "[SEED...]",
    choices:
      "The first agent is given seeds and the settings of the crawl; the others join it and take " +
      "them over. All of a cluster: docs/cluster.md.",
    summary: "crawl as one of several agents that share the work",
    example: "trobar agent --join 127.0.0.1:4223 -o second",
    flags: AGENT_COMMAND_FLAGS,
    built: true,
  },
  {
    name: "doctor",
    usage: "[SEED...] [-o DIR]",
    summary: "say whether this machine is fit for a crawl, and what would go wrong",
    example: "trobar doctor -o /data/crawl --set fetch.concurrency=2000",
    flags: DOCTOR_FLAGS,
    built: true,
  },
  {
    name: "inspect config",
    usage: "[SEED...] [all flags of crawl and agent]",
    summary: "show what a crawl would use, and where each value comes from",
    example: "trobar inspect config --delay 2s --set fetch.retries=5 https://example.org/",
    flags: [...CRAWL_FLAGS, ...AGENT_FLAGS],
    built: true,
  },
  {
    name: "inspect filter",
    usage: "EXPR URL... | -",
    summary: "show how a filter or glob is understood and what it accepts",
    example: "trobar inspect filter 'HostEndsWith(.org)' https://example.org/",
    flags: INSPECT_FILTER_FLAGS,
    built: true,
  },
  {
    name: "inspect url",
    usage: "URL... | - [--base B]",
    summary: "show what is sent for a URL and what it is compared by",
    example: "trobar inspect url HTTP://Example.org:80/a/../b",
    flags: INSPECT_URL_FLAGS,
    built: true,
  },
  {
    name: "inspect links",
    usage: "URL | FILE --base B",
    summary: "fetch a page and show its links as the crawler sees them",
    example: "trobar inspect links https://example.org/",
    flags: INSPECT_LINKS_FLAGS,
    built: true,
  },
  {
    name: "inspect robots",
    usage: "[FILE] [--agent A] URL... | -",
    summary: "fetch a robots.txt and show what it allows, and which rule says so",
    example: "trobar inspect robots https://example.org/private",
    flags: INSPECT_ROBOTS_FLAGS,
    built: true,
  },
  {
    name: "inspect topology",
    usage: "[FILE] [--format F]",
    summary: "check a topology, the crawler's unless given, and draw its graph",
    example: "trobar inspect topology topology.yaml --format svg > topology.svg",
    flags: INSPECT_TOPOLOGY_FLAGS,
    built: true,
  },
  {
    name: "store export",
    usage: "FORMAT [-o DIR] [--to FILE|DIR|-]",
    choices: "FORMAT is cdxj, csv, graph, jsonl, markdown, parquet, site, wacz, wat, wet or words.",
    summary: "write what a crawl has kept in another form",
    example: "trobar store export jsonl -o crawl-example.org --to pages.jsonl",
    flags: STORE_EXPORT_FLAGS,
    built: true,
  },
  {
    name: "store get",
    usage: "URL... | -i FILE|- [--headers] [--raw]",
    summary: "write the body of a page to standard output",
    example: "trobar store get https://example.org/ > page.html",
    flags: STORE_GET_FLAGS,
    built: true,
  },
  {
    name: "store list",
    usage: "[-o DIR] [--filter F] [--format F]",
    summary: "list the pages of a crawl, running or not",
    example: "trobar store list --filter 'StatusIs(404)' --format csv > missing.csv",
    flags: STORE_LIST_FLAGS,
    built: true,
  },
  {
    name: "store stream",
    usage: "[--filter F] [--follow] [--after CURSOR] | -i FILE|-",
    summary: "write pages as they come, with a cursor to go on from",
    example: "trobar store stream --filter 'ContentTypeIs(text/html)' --follow --json",
    flags: STORE_STREAM_FLAGS,
    built: true,
  },
  {
    name: "store links",
    usage: "URL [--in]",
    summary: "list the links of a page, or those that lead to it",
    example: "trobar store links https://example.org/ --in",
    flags: STORE_LINKS_FLAGS,
    built: true,
  },
  {
    name: "store stats",
    usage: "[-o DIR]",
    summary: "count pages, hosts and links, by status, type, language and depth",
    example: "trobar store stats -o crawl-example.org",
    flags: STORE_STATS_FLAGS,
    built: true,
  },
  {
    name: "store verify",
    usage: "[--rebuild] [-o DIR]",
    summary: "check every file of a crawl against every other",
    example: "trobar store verify -o crawl-example.org",
    flags: STORE_VERIFY_FLAGS,
    built: true,
  },
  {
    name: "status",
    usage: "[--watch] [-o DIR]",
    summary: "say how a crawl is doing, and why it waits",
    example: "trobar status --watch",
    flags: STATUS_FLAGS,
    built: true,
  },
  {
    name: "pause",
    usage: "[-o DIR]",
    summary: "let a running crawl begin nothing until it is resumed",
    example: "trobar pause -o crawl-example.org",
    flags: CONTROL_FLAGS,
    built: true,
  },
  {
    name: "resume",
    usage: "[-o DIR]",
    summary: "let a paused crawl go on",
    example: "trobar resume -o crawl-example.org",
    flags: CONTROL_FLAGS,
    built: true,
  },
  {
    name: "stop",
    usage: "[--now] [-o DIR]",
    summary: "end a running crawl so that it can be continued",
    example: "trobar stop -o crawl-example.org",
    flags: STOP_FLAGS,
    built: true,
  },
  {
    name: "seed",
    usage: "URL... [-o DIR]",
    summary: "add seeds to a crawl, running or not",
    example: "trobar seed https://example.org/news -o crawl-example.org",
    flags: CONTROL_FLAGS,
    built: true,
  },
  {
    name: "leave",
    usage: "[-o DIR]",
    summary: "take an agent out of its cluster, after handing over",
    example: "trobar leave -o second",
    flags: CONTROL_FLAGS,
    built: true,
  },
  {
    name: "peers",
    usage: "[--wait N] [-o DIR]",
    summary: "list the agents that share a crawl, and how they stand",
    example: "trobar peers --wait 3 -o second",
    flags: PEERS_FLAGS,
    built: true,
  },
  {
    name: "peers forget",
    usage: "ID [-o DIR]",
    summary: "give up an agent that is dead and will not come back",
    example: "trobar peers forget rack3-a -o second",
    flags: CONTROL_FLAGS,
    built: true,
  },
  {
    name: "peers token",
    usage: "[-o DIR] > FILE",
    summary: "make a token with which agents of other machines can join",
    example: "trobar peers token > join.token",
    flags: PEERS_TOKEN_FLAGS,
    built: true,
  },
  {
    name: "retry",
    usage: "[--where FILTER] [-o DIR]",
    summary: "try failed pages of a crawl again, running or not",
    example: "trobar retry --where 'StatusIs(404)' -o crawl-example.org",
    flags: RETRY_FLAGS,
    built: true,
  },
  {
    name: "set",
    usage: "KEY=VALUE... [-o DIR]",
    choices: "KEY is a key of the configuration, or UNIT.KEY for a setting of a unit.",
    summary: "change settings of a running crawl",
    example: "trobar set politeness.hostDelay=2s limits.pages=5000",
    flags: CONTROL_FLAGS,
    built: true,
  },
  {
    name: "hosts",
    usage: "[-o DIR]",
    summary: "list the hosts of a running crawl and how they stand",
    example: "trobar hosts --sort queued -n 20",
    flags: HOSTS_FLAGS,
    built: true,
  },
  {
    name: "hosts block",
    usage: "HOST [-o DIR]",
    summary: "ask nothing more of a host; what is queued there waits",
    example: "trobar hosts block www.example.org",
    flags: CONTROL_FLAGS,
    built: true,
  },
  {
    name: "hosts unblock",
    usage: "HOST [-o DIR]",
    summary: "let a blocked host be asked again",
    example: "trobar hosts unblock www.example.org",
    flags: CONTROL_FLAGS,
    built: true,
  },
  {
    name: "hosts purge",
    usage: "HOST [-o DIR]",
    summary: "refuse all that is queued at a host",
    example: "trobar hosts purge calendar.example.org",
    flags: CONTROL_FLAGS,
    built: true,
  },
  {
    name: "explain",
    usage: "URL [-o DIR]",
    summary: "say what became of a URL and why, or what the rules would say",
    example: "trobar explain https://example.org/private/x",
    flags: CONTROL_FLAGS,
    built: true,
  },
  {
    name: "simweb",
    usage: "",
    summary: "serve a synthetic web on loopback, and judge its crawler",
    example: "trobar simweb --profile hostile --seed 7 --pages 5k --feature robots.delay=0.3",
    flags: SIMWEB_FLAGS,
    built: true,
  },
  {
    name: "simulate",
    usage: "[--faults MIX,…]",
    summary: "try the cluster's protocol under faults, in virtual time",
    example: "trobar simulate --faults join,disks --seed 412 --runs 100",
    flags: SIMULATE_FLAGS,
    built: true,
  },
  {
    name: "help",
    usage: "[COMMAND]",
    summary: "show help, for everything or for one command",
    example: "trobar help inspect config",
    flags: [],
    built: true,
  },
  toCome("master", "", "coordinate the agents of master–worker mode", {
    example: "trobar master --set assignment.database=sqlite",
    flags: CRAWL_FLAGS,
  }),
  toCome("report", "DIR", "write an HTML report of a crawl", {
    example: "trobar report crawl-example.org",
    flags: [],
  }),
];

function toCome(
  name: string,
  usage: string,
  summary: string,
  rest: { readonly example: string; readonly flags: readonly Flag[] },
): Command {
  return { name, usage, summary, ...rest, built: false };
}
