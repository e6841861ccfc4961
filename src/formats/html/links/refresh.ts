/**
 * The URL in `<meta http-equiv=refresh content="5; url=next.html">`, by the standard's "shared
 * declarative refresh steps".
 */

const TIME = /^[\t\n\f\r ]*(?:[0-9]+[0-9.]*|\.[0-9.]*)/;
const SEPARATOR = /^(?:[\t\n\f\r ]*[;,][\t\n\f\r ]*|[\t\n\f\r ]+)/;
const URL_IS = /^url[\t\n\f\r ]*=[\t\n\f\r ]*/i;

/** The URL as written; undefined if the content is not a refresh, "" if it names no page. */
export function refreshUrl(content: string): string | undefined {
  const time = TIME.exec(content);
  if (time === null) return undefined;
  let rest = content.slice(time[0].length);
  if (rest === "") return "";
  const separator = SEPARATOR.exec(rest);
  if (separator === null) return undefined;
  rest = rest.slice(separator[0].length);
  const prefix = URL_IS.exec(rest);
  if (prefix !== null) rest = rest.slice(prefix[0].length);
  const quote = rest[0];
  // A quote counts after `url=` and also in its place.
  if (quote !== '"' && quote !== "'") return rest.trimEnd();
  const close = rest.indexOf(quote, 1);
  return close === -1 ? rest.slice(1) : rest.slice(1, close);
}
