/**
 * What the text of the shared configuration is made of: the configuration of the crawl, which only the
 * agent understands, and the terms of its limits, which say who has issued what (M7). The two are one
 * text, so that whoever has a change of the one has the change of the other.
 */
import { CrawlError } from "../../base/errors/index.ts";
import { MESSAGE_BYTES_MAX } from "../../base/transport/index.ts";
import { KIB } from "../../base/units/index.ts";
import {
  areTerms,
  type CrawlBounds,
  changedTerms,
  foundingTerms,
  type LimitTerms,
} from "../limits/index.ts";
import type { SharedConfiguration } from "../membership/index.ts";
import type { Place } from "../messages/index.ts";

/** The crawl that an agent founds. */
export interface CrawlFounding extends Omit<SharedConfiguration, "version"> {
  readonly bounds: CrawlBounds;
}

/** A joiner is told it in one message, with the electors: as many as a cluster may have agents. */
const TEXT_BYTES_MAX = MESSAGE_BYTES_MAX - 128 * KIB;

interface Parts {
  readonly configuration: string;
  readonly limits: LimitTerms;
}

/** What is shared of a crawl that is founded. */
export function foundedBy({ bounds, text, ...crawl }: CrawlFounding): SharedConfiguration {
  const limits = foundingTerms(bounds);
  return { ...crawl, version: { number: 1, by: "" }, text: print({ configuration: text, limits }) };
}

/** Why a crawl that begins with this could not be shared; null if it can. */
export function foundingProblem({
  text,
  bounds,
}: Pick<CrawlFounding, "text" | "bounds">): CrawlError | null {
  return lengthProblem(print({ configuration: text, limits: foundingTerms(bounds) }));
}

/** Why others could not be told a text; null if they can. */
export function lengthProblem(text: string): CrawlError | null {
  const bytes = Buffer.byteLength(text);
  if (bytes <= TEXT_BYTES_MAX) return null;
  return new CrawlError(
    "CLUSTER_CONFIGURATION_TOO_LONG",
    `The configuration takes ${bytes} bytes as agents tell it to each other, and only ${TEXT_BYTES_MAX} ` +
      "fit into a message. Shorten its longest lists and texts, such as politeness.blockHosts.",
    { bytes },
  );
}

/** As the agent knows it: with its own text. */
export function configurationIn(shared: SharedConfiguration): SharedConfiguration {
  return { ...shared, text: parse(shared).configuration };
}

export function termsIn(shared: SharedConfiguration): LimitTerms {
  return parse(shared).limits;
}

/** The text with which this place changes configuration and limits. */
export function changedText(
  shared: SharedConfiguration,
  self: Place,
  change: Pick<CrawlFounding, "text" | "bounds">,
): string {
  const limits = changedTerms(termsIn(shared), self, change.bounds);
  return print({ configuration: change.text, limits });
}

/** Whether an agent may have printed this: others send it, and it is parsed wherever it is used. */
export function isCrawlText(text: string): boolean {
  try {
    const { configuration, limits } = JSON.parse(text);
    return typeof configuration === "string" && areTerms(limits);
  } catch {
    // Not JSON, or not of this form.
    return false;
  }
}

function print(parts: Parts): string {
  return JSON.stringify(parts);
}

/** Only what an agent has printed is ever shared. */
function parse({ text }: SharedConfiguration): Parts {
  return JSON.parse(text) as Parts;
}
