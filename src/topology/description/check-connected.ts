/**
 * Checks how the parts of a topology hang together: every connector has a producer and a consumer, or
 * the ends that its kind needs, and no provider uses itself in a circle.
 */
import type { MistakeList } from "../../rules/settings/index.ts";
import { orderOfUse } from "../runtime/index.ts";
import { addMistake } from "./add-mistake.ts";
import type { KnownConnector } from "./check-threads.ts";
import type { TopologyDescription, Written } from "./topology-description.ts";

interface Checked {
  readonly described: TopologyDescription;
  readonly connectors: ReadonlyMap<string, KnownConnector>;
  /** The settings of connectors, by id. */
  readonly built: ReadonlyMap<string, object>;
}

export function checkConnected(
  { described, connectors, built }: Checked,
  mistakes: MistakeList,
): void {
  // As they were written, so that a component with a mistake does not seem to be missing.
  const { components } = described;
  const idsAt = (side: "inputs" | "outputs") =>
    new Set(components.flatMap((one) => one[side].map(({ id }) => id.text)));
  const [taken, filled] = [idsAt("inputs"), idsAt("outputs")];
  for (const [id, known] of connectors) {
    const ends = { isFilled: filled.has(id), isTaken: taken.has(id) };
    for (const problem of problemsOf(known, built.get(id), ends)) {
      refuseBinding(known.described.id, problem, mistakes);
    }
  }
}

function problemsOf(
  { kind }: KnownConnector,
  settings: object | undefined,
  ends: { readonly isFilled: boolean; readonly isTaken: boolean },
): string[] {
  const { isFilled, isTaken } = ends;
  const own = settings === undefined ? null : (kind.problemOf?.(settings, ends) ?? null);
  const isEnough = kind.isOneEnded === true && (isFilled || isTaken);
  const missing = [
    ...(isFilled || isEnough ? [] : ["puts items into it"]),
    ...(isTaken || isEnough ? [] : ["takes items out of it"]),
  ];
  return [
    ...(own === null ? [] : [own]),
    ...missing.map((what) => `is not connected: no component ${what}`),
  ];
}

export function checkCircle({ providers }: TopologyDescription, mistakes: MistakeList): void {
  const uses = providers.map((one): [string, string[]] => {
    return [one.id.text, one.providers.map(({ id }) => id.text)];
  });
  const { circle } = orderOfUse(new Map(uses));
  const first = providers.find(({ id }) => id.text === circle?.[0])?.id;
  if (circle === null || first === undefined) return;
  const { text: key, location } = first;
  const problem = `uses itself in a circle of providers: ${[...circle, key].join(" → ")}`;
  addMistake(mistakes, { code: "TOPOLOGY_CIRCLE", location, key, problem });
}

function refuseBinding({ text, location }: Written, problem: string, mistakes: MistakeList): void {
  addMistake(mistakes, { code: "TOPOLOGY_BINDING", location, key: text, problem });
}
