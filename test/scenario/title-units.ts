/** Units of a user: titles of pages are taken beside the line of a crawl, and written on another thread. */
import { appendFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { Visit } from "../../src/agent/topology/roles.ts";
import { PageItem } from "../../src/agent/units/parse-items.ts";
import { key, value } from "../../src/rules/settings/index.ts";
import { codec, type ItemType, itemType } from "../../src/topology/items/index.ts";
import { type ComponentDefinition, filter, sink } from "../../src/topology/unit/index.ts";

const Title: ItemType<string> = itemType("test/title", codec.text);

export const titles: ComponentDefinition = filter({
  name: "titles",
  input: Visit,
  output: Title,
  create: () => (visit, emit) => {
    emit(visit.page?.parsed?.title ?? "none");
    visit.letGo();
  },
});

const FILE = {
  file: key(value.text({ form: "the path of a file", examples: ["titles.txt"] }), {
    default: "titles.txt",
    meaning: "Where it is written.",
  }),
};

/** Behind the unit `document-parser`: writes on which thread each page was parsed. */
export const told: ComponentDefinition = filter({
  name: "told",
  input: PageItem,
  output: PageItem,
  settings: FILE,
  create: (unit) => (page, emit) => {
    appendFileSync(unit.settings.file, `page ${isMainThread ? "here" : "elsewhere"}\n`);
    emit(page);
  },
});

export const writer: ComponentDefinition = sink({
  name: "writer",
  input: Title,
  settings: FILE,
  create: (unit) => (title) =>
    appendFileSync(unit.settings.file, `${title} ${isMainThread ? "here" : "elsewhere"}\n`),
});

/** As users know it: by its name alone. */
const NamedVisit: ItemType<unknown> = itemType("visit");

/** Passes the first page on, and fails on the others. */
export const choosy: ComponentDefinition = filter({
  name: "choosy",
  input: NamedVisit,
  output: NamedVisit,
  create: () => {
    let hasPassed = false;
    return (visit, emit) => {
      if (hasPassed) throw new Error("not this one");
      hasPassed = true;
      emit(visit);
    };
  },
});
