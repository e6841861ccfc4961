/**
 * What the command line of an agent says, beside that of a crawl: whether it founds a crawl or joins one,
 * and in which directory it lives.
 */
import { join } from "node:path";
import { CrawlError } from "../../base/errors/index.ts";
import { type Configuration, givenAgain } from "../../rules/config/index.ts";
import { type ConfigMistake, configError, mistakeOf } from "../../rules/settings/index.ts";
import { CrawlDirectory } from "../../store/directory/index.ts";
import { folderFor } from "../crawl/crawl.ts";
import { type CrawlArguments, readCrawlArguments } from "../crawl/crawl-arguments.ts";
import { flagsOf } from "../shell/command-words.ts";
import type { Terminal } from "../shell/terminal.ts";

export interface AgentArguments extends CrawlArguments {
  readonly configuration: Configuration;
  /** How many agents are to be there before a crawl that it founds begins. */
  readonly expect: number;
}

const AGENTS_MAX = 1000;

/** Throws all mistakes together. */
export function readAgentArguments(args: readonly string[], terminal: Terminal): AgentArguments {
  const given = readCrawlArguments(args, flagsOf("agent"), terminal);
  const { expect, mistakes } = expectedAgents(given);
  const { configuration } = given;
  if (configuration === null || mistakes.length > 0) {
    throw configError([...given.mistakes, ...mistakes], given.omitted);
  }
  return { ...given, configuration, expect };
}

function expectedAgents(given: CrawlArguments): {
  readonly expect: number;
  readonly mistakes: readonly ConfigMistake[];
} {
  const text = given.text("expect");
  if (text === null) return { expect: 1, mistakes: [] };
  const expect = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (expect >= 1 && expect <= AGENTS_MAX) return { expect, mistakes: [] };
  const mistake = mistakeOf({
    code: "USAGE_BAD_FLAG_VALUE",
    location: { kind: "flag", flag: "--expect", ordinal: null },
    value: text,
    problem: `is not a number of agents: 1 to ${AGENTS_MAX}`,
  });
  return { expect, mistakes: [mistake] };
}

/** With what its directory has recorded of this agent's own keys, where it is not given them again. */
export function withRecorded(given: AgentArguments, folder: string): AgentArguments {
  const recorded = CrawlDirectory.configurationOf(folder);
  const path = join(folder, "config.yaml");
  return {
    ...given,
    ...givenAgain(given, recorded, { kind: "file", path, line: null, column: null }),
  };
}

/**
 * The directory that was named, or else one by the first seed, the id, or no name at all. What the agent
 * joins does not count, so that a founder finds its directory again when it is told whom to join.
 */
export function agentFolder(
  named: string | null,
  seeds: readonly string[],
  { cluster }: Configuration,
): string {
  const [seed] = seeds;
  return named ?? (seed === undefined ? `crawl-${cluster.id ?? "agent"}` : folderFor(seed));
}

export interface AgentPlace {
  readonly folder: string;
  readonly configuration: Configuration;
  readonly seeds: readonly string[];
  /** Whether there is a crawl in the directory with which it goes on. */
  readonly isKnown: boolean;
  /** Whether it waits for seeds. */
  readonly stays: boolean;
}

/**
 * Whether it begins a crawl, if its directory has none: whoever joins nobody, and over existing servers
 * whoever is given seeds. Throws `USAGE_NO_SEEDS` where it could do neither.
 */
export function isFounder({ configuration, seeds, isKnown, stays }: AgentPlace): boolean {
  const { join, nats } = configuration.cluster;
  if (join.length > 0) return false;
  const hasWork = seeds.length > 0;
  if (nats.length > 0) return hasWork;
  if (!hasWork && !isKnown && !stays) throw nothingToDo();
  return hasWork || stays;
}

function nothingToDo(): CrawlError {
  return new CrawlError(
    "USAGE_NO_SEEDS",
    "Nothing to crawl: the agent has no seed, nobody to join, and no crawl in its directory to go on with. " +
      "Give the first agent seeds, such as `trobar agent https://example.org/`, and let the others join it " +
      "with `--join HOST:PORT`, which its terminal shows; or let it wait for seeds with --stay.",
  );
}
