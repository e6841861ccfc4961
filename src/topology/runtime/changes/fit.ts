/**
 * Whether further units fit a topology that runs: their ids are new, every role is bound to something
 * that is there or comes with them, and both sides are of one type. Whoever read them from a file knows
 * already; a wiring from code is checked here.
 */
import type { ComponentDefinition, ProviderDefinition } from "../../unit/index.ts";
import type { ComponentWiring, ProviderWiring, Wiring } from "../wiring.ts";

/** What a topology has. */
export interface Surrounding {
  /** Whether something has this id. */
  isKnown(id: string): boolean;
  /** The name of the role that a provider has; undefined if there is no such provider. */
  roleOf(providerId: string): string | undefined;
  /**
   * The name of the type that a connector carries; undefined if there is no such connector, null if
   * that is not known before it is opened.
   */
  typeOf(connectorId: string): string | null | undefined;
  /** Whether all producers of a connector are done. */
  isClosed(connectorId: string): boolean;
}

/** What does not fit, as clauses. */
export function misfitsOf(wiring: Wiring, running: Surrounding): string[] {
  const { providers, connectors, components } = wiring;
  const ids = [...providers, ...connectors, ...components].map(({ id }) => id);
  const around = withComing(wiring, running);
  const outputs = components.flatMap((one) => Object.values(one.outputs ?? {}));
  return [
    ...takenOf(ids, running).map((id) => `there is a unit or connector ${id} already`),
    ...providers.flatMap((one) => misfitsOfProvider(one, around)),
    ...components.flatMap((one) => misfitsOfComponent(one, around)),
    ...outputs
      .filter((id) => running.isClosed(id))
      .map((id) => `all producers of ${id} are done, and its consumers with them`),
  ];
}

/** The ids that something has already, each once. */
function takenOf(ids: readonly string[], running: Surrounding): string[] {
  const [seen, taken] = [new Set<string>(), new Set<string>()];
  for (const id of ids) {
    if (seen.has(id) || running.isKnown(id)) taken.add(id);
    seen.add(id);
  }
  return [...taken];
}

export function misfitsOfProvider(wiring: ProviderWiring, around: Surrounding): string[] {
  return misfitsOfRoles(wiring, wiring.definition, around);
}

/** What there is, together with what is to come. */
function withComing({ providers, connectors }: Wiring, running: Surrounding): Surrounding {
  const roles = new Map(providers.map(({ id, definition }) => [id, definition.provides.name]));
  const opening = new Set(connectors.map(({ id }) => id));
  return {
    ...running,
    roleOf: (id) => roles.get(id) ?? running.roleOf(id),
    typeOf: (id) => (opening.has(id) ? null : running.typeOf(id)),
  };
}

function misfitsOfComponent(wiring: ComponentWiring, around: Surrounding): string[] {
  const { id, definition, inputs = {}, outputs = {} } = wiring;
  const typeOf = (connector: string) => around.typeOf(connector);
  return [
    ...misfitsOfRoles(wiring, definition, around),
    ...misfits(`input of ${id}`, definition.inputs, inputs, typeOf),
    ...misfits(`output of ${id}`, definition.outputs, outputs, typeOf),
  ];
}

function misfitsOfRoles(
  { id, providers = {} }: ProviderWiring | ComponentWiring,
  definition: ComponentDefinition | ProviderDefinition,
  around: Surrounding,
): string[] {
  return misfits(`provider of ${id}`, definition.providers, providers, (provider) =>
    around.roleOf(provider),
  );
}

function misfits(
  what: string,
  wanted: Readonly<Record<string, { readonly name: string }>>,
  bound: Readonly<Record<string, string>>,
  nameOf: (id: string) => string | null | undefined,
): string[] {
  const unknown = Object.keys(bound).filter((role) => wanted[role] === undefined);
  const unfit = Object.entries(wanted).flatMap(([role, { name }]) => {
    const id = bound[role];
    if (id === undefined) return [`nothing is bound to ${role}, ${what}`];
    const given = nameOf(id);
    if (given === undefined) return [`there is no ${id}, which ${role}, ${what}, is bound to`];
    return given === null || given === name
      ? []
      : [`${id} is ${given}, but ${role}, ${what}, is ${name}`];
  });
  return [...unknown.map((role) => `${role} is no ${what}`), ...unfit];
}
