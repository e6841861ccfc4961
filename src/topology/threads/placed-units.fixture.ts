/** Units for topologies on several threads. */
import { threadId } from "node:worker_threads";
import { CrawlError } from "../../base/errors/index.ts";
import { counter } from "../../base/telemetry/index.ts";
import { key, value } from "../../rules/settings/index.ts";
import { type Library, libraryOf } from "../description/index.ts";
import { codec, itemType } from "../items/index.ts";
import {
  type ComponentDefinition,
  filter,
  join,
  type ProviderDefinition,
  provider,
  providerRole,
  sink,
  source,
} from "../unit/index.ts";

const Page = itemType("test/page", codec.text);
const Link = itemType(
  "test/link",
  codec.struct({ to: codec.text, depth: codec.count, thread: codec.count }),
);
const Where = providerRole<number>("where");

export interface FoundLink {
  readonly to: string;
  readonly depth: number;
  readonly thread: number;
}

/** What collectors of this thread have taken, and who waits for it. */
export const collected: FoundLink[] = [];
let listener: () => void = () => undefined;

/** Resolves when what was collected is as wanted. */
export async function untilCollected(isWanted: () => boolean): Promise<void> {
  await new Promise<void>((resolve) => {
    listener = () => {
      if (isWanted()) resolve();
    };
    listener();
  });
}

const text = value.text({ form: "a text", examples: ["x"] });

export const pages: ComponentDefinition = source({
  name: "pages",
  output: Page,
  settings: { total: key(value.count({ min: 0, max: 1e9 }), { default: 1000, meaning: "T." }) },
  create(unit) {
    let next = 0;
    return {
      pull(countMax, emit) {
        const { total } = unit.settings;
        for (let left = countMax; left > 0 && next < total; left -= 1) {
          emit(`/${next} /${next}/a`);
          next += 1;
        }
        if (next === total) unit.finish();
        return next < total;
      },
    };
  },
});

export const parser: ComponentDefinition = filter({
  name: "parser",
  input: Page,
  output: Link,
  providers: { where: Where },
  settings: {
    host: key(text, { default: "one", meaning: "H.", live: true }),
    scheme: key(text, { default: "http", meaning: "S." }),
  },
  metrics: { links: counter("links found") },
  create(unit) {
    const { scheme } = unit.settings;
    return (page, emit) => {
      const { host } = unit.settings;
      for (const path of page.split(" ")) {
        emit({ to: `${scheme}://${host}${path}`, depth: 1, thread: unit.providers.where });
        unit.metrics.links.add();
      }
    };
  },
});

/** Passes pages on. */
export const relay: ComponentDefinition = filter({
  name: "relay",
  input: Page,
  output: Page,
  create: () => (page, emit) => emit(page),
});

/** Over with the first of its inputs. */
export const pairs: ComponentDefinition = join({
  name: "pairs",
  inputs: { one: Page, other: Page },
  outputs: { output: Link },
  create:
    () =>
    ({ one, other }, emit) =>
      emit.output({ to: `${one}+${other}`, depth: 2, thread: threadId }),
});

export const collector: ComponentDefinition = sink({
  name: "collector",
  input: Link,
  providers: { where: Where },
  create: () => (link) => {
    collected.push(link);
    listener();
  },
});

/** Says on which thread it is. */
export const where: ProviderDefinition = provider({
  name: "where",
  provides: Where,
  create: () => ({ service: threadId }),
});

/** Ends its thread with the first item. */
export const exiting: ComponentDefinition = filter({
  name: "exiting",
  input: Page,
  output: Link,
  create: () => () => process.exit(7),
});

export const hungry: ComponentDefinition = filter({
  name: "hungry",
  input: Page,
  output: Link,
  create: () => () => {
    const eaten: number[][] = [];
    for (;;) eaten.push(new Array(100_000).fill(eaten.length));
  },
});

/** Says that it has begun, and never ends. */
export const looping: ComponentDefinition = filter({
  name: "looping",
  input: Page,
  output: Link,
  create: (unit) => () => {
    unit.report(new CrawlError("INTERNAL_UNIT", "it loops", {}));
    for (;;);
  },
});

export const failing: ComponentDefinition = filter({
  name: "failing",
  input: Page,
  output: Link,
  create: () => (page) => {
    throw new RangeError(`cannot parse ${page}`);
  },
});

export const unmakeable: ComponentDefinition = filter({
  name: "unmakeable",
  input: Page,
  output: Link,
  create() {
    throw new RangeError("no parser today");
  },
});

/** The units under other names. */
export function libraryWith(prefix: string): Library {
  return libraryOf(
    [pages, parser, collector, where].map((unit) => ({ ...unit, name: prefix + unit.name })),
  );
}
