/** The name by which robots.txt files address a crawler. */

/**
 * The product token of a User-Agent header: `Trobar/1.0 (+https://…)` gives `Trobar`. Empty when
 * the header does not begin with one.
 */
export function productToken(userAgent: string): string {
  return userAgent.match(/^\s*([^\s/(;,]+)/)?.[1] ?? "";
}
