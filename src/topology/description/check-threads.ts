/**
 * Checks what a topology says about threads: their names; that connectors whose ends are on different
 * threads can carry their items from one to another; that providers which exist once are used only where
 * they exist, and use none that each thread has its own of.
 */
import type { MistakeList } from "../../rules/settings/index.ts";
import type { ItemType } from "../items/index.ts";
import { addMistake, nameShown } from "./add-mistake.ts";
import type { ConnectorKind } from "./library.ts";
import type {
  ComponentDescription,
  ConnectorDescription,
  ProviderDescription,
  TopologyDescription,
  Written,
} from "./topology-description.ts";

/** A connector of the topology whose kind and type are known. */
export interface KnownConnector {
  readonly described: ConnectorDescription;
  readonly kind: ConnectorKind;
  readonly type: ItemType<unknown>;
}

const THREAD_NAME = /^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,63}$/u;

interface Checked {
  readonly described: TopologyDescription;
  readonly connectors: ReadonlyMap<string, KnownConnector>;
}

type Providers = Readonly<Record<"shared" | "providers", readonly ProviderDescription[]>>;

export function checkThreads({ described, connectors }: Checked, mistakes: MistakeList): void {
  const { components, providers } = described;
  for (const { thread } of components) {
    if (thread !== null) checkName(thread, mistakes);
  }
  const threadsAt = threadsByConnector(components);
  for (const [id, connector] of connectors) {
    const threads = threadsAt.get(id);
    if (threads !== undefined && threads.size > 1) checkJoining(connector, threads, mistakes);
  }
  const shared = providers.filter((one) => isShared(one, mistakes));
  for (const one of components) checkShared(one, { shared, providers }, mistakes);
  for (const one of shared) checkUses(one, { shared, providers }, mistakes);
}

function checkName({ text, location }: Written, mistakes: MistakeList): void {
  if (THREAD_NAME.test(text)) return;
  addMistake(mistakes, {
    ...{ code: "CONFIG_BAD_VALUE", location, key: "thread", value: text },
    problem: "is not a name of a thread",
    legal: "letters, digits, `.`, `_` and `-`, 64 at most, a letter or digit first",
  });
}

/** Names of the threads on which its components are; `""` is the thread of the topology. */
function threadsByConnector(
  components: readonly ComponentDescription[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const threads = new Map<string, Set<string>>();
  for (const { inputs, outputs, thread } of components) {
    for (const { id } of [...inputs, ...outputs]) {
      const known = threads.get(id.text) ?? new Set();
      threads.set(id.text, known.add(thread?.text ?? ""));
    }
  }
  return threads;
}

function checkJoining(
  { described, kind, type }: KnownConnector,
  threads: ReadonlySet<string>,
  mistakes: MistakeList,
): void {
  const { text: key, location } = described.id;
  const names = Array.from(threads, (name) => (name === "" ? "that of the topology" : name));
  const joined = `its components are on several threads: ${names.join(", ")}`;
  const refuse = (problem: string): void =>
    addMistake(mistakes, { code: "TOPOLOGY_TYPE", location, key, problem });
  if (kind.joinsThreads !== true) {
    refuse(`is a ${kind.name} connector, whose components must be on one thread, but ${joined}`);
  } else if (type.codec === null) {
    refuse(`carries ${type.name}, of which items do not leave their thread, but ${joined}`);
  }
}

function isShared({ id, shared = null }: ProviderDescription, mistakes: MistakeList): boolean {
  if (shared === null || shared.text === "true" || shared.text === "false") {
    return shared?.text === "true";
  }
  addMistake(mistakes, {
    ...{ code: "CONFIG_BAD_VALUE", location: shared.location, key: "shared", value: shared.text },
    problem: `does not say whether ${nameShown(id.text)} is shared`,
    legal: "true, false",
  });
  return false;
}

function checkUses(
  { id, providers: bound }: ProviderDescription,
  { shared, providers }: Providers,
  mistakes: MistakeList,
): void {
  for (const { id: used } of bound) {
    const isUsed = (one: ProviderDescription): boolean => one.id.text === used.text;
    if (!providers.some(isUsed) || shared.some(isUsed)) continue;
    const name = nameShown(used.text);
    const problem =
      `is shared and uses the provider ${name}, which is not: there may be several of that; mark ` +
      `${name} with \`shared: true\` too, or do not share ${nameShown(id.text)}`;
    addMistake(mistakes, {
      ...{ code: "TOPOLOGY_BINDING", location: used.location, key: id.text, problem },
    });
  }
}

function checkShared(
  { id, thread, providers: bound }: ComponentDescription,
  all: Providers,
  mistakes: MistakeList,
): void {
  if (thread === null) return;
  const used = usedBy(
    bound.map((one) => one.id.text),
    all.providers,
  );
  for (const { id: provider } of all.shared) {
    if (!used.has(provider.text)) continue;
    const problem =
      `on the thread ${thread.text} uses the provider ${nameShown(provider.text)}, which is shared and ` +
      "lives on the thread of the topology";
    addMistake(mistakes, {
      code: "TOPOLOGY_BINDING",
      location: id.location,
      key: id.text,
      problem,
    });
  }
}

/** These providers, and those that they use. */
function usedBy(ids: readonly string[], providers: readonly ProviderDescription[]): Set<string> {
  const used = new Set(ids);
  // It grows while it is walked.
  for (const id of used) {
    const found = providers.find((one) => one.id.text === id);
    for (const one of found?.providers ?? []) used.add(one.id.text);
  }
  return used;
}
