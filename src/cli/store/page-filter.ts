/** The filter that chooses pages, as `--filter` gives it. */
import { CrawlError } from "../../base/errors/index.ts";
import { quoted } from "../../base/text/index.ts";
import { FILTER_PLACES, loadFilter, understand } from "../../rules/filter/index.ts";
import { type PageRow, RowView } from "../../store/export/index.ts";

export interface PageFilter {
  /** In its normal form. */
  readonly text: string;
  readonly accepts: (page: PageRow) => boolean;
}

/** Null without one. Throws `FILTER_INVALID` with every mistake in it. */
export async function pageFilter(text: string | null): Promise<PageFilter | null> {
  if (text === null) return null;
  const meant = understand(text);
  if (meant.problem !== null) {
    throw new CrawlError("FILTER_INVALID", `--filter ${quoted(text)} ${meant.problem}.`);
  }
  const filter = await loadFilter(meant.expression, { ...FILTER_PLACES.store, name: "--filter" });
  return { text: filter.text, accepts: (page) => filter.accepts(new RowView(page)) };
}
