/**
 * Processors: units of users that see every page beside the line that pages pass. One takes from a tee,
 * such as `parsed`; the page, its body included, stays as it is until the processor is done with it. A
 * slow processor holds up the crawl, for no longer than its patience with each page; a failing one
 * loses only its own sight of a page.
 */
import { CrawlError } from "../../base/errors/index.ts";
import type { Header } from "../../base/seams/index.ts";
import type { MetricDefinitions } from "../../base/telemetry/index.ts";
import { HOUR_MS, MINUTE_MS } from "../../base/units/index.ts";
import type { ParsedPage } from "../../parse/page/index.ts";
import { key, type SchemaTree, value } from "../../rules/settings/index.ts";
import {
  type ComponentDefinition,
  promised,
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
  /** The content without its encodings; null if it cannot be read back, or it is too late for that. */
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

/** What every processor may be told in the topology, besides settings of its own. */
interface Patience {
  readonly patience: number;
}

const PATIENCE: SchemaTree<Patience> = {
  patience: key(value.duration({ min: 1, max: 24 * HOUR_MS }), {
    default: MINUTE_MS,
    meaning: "How long one page may be worked on; after that it goes on without this unit.",
    live: true,
  }),
};

/** A mark of definitions that holds also between copies of this module. */
const WANTS_TEXT = "wantsText";

export function processor<
  Settings extends object = Record<never, never>,
  Metrics extends MetricDefinitions = Record<never, never>,
>({ text = false, create, ...declared }: Processor<Settings, Metrics>): ComponentDefinition {
  const settings = { ...PATIENCE, ...declared.settings } as SchemaTree<Settings & Patience>;
  const definition = sink({
    ...declared,
    ...{ input: Visit, settings },
    create: async (unit: Unit<Record<never, never>, Settings & Patience, Metrics>) => {
      const made = await create(unit);
      const work: SeenPages = typeof made === "function" ? { take: made } : made;
      if (typeof work?.take !== "function") {
        throw new TypeError("what its create gives has no function take");
      }
      return { close: () => work.close?.(), take: (visit: PageVisit) => show(unit, visit, work) };
    },
  });
  return Object.assign(definition, { [WANTS_TEXT]: text });
}

export function wantsText(definition: ComponentDefinition): boolean {
  return (definition as { readonly [WANTS_TEXT]?: boolean })[WANTS_TEXT] === true;
}

type Place = Pick<Unit<Record<never, never>, Patience>, "name" | "clock" | "settings">;

/** Lets go of the visit unless the work fails on it; then the runtime does. */
function show(unit: Place, visit: PageVisit, work: SeenPages): Taken {
  if (visit.page !== null) {
    const sight = sightOf(visit, visit.page);
    const taken = promised(work.take(sight));
    if (taken !== null) return inTime(unit, sight, taken).then(() => visit.letGo());
  }
  visit.letGo();
}

/** Rejects if the promise has not settled in time, whatever becomes of it later. */
function inTime({ name, clock, settings }: Place, sight: Sight, taken: Promise<void>) {
  const { patience } = settings;
  return new Promise<void>((resolve, reject) => {
    const timer = clock.after(patience, () => {
      sight.isOver = true;
      const message =
        `The unit ${name} was not done with ${sight.url} within ${patience} ms. The page goes on ` +
        "without it. See that every promise of the unit settles, or raise its setting patience.";
      reject(new CrawlError("INTERNAL_UNIT_LATE", message, { unit: name, url: sight.url }));
    });
    taken.then(resolve, reject).finally(() => timer.cancel());
  });
}

/** What a processor is given of a page. */
interface Sight extends SeenPage {
  /** Whether the page went on, so that its body is no longer there. */
  isOver: boolean;
}

function sightOf({ errand, record }: PageVisit, { outcome, decoded, parsed }: ReadPage): Sight {
  const { url, depth, via } = errand.ticket;
  const { status, headers } = outcome;
  const sight: Sight = {
    url,
    depth,
    via,
    status,
    headers,
    fetchedAtMs: record.fetchedAtMs,
    parsed,
    isOver: false,
    body: () =>
      sight.isOver
        ? Promise.resolve(null)
        : new Promise((resolve) => readAll(decoded, decoded.lengthBytes, resolve)),
  };
  return sight;
}
