/**
 * Links on a page that is not UTF-8: the URL standard encodes their *query*, and nothing else, in
 * the encoding of the page. A server that uses Shift_JIS expects `?q=%93%FA`, and returns a
 * different page, or none, for the UTF-8 form.
 */
import { type EncodingName, UTF_8, UTF_16BE, UTF_16LE } from "./encoding-name.ts";
import { whatwg } from "./late-packages.ts";

/** The URL standard's special-query percent-encode set beyond the control characters. */
const QUERY_SET = " \"#'<>";
const NON_ASCII = /[^\0-\x7f]/;
const SCHEME = /^[\0-\x20]*([a-z][a-z0-9+.-]*):/i;
const ENCODED_SCHEMES: ReadonlySet<string> = new Set(["http", "https", "ftp", "file"]);

/**
 * The link with the non-ASCII characters of its query written as `%xx` in the encoding, so that
 * any URL parser gives the standard's result; characters that the encoding lacks become
 * `%26%23…%3B`. A link to which this does not apply (UTF-8 page, no such query, a scheme like
 * `mailto:` or `ws:`) is returned as it is.
 */
export function encodeQuery(link: string, encoding: EncodingName): string {
  if (hasUtf8Queries(encoding) || !NON_ASCII.test(link)) return link;
  const hash = link.indexOf("#");
  const end = hash === -1 ? link.length : hash;
  const question = link.indexOf("?");
  if (question === -1 || question > end) return link;
  const query = link.slice(question + 1, end);
  if (!NON_ASCII.test(query) || !isSpecial(link)) return link;
  // The URL parser drops these before it encodes; left in, they would come out as %09 and %0A.
  const bare = query.replace(/[\t\n\r]/g, "");
  const encoded = whatwg().percentEncodeAfterEncoding(encoding, bare, QUERY_SET);
  return link.slice(0, question + 1) + encoded + link.slice(end);
}

/** The standard's "get an output encoding": these have no encoder of their own. */
function hasUtf8Queries(encoding: EncodingName): boolean {
  return (
    encoding === UTF_8 ||
    encoding === UTF_16LE ||
    encoding === UTF_16BE ||
    encoding === "replacement"
  );
}

/** Whether queries are encoded under the scheme of the link, or that of its page if it has none. */
function isSpecial(link: string): boolean {
  const scheme = SCHEME.exec(link)?.[1];
  return scheme === undefined || ENCODED_SCHEMES.has(scheme.toLowerCase());
}
