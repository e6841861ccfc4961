/**
 * Every reason for which a text is not a URL that can be crawled. A link that is refused is normal:
 * the reason is a value, counted under its name in the crawl's summary (`refused`), never thrown.
 * The names are stable: scripts rely on them.
 */
export const URL_REFUSALS = {
  "scheme-unsupported":
    "The scheme is neither http nor https (mailto:, javascript:, data:, ftp:, ...), nor one of fetch.protocols.",
  "host-missing": "There is no host where one is needed, as in `http://` or `http://:80/`.",
  "host-invalid":
    "The host is neither a domain name nor an address: forbidden characters, bad punycode or numbers.",
  "port-invalid": "The port is not a number, or is above 65535.",
  "base-missing": "The text is relative, and there is no base to resolve it against.",
  "base-invalid": "The base is not a URL, or not one that a relative text can be resolved against.",
  "url-too-long": "The fetchable form is longer than the limit (`limits.urlLength`).",
} as const;

export type UrlRefusal = keyof typeof URL_REFUSALS;
