/**
 * The front: where visits begin. It takes errands from the frontier as the lane allows, does those that
 * are not pages itself (names to be resolved, robots.txt), and puts out a visit for each page. Nothing
 * is begun while what it put out waits for room.
 *
 * Among other agents a visit may wait for the slot of its address, which comes at any moment: then it is put
 * out the next time.
 */
import { type ComponentDefinition, source } from "../../topology/unit/index.ts";
import { ROLES, Visit } from "../topology/roles.ts";
import type { PageVisit } from "../visit/page-visit.ts";

export const FRONT: ComponentDefinition = source({
  name: "front",
  output: Visit,
  providers: { steering: ROLES.steering },
  create: (unit) => {
    let begin: ((visit: PageVisit) => void) | null = null;
    const late: PageVisit[] = [];
    const lane = unit.providers.steering.openLane(
      (visit) => {
        if (begin !== null) begin(visit);
        else {
          late.push(visit);
          unit.wake();
        }
      },
      () => {
        // The lane looks for work whenever something has changed; it may only begin it here.
        if (begin === null) unit.wake();
        return begin !== null;
      },
    );
    return {
      pull: (_countMax, emit) => {
        begin = emit;
        try {
          for (const visit of late.splice(0)) emit(visit);
          lane.pump();
        } finally {
          begin = null;
        }
        return false;
      },
    };
  },
});
