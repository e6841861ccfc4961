/**
 * The six kinds of components and the provider, as functions that an author calls with a few lines.
 * The names of the Crawler.NET thesis stand beside ours: source (SimpleProducer), sink
 * (SimpleConsumer), filter (SimpleFilter), join (SynchronousComplexFilter), merge
 * (SemiSynchronousComplexFilter), general (AsynchronousComplexFilter).
 *
 * A function that works on an item may return a promise; the item is then in flight until it settles,
 * and an instance has at most `inFlightMax` of them: one unless said otherwise, and any number for a
 * general component.
 */
import type { MetricDefinitions } from "../../base/telemetry/index.ts";
import type { SchemaTree } from "../../rules/settings/index.ts";
import type { ItemType } from "../items/index.ts";
import type {
  ComponentDefinition,
  ComponentKind,
  Emit,
  EmitsOf,
  Ends,
  ItemOf,
  ItemsOf,
  Taken,
  Work,
  Workplace,
} from "./component.ts";
import { promised } from "./promised.ts";
import type { ProviderDefinition, ProviderRoles, Provision } from "./provider.ts";
import type { Unit } from "./unit.ts";

/** The roles of the ends of units that have only one of each. */
const INPUT = "input";
const OUTPUT = "output";

/** What a definition of any kind may declare. */
export interface Declared<
  Roles extends ProviderRoles,
  Settings extends object,
  Metrics extends MetricDefinitions,
> {
  readonly name: string;
  readonly providers?: Roles;
  readonly settings?: SchemaTree<Settings>;
  readonly metrics?: Metrics;
  readonly inFlightMax?: number;
}

/** A life beside the work itself. */
export interface Life<Last = undefined> {
  handOver?(): unknown;
  /** What it emits here is the last of it, and still goes out. */
  close?(emit: Last): void | Promise<void>;
}

type Maybe<Value> = Value | Promise<Value>;

export interface SourceWork<Item> extends Life<Emit<Item>> {
  /** Emits up to `countMax` items; false if there are none now: `wake` tells when there are. */
  pull(countMax: number, emit: Emit<Item>): boolean | Promise<boolean>;
}

export function source<
  Output,
  Roles extends ProviderRoles = Record<never, never>,
  Settings extends object = Record<never, never>,
  Metrics extends MetricDefinitions = Record<never, never>,
>(
  definition: Declared<Roles, Settings, Metrics> & {
    readonly output: ItemType<Output>;
    create(
      unit: Unit<Roles, Settings, Metrics> & Pick<Workplace, "wake" | "finish">,
      state?: unknown,
    ): Maybe<SourceWork<Output>>;
  },
): ComponentDefinition {
  const { output, create } = definition;
  return define(
    "source",
    definition,
    { inputs: {}, outputs: { [OUTPUT]: output } },
    (unit, state) =>
      after(create(unit as never, state), (work) => {
        const emit = emitOf<Output>(unit);
        refuseWithout(work, "pull");
        return { ...lifeOf(work, emit), pull: (countMax) => work.pull(countMax, emit) };
      }),
  );
}

export interface SinkWork<Item> extends Life {
  take(item: Item): Taken;
}

export function sink<
  Input,
  Roles extends ProviderRoles = Record<never, never>,
  Settings extends object = Record<never, never>,
  Metrics extends MetricDefinitions = Record<never, never>,
>(
  definition: Declared<Roles, Settings, Metrics> & {
    readonly input: ItemType<Input>;
    create(
      unit: Unit<Roles, Settings, Metrics>,
      state?: unknown,
    ): Maybe<((item: Input) => Taken) | SinkWork<Input>>;
  },
): ComponentDefinition {
  const { input, create } = definition;
  return define("sink", definition, { inputs: { [INPUT]: input }, outputs: {} }, (unit, state) =>
    after(create(unit as never, state), (work) => {
      if (typeof work === "function")
        return { take: { [INPUT]: work as (item: unknown) => Taken } };
      refuseWithout(work, "take");
      return { ...lifeOf(work, undefined), take: { [INPUT]: (item) => work.take(item as Input) } };
    }),
  );
}

export interface FilterWork<Input, Output> extends Life<Emit<Output>> {
  take(item: Input, emit: Emit<Output>): Taken;
}

