/**
 * Every reason for which a text is not a URL that can be crawled. A link that is refused is normal:
 * the reason is a value, counted under its word in the crawl's summary (`refused`), never thrown.
 * The words are stable: scripts count on them.
 */
export const URL_REFUSALS = {
  "scheme-unsupported":
    "The scheme is neither http nor https (mailto:, javascript:, data:, ftp:, ...).",
  "host-missing": "There is no host where one is needed, as in `http://` or `http://:80/`.",
  "host-invalid":
    "The host is no domain name and no address: forbidden characters, bad punycode, bad numbers.",
  "port-invalid": "The port is no number, or is above 65535.",
  "base-missing": "The text is relative, and there is no base to resolve it against.",
  "base-invalid": "The base is no URL, or none that a relative text can be resolved against.",
  "url-too-long": "The fetchable form is longer than the limit (`limits.urlLength`).",
} as const;

export type UrlRefusal = keyof typeof URL_REFUSALS;
