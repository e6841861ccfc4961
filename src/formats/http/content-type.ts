/**
 * The `Content-Type` header: the media type and the `charset` parameter, by the MIME Sniffing
 * standard's parser, which never fails on what servers send.
 */

export interface ContentType {
  /** `type/subtype` in lower case; "" if the header is absent or malformed. */
  readonly media: string;
  /** The label of an encoding as written; undefined if there is none. */
  readonly charset: string | undefined;
}

const NOTHING_SAID: ContentType = { media: "", charset: undefined };

const MEDIA = /^[\t\n\r ]*([!#$%&'*+\-.^_`|~\w]+\/[!#$%&'*+\-.^_`|~\w]+)[\t\n\r ]*(?:;|$)/;
const NAME = /[\t\n\r ]*([^;=]*)/y;
const QUOTED = /="((?:[^"\\]|\\[\s\S])*)(?:"|\\?$)[^;]*/y;
const BARE = /=([^;]*)/y;

export function parseContentType(header: string | undefined): ContentType {
  const media = MEDIA.exec(header ?? "");
  if (header === undefined || media === null) return NOTHING_SAID;
  const charset = parameter(header, media[0].length, "charset");
  return { media: (media[1] as string).toLowerCase(), charset };
}

/** The first parameter of that name that has a value; later ones do not count. */
function parameter(header: string, from: number, wanted: string): string | undefined {
  for (let at = from; at < header.length; at++) {
    NAME.lastIndex = at;
    const name = NAME.exec(header) as RegExpExecArray;
    at = NAME.lastIndex;
    const [value, end] = parameterValue(header, at);
    at = end;
    if (name[1]?.toLowerCase() === wanted && value !== "") return value;
  }
  return undefined;
}

function parameterValue(header: string, at: number): [value: string, end: number] {
  QUOTED.lastIndex = at;
  const quoted = QUOTED.exec(header);
  if (quoted !== null)
    return [(quoted[1] as string).replace(/\\([\s\S])/g, "$1"), QUOTED.lastIndex];
  BARE.lastIndex = at;
  const bare = BARE.exec(header);
  return bare === null ? ["", at] : [(bare[1] as string).trimEnd(), BARE.lastIndex];
}
