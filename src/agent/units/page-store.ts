/**
 * A further store beside the crawl's own: takes pages that are done from a tee, such as `kept`, and gives
 * them to files of JSON lines or to a module of the user, like the store that `store.kind` names.
 */
import { MIB } from "../../base/units/index.ts";
import { fileWord } from "../../rules/config/index.ts";
import { key, type SchemaTree, value } from "../../rules/settings/index.ts";
import { type ComponentDefinition, sink, type Taken } from "../../topology/unit/index.ts";
import { ROLES, Visit } from "../topology/roles.ts";
import { endedPage, type PageKeeper } from "../visit/page-keeper.ts";
import type { FurtherStore, PageRows } from "../visit/page-rows.ts";
import type { PageVisit } from "../visit/page-visit.ts";

/** Pages that it may hold at once; further ones wait before it. */
const HELD_MAX = 64;

const SETTINGS: SchemaTree<FurtherStore> = {
  kind: key(value.choiceOrModule("jsonl"), {
    default: "jsonl",
    meaning: "Files of JSON lines, or a module that exports createStore.",
  }),
  prefix: key(value.nullable(fileWord("library")), {
    default: null,
    meaning: "What the names of files begin with; ~ is the id of the unit.",
  }),
  compression: key(value.choice("gzip", "zstd", "none"), {
    default: "gzip",
    meaning: "Compression of the lines.",
  }),
  size: key(value.byteSize({ min: 1024 }), {
    default: 1024 * MIB,
    meaning: "Size at which a new file is started.",
  }),
  text: key(value.toggle(), {
    default: false,
    meaning: "Whether pages have their text; a module that looks at it needs this too.",
  }),
  links: key(value.toggle(), { default: false, meaning: "Whether lines have the links of pages." }),
  body: key(value.toggle(), {
    default: false,
    meaning: "Whether lines have the head of the answer and its content, in base64.",
  }),
};

export const PAGE_STORE: ComponentDefinition = sink({
  name: "store",
  input: Visit,
  providers: { rows: ROLES.rows },
  settings: SETTINGS,
  inFlightMax: HELD_MAX,
  create: async ({ providers, name, settings }) => {
    const { rows } = providers;
    if (rows === null) return (visit: PageVisit) => visit.letGo();
    const keeper = await rows.openFurther(name, settings);
    return {
      take: (visit: PageVisit) => keep(keeper, visit),
      close: () => closeStore(rows, keeper),
    };
  },
});

export function isPageStore(definition: ComponentDefinition): boolean {
  return definition === PAGE_STORE;
}

/** Whether it is a store that needs the text of pages. */
export function storesText(
  definition: ComponentDefinition,
  settings: ReadonlyMap<string, unknown> | undefined,
): boolean {
  return isPageStore(definition) && settings?.get("text") === true;
}

function keep(keeper: PageKeeper, visit: PageVisit): Taken {
  let keeping: Promise<void> | null = null;
  visit.reach("INTERNAL_STORE");
  visit.guard(() => {
    const page = endedPage(visit);
    if (page !== null) keeping = keeper.keep(page);
  });
  if (keeping === null) visit.letGo();
  else return (keeping as Promise<void>).then(() => visit.letGo());
}

async function closeStore(rows: PageRows, keeper: PageKeeper): Promise<void> {
  await new Promise<void>((resolve) => keeper.flush(() => resolve()));
  await rows.closeFurther(keeper);
}
