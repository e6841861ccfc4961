/** Gives each page that was logged its row in the page index, if there is one. */
import type { ComponentDefinition } from "../../topology/unit/index.ts";
import { ROLES } from "../topology/roles.ts";
import { pageUnit } from "./page-unit.ts";

export const INDEX_PAGES: ComponentDefinition = pageUnit({
  name: "index",
  code: "INTERNAL_STORE",
  providers: { index: ROLES.index },
  wants: ({ expected }) => expected !== null,
  create: (unit) => (visit) => {
    const { index } = unit.providers;
    if (index === null) visit.leave();
    else index.add(visit, () => visit.leave());
  },
});
