/** A verdict in words, for people. Everything in it that came over the wire is made safe to print. */
import { printable } from "../../../base/text/index.ts";
import type { SinReport } from "./sin.ts";
import type { Verdict } from "./verdict.ts";

export function verdictText(verdict: Verdict): string {
  const { pages, fetches, visits, order } = verdict;
  const lines = [
    verdict.clean ? "Verdict: clean." : `Verdict: ${sinCount(verdict.sins)}.`,
    `  coverage  ${ratio(verdict.coverage)} (${pages.covered} of ${pages.due} pages due)`,
    `  overlap   ${ratio(verdict.overlap)} (${fetches.again} needless fetches)`,
    `  fetches   ${fetches.all}: ${fetches.first} first, ${fetches.retries} retries, ` +
      `${fetches.again} again, ${fetches.forbidden} forbidden; ${fetches.robots} of robots.txt`,
    `  gaps      per host ${gap(visits.smallestHostGapMs)}, ` +
      `per address ${gap(visits.smallestAddressGapMs)}`,
    `  at once   per host ${visits.hostFetchesAtOnceMax}, ` +
      `per address ${visits.addressFetchesAtOnceMax} ` +
      `(connections ${visits.connectionsAtOnceMax})`,
    `  order     by depth ${ratio(order.byDepth)}, within hosts ` +
      `${ratio(order.byDepthWithinHosts)}, by in-links ${ratio(order.byInLinks)}`,
    `  agents    ${Object.keys(verdict.userAgents).map(printable).join("; ") || "none"}`,
    ...(verdict.unlogged > 0 ? [`  unlogged  ${verdict.unlogged} requests: the log is full`] : []),
    ...verdict.sins.flatMap(sinLines),
  ];
  return `${lines.join("\n")}\n`;
}

export function sinLines({ sin, meaning, count, examples }: SinReport): string[] {
  const rest = count - examples.length;
  return [
    `  ✗ ${sin} (${count}): ${meaning}`,
    ...examples.map(({ what, detail }) => `      ${printable(what)}: ${printable(detail)}`),
    ...(rest > 0 ? [`      and ${rest} more`] : []),
  ];
}

function sinCount(sins: readonly SinReport[]): string {
  const acts = sins.reduce((sum, { count }) => sum + count, 0);
  return `${sins.length} ${sins.length === 1 ? "kind" : "kinds"} of sin, ${acts} in all`;
}

function ratio(value: number | null): string {
  return value === null ? "–" : value.toFixed(4);
}

function gap(ms: number | null): string {
  return ms === null ? "–" : `${ms.toFixed(1)} ms`;
}
