/** The filter that chooses pages of a crawl, as `--filter` or a program gives it. */
import { CrawlError } from "../../base/errors/index.ts";
import { quoted } from "../../base/text/index.ts";
import { FILTER_PLACES, loadFilter, understand } from "../../rules/filter/index.ts";
import { type PageRow, RowView } from "../export/index.ts";

export interface PageFilter {
  /** In its normal form. */
  readonly text: string;
  readonly accepts: (page: PageRow) => boolean;
}

/** `name` is what messages call it. Rejects with `FILTER_INVALID`, which has every mistake in it. */
export async function loadPageFilter(text: string, name: string): Promise<PageFilter> {
  const meant = understand(text);
  if (meant.problem !== null) {
    throw new CrawlError("FILTER_INVALID", `${name} ${quoted(text)} ${meant.problem}.`);
  }
  const filter = await loadFilter(meant.expression, { ...FILTER_PLACES.store, name });
  return { text: filter.text, accepts: (page) => filter.accepts(new RowView(page)) };
}
