/**
 * URLs that people write without a scheme: `example.org`, `example.org:8443/docs`, and the lines of
 * top-sites lists, which begin with a rank (`17,example.org`). They are assumed to be https.
 */

const SCHEME = /^(?:[a-z][a-z0-9+.-]*:\/\/|file:)/i;
const RANK = /^\d+[,\t]\s*/;
/** A name with a dot, an address or `localhost`; then a port; then a path. */
const BARE =
  /^(?:[^\s/?#@:[\]]+\.[^\s/?#@:[\]]+|localhost|\[[0-9a-f:.]+\])(?::\d{1,5})?(?:[/?#]|$)/i;

/** The URL that a bare domain stands for; null for a text with a scheme or without a domain. */
export function assumedUrl(text: string): string | null {
  if (SCHEME.test(text)) return null;
  const bare = text.replace(RANK, "");
  return BARE.test(bare) ? `https://${bare}` : null;
}
