/**
 * Runs one component by itself, for tests of its author: with items for its inputs, settings, and
 * objects in place of its providers. It is run as in any topology, with a connector at each end, until it
 * has finished.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Clock } from "../../base/seams/index.ts";
import type { Reading } from "../../base/telemetry/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { LocalConnector } from "../connector/index.ts";
import type { ItemType } from "../items/index.ts";
import { type ComponentWiring, System, type Wiring } from "../runtime/index.ts";
import { type ComponentDefinition, provider, providerRole, sink, source } from "../unit/index.ts";
import { stalled, whenStalled } from "./stall.ts";

export interface Trial {
  /** Items by the role of an input, in their order; none for those left out. */
  readonly inputs?: Readonly<Record<string, readonly unknown[]>>;
  /** Values by key; a key inside a group is written with a dot: `cache.size`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Services by the role that the unit gives them. */
  readonly providers?: Readonly<Record<string, unknown>>;
  /** The machine's unless given. */
  readonly clock?: Clock;
}

export interface TrialResult {
  /** Items by the role of an output, in their order. */
  readonly outputs: Readonly<Record<string, readonly unknown[]>>;
  /** What went wrong with single items. */
  readonly errors: readonly CrawlError[];
  readonly metrics: Readonly<Record<string, Reading>>;
}

const TRIED = "tried";
const CAPACITY = 64;

/**
 * Resolves when the component has finished: its inputs are used up, or it said so. Rejected with
 * `TOPOLOGY_STALLED` if nothing is left that could happen before that.
 */
export async function tryUnit(
  definition: ComponentDefinition,
  { inputs = {}, settings = {}, providers = {}, clock = new SystemClock() }: Trial = {},
): Promise<TrialResult> {
  const outputs: Record<string, unknown[]> = {};
  const errors: CrawlError[] = [];
  const wiring: Wiring = {
    providers: Object.entries(providers).map(([role, service]) => providing(role, service)),
    connectors: [
      ...connectorsOf("input", definition.inputs),
      ...connectorsOf("output", definition.outputs),
    ],
    components: [
      {
        ...{ id: TRIED, definition, settings: new Map(Object.entries(settings)) },
        inputs: idsOf("input", Object.keys(definition.inputs)),
        outputs: idsOf("output", Object.keys(definition.outputs)),
        providers: idsOf("provider", Object.keys(definition.providers)),
      },
      ...Object.entries(definition.inputs).map(([role, type]) =>
        emitting(role, type, inputs[role] ?? []),
      ),
      ...Object.entries(definition.outputs).map(([role, type]) => {
        const into: unknown[] = [];
        outputs[role] = into;
        return collecting(role, type, into);
      }),
    ],
  };
  const over = Promise.withResolvers<void>();
  const system = new System({
    clock,
    report: (error) => errors.push(error),
    failed: over.reject,
    finished: over.resolve,
  });
  await system.open(wiring);
  const endWatch = whenStalled(() => {
    over.reject(stalled(system.units()));
    system.halt(false);
  });
  try {
    system.start();
    await over.promise;
    const metrics = system.units().find(({ id }) => id === TRIED)?.metrics ?? {};
    return { outputs, errors, metrics };
  } finally {
    endWatch();
    await system.close();
  }
}

type Ends = Readonly<Record<string, ItemType<unknown>>>;

function connectorsOf(end: string, types: Ends): Wiring["connectors"] {
  return Object.entries(types).map(([role, type]) => ({
    id: `${end} ${role}`,
    open: () => new LocalConnector(type, { capacity: CAPACITY }),
  }));
}

function idsOf(end: string, roles: readonly string[]): Record<string, string> {
  return Object.fromEntries(roles.map((role) => [role, `${end} ${role}`]));
}

function providing(role: string, service: unknown): Wiring["providers"][number] {
  const provides = providerRole<unknown>(role);
  const definition = provider({ name: role, provides, create: () => ({ service }) });
  return { id: `provider ${role}`, definition };
}

function emitting(
  role: string,
  type: ItemType<unknown>,
  items: readonly unknown[],
): ComponentWiring {
  const definition = source({
    name: `items of ${role}`,
    output: type,
    create(unit) {
      const left = items.values();
      return {
        pull(countMax, emit) {
          for (let count = 0; count < countMax; count += 1) {
            const next = left.next();
            if (next.done === true) {
              unit.finish();
              return false;
            }
            emit(next.value);
          }
          return true;
        },
      };
    },
  });
  return { id: `items of ${role}`, definition, outputs: { output: `input ${role}` } };
}

function collecting(role: string, type: ItemType<unknown>, into: unknown[]): ComponentWiring {
  const definition = sink({
    name: `items from ${role}`,
    input: type,
    create: () => (item) => void into.push(item),
  });
  return { id: `items from ${role}`, definition, inputs: { input: `output ${role}` } };
}
