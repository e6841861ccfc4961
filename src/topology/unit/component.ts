/**
 * Components: units that take items in, put items out, or both. A definition declares everything that
 * can be known without running it: types of inputs and outputs by role, roles of providers, settings,
 * metrics. `create` makes one instance's *work*, which the runtime drives.
 *
 * An author writes one of six kinds with the functions of `kinds.ts`; whatever the kind, this is the
 * form in which the runtime sees it.
 */
import type { MetricDefinitions } from "../../base/telemetry/index.ts";
import type { SchemaTree } from "../../rules/settings/index.ts";
import type { ItemType } from "../items/index.ts";
import type { ProviderRoles } from "./provider.ts";
import type { Unit } from "./unit.ts";

export type ComponentKind = "source" | "sink" | "filter" | "join" | "merge" | "general";

/** Types of items by the role of an input or output. */
export type Ends = Readonly<Record<string, ItemType<unknown>>>;

export type ItemOf<Type> = Type extends ItemType<infer Item> ? Item : never;

export type ItemsOf<Of extends Ends> = { readonly [Role in keyof Of]: ItemOf<Of[Role]> };

/**
 * Puts an item out. Never refused: the runtime holds the unit back instead. It goes out while the unit
 * is suspended too. What is emitted after the end of the work is lost, and reported.
 */
export type Emit<Item> = (item: Item) => void;

export type EmitsOf<Outputs extends Ends> = {
  readonly [Role in keyof Outputs]: Emit<ItemOf<Outputs[Role]>>;
};

/** A promise means that the item is still being worked on. */
export type Taken = void | Promise<void>;

/** What an instance does. Which of the four ways to work it has follows from its kind. */
export interface Work {
  /** Filters, sinks, merges and general components: an item of this input is to be worked on. */
  readonly take?: Readonly<Record<string, (item: unknown) => Taken>>;
  /** Joins: an item of every input. */
  readonly join?: (items: Readonly<Record<string, unknown>>) => Taken;
  /** Sources: up to this many items are wanted; false: there are none now, `wake` will tell. */
  readonly pull?: (countMax: number) => boolean | Promise<boolean>;
  /**
   * Whatever a successor needs to go on where this one stopped. Called while nothing is in flight,
   * before the successor is made; `close` follows when that has succeeded. If it fails, this work goes
   * on, so it must be left usable.
   */
  handOver?(): unknown;
  /** May still emit. Afterwards nothing that this work calls has an effect. */
  close?(): void | Promise<void>;
}

/** What the runtime gives to `create`, beside what every unit is given. */
export interface Workplace {
  readonly emit: Readonly<Record<string, Emit<unknown>>>;
  /** Something is being worked on outside of calls; the instance is busy until `letGo`. */
  hold(): void;
  letGo(): void;
  /** For a source: there are items again. */
  wake(): void;
  /** For a source: there will be none any more. */
  finish(): void;
  /** Items that are being worked on, and items put out that found no room yet. */
  readonly inFlight: number;
  readonly waitingOut: number;
}

export interface ComponentDefinition {
  readonly kind: ComponentKind;
  readonly name: string;
  readonly inputs: Ends;
  readonly outputs: Ends;
  readonly providers: ProviderRoles;
  readonly settings: SchemaTree<object>;
  readonly metrics: MetricDefinitions;
  /** Items that one instance works on at once, where `take` or `join` gives promises. */
  readonly inFlightMax: number;
  create(unit: Unit & Workplace, state?: unknown): Work | Promise<Work>;
}
