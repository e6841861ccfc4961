/**
 * The form of the units that a page passes: takes a visit, works on it, passes it on. The work runs
 * behind the visit's barrier and ends when the visit leaves, in the same call or later; a visit that
 * needs no such work is passed on at once.
 */
import type { InternalCode } from "../../base/errors/index.ts";
import {
  type ComponentDefinition,
  general,
  type ProviderRole,
  type Unit,
  type Workplace,
} from "../../topology/unit/index.ts";
import { Visit } from "../topology/roles.ts";
import type { PageVisit } from "../visit/page-visit.ts";

/**
 * Visits that one unit works on at once; further ones wait before it. Most are done within the call;
 * those that wait for the disk, or are read in pieces, must not hold up the others.
 */
const VISITS_MAX = 64;

export interface PageUnit<Roles extends Readonly<Record<string, ProviderRole<unknown>>>> {
  readonly name: string;
  /** Of a fault in its work. */
  readonly code: InternalCode;
  readonly providers: Roles;
  /** How many it works on at once. */
  readonly visitsMax?: number;
  readonly wants: (visit: PageVisit) => boolean;
  /** Makes the visit leave, once. */
  create(unit: Unit<Roles>): (visit: PageVisit) => void;
  /** Done with every visit before it is passed on, whatever became of it. */
  leaving?(unit: Unit<Roles>, visit: PageVisit): void;
}

export function pageUnit<Roles extends Readonly<Record<string, ProviderRole<unknown>>>>(
  definition: PageUnit<Roles>,
): ComponentDefinition {
  const { name, code, providers, wants, create, leaving, visitsMax = VISITS_MAX } = definition;
  return general({
    ...{ name, providers, inFlightMax: visitsMax },
    inputs: { input: Visit },
    outputs: { output: Visit },
    create: (unit) => {
      const work = create(unit);
      const left = leaving === undefined ? undefined : (visit: PageVisit) => leaving(unit, visit);
      return { take: { input: visitTaker(unit, { code, wants, work, leaving: left }) } };
    },
  });
}

interface VisitWork {
  readonly code: InternalCode;
  readonly wants: (visit: PageVisit) => boolean;
  /** Makes the visit leave, once. */
  readonly work: (visit: PageVisit) => void;
  readonly leaving?: ((visit: PageVisit) => void) | undefined;
}

type VisitPlace = Pick<Workplace, "hold" | "letGo"> & {
  readonly emit: { readonly output: (visit: PageVisit) => void };
};

/** Takes visits, has them worked on behind their barriers, and puts them out. */
export function visitTaker(
  unit: VisitPlace,
  { code, wants, work, leaving }: VisitWork,
): (visit: PageVisit) => void {
  const pass = (visit: PageVisit): void => {
    if (leaving !== undefined) {
      visit.reach(code);
      visit.guard(() => leaving(visit));
    }
    unit.emit.output(visit);
  };
  const begin = (visit: PageVisit): void => {
    const { fault } = visit;
    visit.enter(code, () => {
      // After its own fault the archive still has the line to write.
      if (visit.fault !== fault && wants(visit)) begin(visit);
      else {
        pass(visit);
        unit.letGo();
      }
    });
    visit.guard(() => work(visit));
  };
  return (visit) => {
    if (!wants(visit)) {
      pass(visit);
      return;
    }
    unit.hold();
    begin(visit);
  };
}
