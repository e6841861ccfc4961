/** The optional rules of the key that concern the query. */
import type { UrlRules } from "./url-rules.ts";
import { isSessionParam, isTrackingParam } from "./visitor-params.ts";

/** What the rules leave of a query; both with the question mark, or "" if nothing is left. */
export function queryByRules(query: string, rules: UrlRules): string {
  if (rules.sessionIds === "keep" && rules.trackingParams === "keep" && !rules.sortQuery) {
    return query;
  }
  const params = query.slice(1).split("&");
  const kept = params.filter((param) => !isStripped(param, rules));
  if (rules.sortQuery) kept.sort(byName);
  else if (kept.length === params.length) return query;
  return kept.length === 0 ? "" : `?${kept.join("&")}`;
}

function isStripped(param: string, rules: UrlRules): boolean {
  if (rules.sessionIds === "strip" && isSessionParam(param)) return true;
  return rules.trackingParams === "strip" && isTrackingParam(param);
}

/** Parameters of one name stay in their order, which often has a meaning (`a[]=1&a[]=2`). */
function byName(one: string, other: string): number {
  const [oneName = "", otherName = ""] = [nameOf(one), nameOf(other)];
  if (oneName === otherName) return 0;
  return oneName < otherName ? -1 : 1;
}

function nameOf(param: string): string | undefined {
  return param.split("=", 1)[0];
}
