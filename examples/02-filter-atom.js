/**
 * An atom of one's own: no change to Trobar is needed. This one accepts URLs whose path holds a
 * year within bounds, such as /2024/05/news.html. Try it:
 *
 *   npx trobar inspect filter './examples/02-filter-atom.js#YearBetween(2020, 2026)' \
 *     https://example.org/2024/05/news.html https://example.org/1999/old.html
 */
export const YearBetween = {
  looksAt: "url",

  /** Called once, when the filter is loaded; throwing refuses the arguments. */
  create(args) {
    const [first, last] = args.map(Number);
    if (!Number.isInteger(first) || !Number.isInteger(last)) {
      throw new Error("takes two years, as in YearBetween(2020, 2026)");
    }
    /** Called for every URL: synchronous, quick, and keeping nothing. */
    return (url) => {
      const year = Number(/\/(\d{4})(?:\/|$)/.exec(url.path)?.[1]);
      return year >= first && year <= last;
    };
  },
};
