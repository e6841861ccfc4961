/** Choices that a command refuses: what this version cannot do yet, and what only agents of a cluster use. */
import { refusedKeys } from "../../agent/index.ts";
import { CrawlError } from "../../base/errors/index.ts";
import { version } from "../../base/package/index.ts";
import { printable } from "../../base/text/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { describeLocation } from "../../rules/settings/index.ts";
import type { CrawlArguments } from "./crawl-arguments.ts";

/** Refuses all of it at once, rather than ignoring any of it. */
export function refuseUnbuilt(
  given: CrawlArguments,
  configuration: Configuration,
  { isAgent }: { readonly isAgent: boolean },
): void {
  const flags = ["dashboard", "master"].filter((flag) => given.has(flag));
  const placed = (key: string): string => {
    const location = given.locations.get(key);
    return location === undefined ? key : `${key} (${describeLocation(location)})`;
  };
  const keys = refusedKeys(configuration);
  const unbuilt = [
    ...flags.map((flag) => `--${flag}`),
    ...keys.unbuilt
      .filter((key) => !(key === "assignment.kind" && given.has("master")))
      .map(placed),
  ];
  const foreign = isAgent ? [] : keys.ofAgents.map(placed);
  if (unbuilt.length + foreign.length === 0) return;
  const lines = [
    ...(unbuilt.length === 0
      ? []
      : [`Not part of this version (${version()}) yet: ${listed(unbuilt)}.`]),
    ...(foreign.length === 0
      ? []
      : [`Only agents of a cluster, which \`trobar agent\` starts, use ${listed(foreign)}.`]),
    "Leave it out; what works today is in the README.",
  ];
  const code = unbuilt.length === 0 ? "CONFIG_AGENT_KEY" : "USAGE_NOT_BUILT";
  throw new CrawlError(code, lines.join("\n"));
}

function listed(names: readonly string[]): string {
  return names.map(printable).join(", ");
}
