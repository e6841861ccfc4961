/** The filter that `--filter` gives. */
import { loadPageFilter, type PageFilter } from "../../store/query/index.ts";

export type { PageFilter };

/** Null without one. Throws `FILTER_INVALID` with every mistake in it. */
export async function pageFilter(text: string | null): Promise<PageFilter | null> {
  return text === null ? null : await loadPageFilter(text, "--filter");
}