export function filter<
  Input,
  Output,
  Roles extends ProviderRoles = Record<never, never>,
  Settings extends object = Record<never, never>,
  Metrics extends MetricDefinitions = Record<never, never>,
>(
  definition: Declared<Roles, Settings, Metrics> & {
    readonly input: ItemType<Input>;
    readonly output: ItemType<Output>;
    create(
      unit: Unit<Roles, Settings, Metrics>,
      state?: unknown,
    ): Maybe<((item: Input, emit: Emit<Output>) => Taken) | FilterWork<Input, Output>>;
  },
): ComponentDefinition {
  const { input, output, create } = definition;
  return define(
    "filter",
    definition,
    { inputs: { [INPUT]: input }, outputs: { [OUTPUT]: output } },
    (unit, state) =>
      after(create(unit as never, state), (work) => {
        const emit = emitOf<Output>(unit);
        if (typeof work === "function") {
          return { take: { [INPUT]: (item) => work(item as Input, emit) } };
        }
        refuseWithout(work, "take");
        const take = (item: unknown): Taken => work.take(item as Input, emit);
        return { ...lifeOf(work, emit), take: { [INPUT]: take } };
      }),
  );
}

export interface JoinWork<Inputs extends Ends, Outputs extends Ends>
  extends Life<EmitsOf<Outputs>> {
  join(items: ItemsOf<Inputs>, emit: EmitsOf<Outputs>): Taken;
}

/** Runs when every input has an item. */
export function join<
  Inputs extends Ends,
  Outputs extends Ends,
  Roles extends ProviderRoles = Record<never, never>,
  Settings extends object = Record<never, never>,
  Metrics extends MetricDefinitions = Record<never, never>,
>(
  definition: Declared<Roles, Settings, Metrics> & {
    readonly inputs: Inputs;
    readonly outputs: Outputs;
    create(
      unit: Unit<Roles, Settings, Metrics>,
      state?: unknown,
    ): Maybe<JoinWork<Inputs, Outputs>["join"] | JoinWork<Inputs, Outputs>>;
  },
): ComponentDefinition {
  const { inputs, outputs, create } = definition;
  return define("join", definition, { inputs, outputs }, (unit, state) =>
    after(create(unit as never, state), (given) => {
      const work: JoinWork<Inputs, Outputs> = typeof given === "function" ? { join: given } : given;
      const emit = unit.emit as EmitsOf<Outputs>;
      refuseWithout(work, "join");
      return { ...lifeOf(work, emit), join: (items) => work.join(items as ItemsOf<Inputs>, emit) };
    }),
  );
}

/** A function for each input. */
export type Takes<Inputs extends Ends, Outputs extends Ends> = {
  readonly [Role in keyof Inputs]: (item: ItemOf<Inputs[Role]>, emit: EmitsOf<Outputs>) => Taken;
};

export interface MergeWork<Inputs extends Ends, Outputs extends Ends>
  extends Life<EmitsOf<Outputs>> {
  readonly take: Takes<Inputs, Outputs>;
}

/** Runs when any input has an item. */
export function merge<
  Inputs extends Ends,
  Outputs extends Ends,
  Roles extends ProviderRoles = Record<never, never>,
  Settings extends object = Record<never, never>,
  Metrics extends MetricDefinitions = Record<never, never>,
>(
  definition: Declared<Roles, Settings, Metrics> & {
    readonly inputs: Inputs;
    readonly outputs: Outputs;
    create(
      unit: Unit<Roles, Settings, Metrics>,
      state?: unknown,
    ): Maybe<MergeWork<Inputs, Outputs>>;
  },
): ComponentDefinition {
  const { inputs, outputs, create } = definition;
  return define("merge", definition, { inputs, outputs }, (unit, state) =>
    after(create(unit as never, state), (work) => {
      const emit = unit.emit as EmitsOf<Outputs>;
      refuseWithout(work.take, ...Object.keys(inputs));
      return { ...lifeOf(work, emit), take: bound(work.take, emit) };
    }),
  );
}

export type GeneralUnit<
  Outputs extends Ends,
  Roles extends ProviderRoles,
  Settings extends object,
  Metrics extends MetricDefinitions,
> = Unit<Roles, Settings, Metrics> & Omit<Workplace, "emit"> & { readonly emit: EmitsOf<Outputs> };

