/**
 * What is wrong with a unit or a kind of connector that code of users made. No compiler has seen a
 * module in JavaScript, and what is wrong here would show only later: as an exception without a place,
 * or as a unit that never takes an item. Looking at a value may run code too; what that throws is a
 * flaw like any other.
 */
import { thrownReason } from "../../base/text/index.ts";
import { Schema, type SchemaTree } from "../../rules/settings/index.ts";
import { COMPONENT_METRICS } from "../runtime/index.ts";
import type { ConnectorKind, UnitDefinition } from "./library.ts";

const UNIT_KINDS: ReadonlySet<unknown> = new Set([
  ...["source", "sink", "filter", "join", "merge", "general", "provider"],
]);
const METRIC_KINDS: ReadonlySet<unknown> = new Set(["counter", "gauge", "histogram"]);

export function isUnit(value: unknown): value is UnitDefinition {
  return looksLike(
    value,
    (one) => UNIT_KINDS.has(one["kind"]) && typeof one["create"] === "function",
  );
}

export function isConnectorKind(value: unknown): value is ConnectorKind {
  return looksLike(value, (one) => "needsCodec" in one && typeof one["open"] === "function");
}

/** A clause that follows `its`; null if the unit is whole. */
export function unitFlaw(unit: UnitDefinition): string | null {
  return flawOf(() => {
    if (!isName(unit.name)) return "name is not a text";
    for (const part of ["providers", "settings", "metrics"] as const) {
      if (!isObject(unit[part])) return `${part} are not an object`;
    }
    if (!Object.values(unit.providers).every(isNamed)) return "providers are not roles";
    return settingsFlaw(unit.settings) ?? metricsFlaw(unit) ?? endsFlaw(unit);
  });
}

/** The same of a kind of connector. */
export function kindFlaw(kind: ConnectorKind): string | null {
  return flawOf(() => {
    if (!isName(kind.name)) return "name is not a text";
    const { settings } = kind;
    if (!isObject(settings as unknown)) return "settings are not an object";
    const flaw = settingsFlaw(settings);
    if (flaw !== null || kind.joinsThreads !== true) return flaw;
    const hasCapacity = new Schema(settings).find("capacity") !== undefined;
    return hasCapacity ? null : "settings have no capacity, which one that joins threads needs";
  });
}

/** The name, for messages; null if it cannot be read. */
export function nameIn(value: { readonly name: unknown }): string | null {
  try {
    return typeof value.name === "string" ? value.name : null;
  } catch {
    return null;
  }
}

function settingsFlaw(settings: SchemaTree<object>): string | null {
  try {
    new Schema(settings);
    return null;
  } catch {
    return "settings are not keys";
  }
}

function metricsFlaw({ kind, metrics }: UnitDefinition): string | null {
  for (const [name, metric] of Object.entries<unknown>(metrics)) {
    if (!isObject(metric) || !METRIC_KINDS.has(metric["kind"])) return "metrics are not metrics";
    if (kind !== "provider" && Object.hasOwn(COMPONENT_METRICS, name)) {
      return `metric ${name} is one that every component has, and needs another name`;
    }
  }
  return null;
}

function endsFlaw(unit: UnitDefinition): string | null {
  if (unit.kind === "provider") return isNamed(unit.provides) ? null : "role is not declared";
  for (const ends of ["inputs", "outputs"] as const) {
    if (!isObject(unit[ends])) return `${ends} are not an object`;
    if (!Object.values(unit[ends]).every(isType)) return `${ends} are not types of items`;
  }
  const { inFlightMax } = unit;
  const isCount = Number.isSafeInteger(inFlightMax) || inFlightMax === Number.POSITIVE_INFINITY;
  return isCount && inFlightMax >= 1 ? null : "inFlightMax is not a number of items from 1";
}

function isType(value: unknown): boolean {
  if (!isNamed(value)) return false;
  const { codec, life } = value as { readonly codec?: unknown; readonly life?: unknown };
  return isNullOr(codec, ["write", "read"]) && isNullOr(life, ["shared", "lost"]);
}

function isNullOr(value: unknown, methods: readonly string[]): boolean {
  if (value === null) return true;
  return isObject(value) && methods.every((method) => typeof value[method] === "function");
}

function isNamed(value: unknown): boolean {
  return isObject(value) && isName(value["name"]);
}

function isName(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function looksLike(
  value: unknown,
  isIt: (value: Readonly<Record<string, unknown>>) => boolean,
): boolean {
  try {
    return isObject(value) && isIt(value);
  } catch {
    return false;
  }
}

function flawOf(look: () => string | null): string | null {
  try {
    return look();
  } catch (thrown) {
    return `parts cannot be read: ${thrownReason(thrown)}`;
  }
}
