/**
 * Which lanes a topology needs. A connector whose components are on several threads has a *home*: the
 * thread where its items wait. Producers elsewhere send to the home, each thread by a lane of its own;
 * for consumers elsewhere the home sends on. The home is where the consumers are; if they are on several
 * threads too, it is the thread of the topology, or the first of theirs.
 *
 * The capacity is divided: among threads that have producers, and, where the home sends on, one half for
 * what waits at home and one for what is on the way from there. A share is at least one item.
 *
 * The plan depends on the wiring alone, so every thread makes the same.
 */
import type { ComponentWiring, ConnectorWiring, Wiring } from "../runtime/index.ts";

/** The thread of the topology, which has no name. */
export const OWN_THREAD = "";

/** A way from one thread to another, for the items of one connector. */
export interface Lane {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly capacity: number;
}

export interface LanePlan {
  readonly home: string;
  /** From threads with producers to the home. */
  readonly toHome: readonly Lane[];
  /** What producers at home may have inside; 0 if there are none. */
  readonly ownShare: number;
  /** From the home to other threads with consumers. */
  readonly fromHome: readonly Lane[];
  /** What may wait at home: the shares of all producers. */
  readonly homeCapacity: number;
}

export function threadOf({ thread = OWN_THREAD }: ComponentWiring): string {
  return thread;
}

/** By the id of the connector, for those that join threads. */
export function planLanes({ connectors, components }: Wiring): ReadonlyMap<string, LanePlan> {
  const plans = new Map<string, LanePlan>();
  const [producers, consumers] = [
    threadsOn(components, "outputs"),
    threadsOn(components, "inputs"),
  ];
  for (const connector of connectors) {
    const producing = [...(producers.get(connector.id) ?? [])];
    const consuming = [...(consumers.get(connector.id) ?? [])];
    if (new Set([...producing, ...consuming]).size < 2) continue;
    plans.set(connector.id, planOf(connector, producing, consuming));
  }
  return plans;
}

/** The threads of those components that have a connector on this side, by its id. */
function threadsOn(
  components: readonly ComponentWiring[],
  side: "inputs" | "outputs",
): ReadonlyMap<string, ReadonlySet<string>> {
  const threads = new Map<string, Set<string>>();
  for (const one of components) {
    for (const id of Object.values(one[side] ?? {})) {
      threads.set(id, (threads.get(id) ?? new Set()).add(threadOf(one)));
    }
  }
  return threads;
}

/** The same lanes for another capacity. */
export function resized(plan: LanePlan, capacity: number): LanePlan {
  const producing = plan.toHome.length + (plan.ownShare > 0 ? 1 : 0);
  const { share, onward } = sharesOf(capacity, producing, plan.fromHome.length);
  return {
    home: plan.home,
    toHome: plan.toHome.map((lane) => ({ ...lane, capacity: share })),
    ownShare: plan.ownShare > 0 ? share : 0,
    fromHome: plan.fromHome.map((lane) => ({ ...lane, capacity: onward })),
    homeCapacity: share * Math.max(1, producing),
  };
}

/** Names of all threads at which it is, the home first. */
export function threadsAt({ home, toHome, fromHome }: LanePlan): string[] {
  return [...new Set([home, ...toHome.map(({ from }) => from), ...fromHome.map(({ to }) => to)])];
}

function planOf(
  { id, across }: ConnectorWiring,
  producing: readonly string[],
  consuming: readonly string[],
): LanePlan {
  const home = homeOf(producing, consuming);
  const away = consuming.filter((thread) => thread !== home);
  const { share, onward } = sharesOf(across?.capacity ?? 1, producing.length, away.length);
  const senders = producing.filter((thread) => thread !== home);
  return {
    home,
    toHome: senders.map((from) => ({ name: `${id}<${from}`, from, to: home, capacity: share })),
    ownShare: producing.includes(home) ? share : 0,
    fromHome: away.map((to) => ({ name: `${id}>${to}`, from: home, to, capacity: onward })),
    homeCapacity: share * Math.max(1, producing.length),
  };
}

function sharesOf(
  capacity: number,
  producing: number,
  away: number,
): { readonly share: number; readonly onward: number } {
  const atHome = away === 0 ? capacity : Math.ceil(capacity / 2);
  return { share: shareOf(atHome, producing), onward: shareOf(capacity - atHome, away) };
}

function homeOf(producing: readonly string[], consuming: readonly string[]): string {
  const [first = OWN_THREAD, ...others] = consuming;
  if (others.length === 0) return first;
  return [...consuming, ...producing].includes(OWN_THREAD) ? OWN_THREAD : first;
}

function shareOf(capacity: number, among: number): number {
  return Math.max(1, Math.floor(capacity / Math.max(1, among)));
}
