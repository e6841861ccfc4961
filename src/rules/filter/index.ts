/**
 * Filters: boolean formulae that say which URLs are scheduled and fetched, which responses are
 * parsed, whose links are followed and which pages are stored. The language is BUbiNG's:
 *
 *     (SchemeEquals(http) or SchemeEquals(https)) and HostEndsWith(.it) and not IsNofollow()
 *
 * How it works. `lexer.ts` and `arguments.ts` cut the text, `parser.ts` makes a tree of it
 * (`expression.ts`), `printer.ts` makes a text of a tree again. `load-filter.ts` finds each atom,
 * by name in `atoms.ts` or in a user's module, checks that it looks at no more than the filter's
 * place shows (`view.ts`), gives it its arguments, and `compile.ts` joins the predicates into one.
 * All mistakes of a text are collected and thrown as one `FilterError` with carets.
 *
 * Two promises are kept everywhere: nothing is allocated for a URL beyond what an atom's own work
 * needs, and no text, pattern or path makes anything slower than in proportion to its length.
 * Hence a linear-time engine for regular expressions (`linear-pattern.ts`), globs without
 * backtracking (`glob.ts`), and suffixes in a trie (`suffix-set.ts`). Only repeated segments
 * (`duplicate-segments.ts`) take longer, and of these a path has a limited number.
 *
 * Words of this module:
 * - *place*: where in the crawl a filter is used: schedule, fetch, parse, follow, store
 * - *sight*: which of the views an atom looks at: url, hop, link, response, page
 * - *predicate*: a compiled filter or atom: a function from a view to true or false
 * - *normal form*: the text that printing a parsed filter gives; parsing it gives the same filter
 * - *domain constraint*: which hosts below a domain are wanted or forbidden, in reversed notation:
 *   `hu.bme.*`
 * - *power*: a group of path segments that is repeated several times in a row
 *
 * Read `view.ts` first, then `load-filter.ts`. `docs/filters.md` is the page for users.
 */
export { duplicateSegmentsLessThan } from "./atoms/duplicate-segments.ts";
export { importFrom } from "./atoms/import-module.ts";
export type { ImportModule } from "./atoms/user-atoms.ts";
export { FetchableView } from "./fetchable-view.ts";
export { FilterError } from "./language/filter-error.ts";
export { checkFilter, type Filter, loadFilter } from "./load-filter.ts";
export { scheduleExpression } from "./schedule-expression.ts";
export { understand } from "./understand.ts";
export {
  FILTER_PLACES,
  type FilterPlace,
  type LinkView,
  type PageView,
  type ResponseView,
  type Sight,
  type UrlView,
} from "./view.ts";
