/**
 * Where the topology of a crawl fetches, and whether that makes sense: a crawl fetches itself or has it
 * done, and the parts of the hosts that its remote downloaders take are all there, once each, from one
 * connector that gives every visit to each of them.
 */
import { CrawlError } from "../../base/errors/index.ts";
import { quoted } from "../../base/text/index.ts";
import type { LoadedTopology } from "../../topology/description/index.ts";
import type { ComponentWiring } from "../../topology/runtime/index.ts";
import type { ComponentDefinition } from "../../topology/unit/index.ts";
import type { Fetching } from "../crawl/network/fetching.ts";
import { ANSWERS } from "../units/answers.ts";
import { DOWNLOADER } from "../units/downloader.ts";
import { REMOTE_DOWNLOADER } from "../units/remote-downloader.ts";
import { REQUESTS } from "../units/requests.ts";

/** Throws `TOPOLOGY_INVALID` with every mistake. */
export function fetchingOf({ wiring, description }: LoadedTopology, file: string): Fetching {
  const those = (wanted: ComponentDefinition): ComponentWiring[] =>
    wiring.components.filter(({ definition }) => definition === wanted);
  const [remote, asked] = [those(REMOTE_DOWNLOADER), those(REQUESTS)];
  const mistakes = [
    ...mistakesOfParts(remote, (id) => isTee(description, id)),
    ...mistakesOfAsked(asked.length, those(ANSWERS).length),
  ];
  if (remote.length > 0 && those(DOWNLOADER).length + asked.length > 0) {
    mistakes.push(
      "A crawl either fetches itself or has it done by others: remote-downloader cannot stand beside " +
        "downloader or requests.",
    );
  }
  if (mistakes.length > 0) {
    const message = `${quoted(file)} cannot be a crawl: ${mistakes.join(" ")}`;
    throw new CrawlError("TOPOLOGY_INVALID", message, { mistakes: mistakes.length });
  }
  if (remote.length > 0) return "elsewhere";
  return asked.length > 0 ? "asked" : "here";
}

function mistakesOfAsked(requests: number, answers: number): string[] {
  if (requests === answers && requests <= 1) return [];
  return [
    `It has ${requests} units requests and ${answers} units answers. A process that fetches for another ` +
      "has one of each.",
  ];
}

function isTee({ connectors }: LoadedTopology["description"], id: string): boolean {
  return connectors.some(({ id: { text }, kind }) => text === id && kind?.text === "tee");
}

function mistakesOfParts(
  remote: readonly ComponentWiring[],
  isShared: (connector: string) => boolean,
): string[] {
  const taken = remote.flatMap(({ id, settings, inputs, instances = 1 }) => {
    const { part = 1, parts = 1 } = Object.fromEntries(settings ?? []) as Record<string, number>;
    return Array.from({ length: instances }, () => ({
      id,
      part,
      parts,
      from: inputs?.["input"] ?? "",
    }));
  });
  const mistakes: string[] = [];
  const count = taken.length;
  const isWhole = taken
    .map(({ part, parts }) => (parts === count ? part : 0))
    .sort((one, other) => one - other)
    .every((part, at) => part === at + 1);
  if (!isWhole) {
    const found = taken.map(({ id, part, parts }) => `${id} has ${part} of ${parts}`).join(", ");
    mistakes.push(
      `Its remote downloaders do not share the hosts: ${found}. Give each a part from 1 to ${count}, ` +
        `and ${count} as the number of parts, with one instance each.`,
    );
  }
  const froms = new Set(taken.map(({ from }) => from));
  if (count > 1 && (froms.size > 1 || ![...froms].every(isShared))) {
    mistakes.push(
      "Its remote downloaders must take from one connector of the kind tee, which gives every visit " +
        "to each of them.",
    );
  }
  return mistakes;
}
