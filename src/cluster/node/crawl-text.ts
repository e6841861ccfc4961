/**
 * What the text of the shared configuration is made of: the configuration of the crawl, which only the
 * agent understands, and the terms of its limits, which say who has issued what (M7). The two are one
 * text, so that whoever has a change of the one has the change of the other.
 */
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

interface Parts {
  readonly configuration: string;
  readonly limits: LimitTerms;
}

/** What is shared of a crawl that is founded. */
export function foundedBy({ bounds, text, ...crawl }: CrawlFounding): SharedConfiguration {
  const limits = foundingTerms(bounds);
  return { ...crawl, version: { number: 1, by: "" }, text: print({ configuration: text, limits }) };
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