/**
 * Takes and emits whenever it likes: what it has in its hands outside of calls it announces with
 * `hold` and `letGo`. It is given no more items while something that it emitted waits for room.
 */
export function general<
  Inputs extends Ends,
  Outputs extends Ends,
  Roles extends ProviderRoles = Record<never, never>,
  Settings extends object = Record<never, never>,
  Metrics extends MetricDefinitions = Record<never, never>,
>(
  definition: Declared<Roles, Settings, Metrics> & {
    readonly inputs: Inputs;
    readonly outputs: Outputs;
    create(
      unit: GeneralUnit<Outputs, Roles, Settings, Metrics>,
      state?: unknown,
    ): Maybe<MergeWork<Inputs, Outputs>>;
  },
): ComponentDefinition {
  const { inputs, outputs, create } = definition;
  return define("general", definition, { inputs, outputs }, (unit, state) =>
    after(create(unit as never, state), (work) => {
      const emit = unit.emit as EmitsOf<Outputs>;
      refuseWithout(work.take, ...Object.keys(inputs));
      return { ...lifeOf(work, emit), take: bound(work.take, emit) };
    }),
  );
}

export function provider<
  Service,
  Roles extends ProviderRoles = Record<never, never>,
  Settings extends object = Record<never, never>,
  Metrics extends MetricDefinitions = Record<never, never>,
>(
  definition: Omit<Declared<Roles, Settings, Metrics>, "inFlightMax"> & {
    readonly provides: ProviderDefinition<Service>["provides"];
    readonly fixed?: ProviderDefinition["fixed"];
    readonly mayTakeLong?: boolean;
    create(unit: Unit<Roles, Settings, Metrics>, state?: unknown): Maybe<Provision<Service>>;
  },
): ProviderDefinition {
  const { name, provides, providers = {}, settings = {}, metrics = {}, create } = definition;
  const { fixed = {}, mayTakeLong = false } = definition;
  return {
    ...{ kind: "provider", name, provides, providers, metrics, fixed, mayTakeLong },
    settings: settings as SchemaTree<object>,
    create: (unit, state) => create(unit as never, state),
  };
}

/** A declaration of which the type checker has forgotten the details. */
interface AnyDeclared {
  readonly name: string;
  readonly providers?: ProviderRoles;
  readonly settings?: object;
  readonly metrics?: MetricDefinitions;
  readonly inFlightMax?: number;
}

function define(
  kind: ComponentKind,
  declared: AnyDeclared,
  ends: Pick<ComponentDefinition, "inputs" | "outputs">,
  create: ComponentDefinition["create"],
): ComponentDefinition {
  const { name, providers = {}, settings = {}, metrics = {} } = declared;
  // A general component bounds itself.
  const inFlightMax = declared.inFlightMax ?? (kind === "general" ? Number.POSITIVE_INFINITY : 1);
  return { kind, name, ...ends, providers, settings, metrics, inFlightMax, create };
}

function emitOf<Item>(unit: Workplace): Emit<Item> {
  return unit.emit[OUTPUT] as Emit<Item>;
}

function lifeOf<Last>(work: Life<Last>, emit: Last): Pick<Work, "handOver" | "close"> {
  return {
    ...(work.handOver === undefined ? {} : { handOver: () => work.handOver?.() }),
    ...(work.close === undefined ? {} : { close: () => work.close?.(emit) }),
  };
}

function bound<Inputs extends Ends, Outputs extends Ends>(
  takes: Takes<Inputs, Outputs>,
  emit: EmitsOf<Outputs>,
): NonNullable<Work["take"]> {
  const entries = Object.entries(takes).map(([role, take]) => [
    role,
    (item: unknown) => (take as (item: unknown, emit: EmitsOf<Outputs>) => Taken)(item, emit),
  ]);
  return Object.fromEntries(entries);
}

/** Without these, items would wait for ever or fail one by one; no compiler has seen JavaScript. */
function refuseWithout(work: object | null | undefined, ...functions: readonly string[]): void {
  for (const name of functions) {
    if (typeof (work as Readonly<Record<string, unknown>> | null)?.[name] === "function") continue;
    throw new TypeError(`what its create gives has no function ${name}`);
  }
}

function after<Given, Made>(given: Maybe<Given>, make: (given: Given) => Made): Maybe<Made> {
  return promised(given)?.then(make) ?? make(given as Given);
}
