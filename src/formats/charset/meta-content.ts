/**
 * The HTML standard's "algorithm for extracting a character encoding from a meta element": the
 * first `charset` in the text that is followed by `=`, then a quoted or bare label.
 */
import { type EncodingName, encodingOfLabel } from "./encoding-name.ts";

const CHARSET_IS = /charset[\t\n\f\r ]*=[\t\n\f\r ]*/i;

/** The encoding named by the `content` of a meta element, or undefined. */
export function encodingInMetaContent(content: string): EncodingName | undefined {
  const match = CHARSET_IS.exec(content);
  if (match === null) return undefined;
  const rest = content.slice(match.index + match[0].length);
  const quote = rest[0];
  if (quote === '"' || quote === "'") {
    const close = rest.indexOf(quote, 1);
    return close === -1 ? undefined : encodingOfLabel(rest.slice(1, close));
  }
  const end = rest.search(/[\t\n\f\r ;]/);
  return encodingOfLabel(end === -1 ? rest : rest.slice(0, end));
}
