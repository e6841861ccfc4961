/**
 * Your own atom, without any change to Trobar. This one accepts URLs whose path contains a year
 * within bounds, such as /2024/05/news.html. Try it:
 *
 *   npx trobar inspect filter './examples/02-filter-atom.js#YearBetween(2020, 2026)' \
 *     https://example.org/2024/05/news.html https://example.org/1999/old.html
 */
export const YearBetween = {
  looksAt: "url",

  /** Called once, when the filter is loaded; throw to refuse the arguments. */
  create(args) {
    const [first, last] = args.map(Number);
    if (!Number.isInteger(first) || !Number.isInteger(last)) {
      throw new Error("takes two years, as in YearBetween(2020, 2026)");
    }
    /** Called for every URL: must be synchronous and fast, and keep nothing. */
    return (url) => {
      const year = Number(/\/(\d{4})(?:\/|$)/.exec(url.path)?.[1]);
      return year >= first && year <= last;
    };
  },
};
