/**
 * Processors: units of users that see every page beside the line that pages pass. One takes from a tee,
 * such as `parsed`; the page, its body included, stays as it is until the processor is done with it. A
 * slow processor holds up the crawl, and a failing one loses only its own sight of a page.
 */
import type { Header } from "../../base/seams/index.ts";
import type { MetricDefinitions } from "../../base/telemetry/index.ts";
import type { ParsedPage } from "../../parse/page/index.ts";
import type { SchemaTree } from "../../rules/settings/index.ts";
import {
  type ComponentDefinition,
  sink,
  type Taken,
  type Unit,
} from "../../topology/unit/index.ts";
import { Visit } from "../topology/roles.ts";
import { readAll } from "../visit/answer-reading.ts";
import type { ReadPage } from "../visit/page-record.ts";
import type { PageVisit } from "../visit/page-visit.ts";

/** A page as a processor sees it: an answer, whatever its status. */
export interface SeenPage {
  readonly url: string;
  /** Links between the nearest seed and this page. */
  readonly depth: number;
  /** The page that led here; null for a seed. */
  readonly via: string | null;
  readonly status: number;
  /** As they came. */
  readonly headers: readonly Header[];
  /** In milliseconds of the wall clock. */
  readonly fetchedAtMs: number;
  /** Links, title, text and so on; null for what was not parsed, such as a redirect. */
  readonly parsed: ParsedPage | null;
  /** The content without its encodings; null if it lies on disk and cannot be read back. */
  body(): Promise<Uint8Array | null>;
}

export interface Processor<Settings extends object, Metrics extends MetricDefinitions> {
  readonly name: string;
  /** Whether it looks at `parsed.text`, which is not made unless somebody does. */
  readonly text?: boolean;
  /** Pages that it works on at once; one unless given. */
  readonly inFlightMax?: number;
  readonly settings?: SchemaTree<Settings>;
  readonly metrics?: Metrics;
  /** A promise means that the page is still being worked on. */
  create(
    unit: Unit<Record<never, never>, Settings, Metrics>,
  ): ((page: SeenPage) => Taken) | SeenPages | Promise<SeenPages>;
}

/** What a processor does, where it has something to close. */
export interface SeenPages {
  take(page: SeenPage): Taken;
  close?(): void | Promise<void>;
}

/** A mark of definitions that holds also between copies of this module. */
const WANTS_TEXT = "wantsText";

export function processor<
  Settings extends object = Record<never, never>,
  Metrics extends MetricDefinitions = Record<never, never>,
>({ text = false, create, ...declared }: Processor<Settings, Metrics>): ComponentDefinition {
  const definition = sink({
    ...declared,
    input: Visit,
    create: async (unit) => {
      const made = await create(unit);
      const work: SeenPages = typeof made === "function" ? { take: made } : made;
      return { close: () => work.close?.(), take: (visit: PageVisit) => show(visit, work) };
    },
  });
  return Object.assign(definition, { [WANTS_TEXT]: text });
}

export function wantsText(definition: ComponentDefinition): boolean {
  return (definition as { readonly [WANTS_TEXT]?: boolean })[WANTS_TEXT] === true;
}

/** Lets go of the visit unless the work fails on it; then the runtime does. */
function show(visit: PageVisit, work: SeenPages): Taken {
  const taken = visit.page === null ? undefined : work.take(seen(visit, visit.page));
  if (taken instanceof Promise) return taken.then(() => visit.letGo());
  visit.letGo();
}

function seen({ errand, record }: PageVisit, { outcome, decoded, parsed }: ReadPage): SeenPage {
  const { url, depth, via } = errand.ticket;
  const { status, headers } = outcome;
  return {
    ...{ url, depth, via, status, headers, parsed, fetchedAtMs: record.fetchedAtMs },
    body: () => new Promise((resolve) => readAll(decoded, decoded.lengthBytes, resolve)),
  };
}
