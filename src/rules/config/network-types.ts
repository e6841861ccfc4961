/**
 * Types of values that name something on a network or go into a request: addresses, hosts, ports,
 * URLs, header texts. Addresses are read strictly, by `formats/address`. Whether a text is a host
 * is left to the platform's URL parser, the same that later reads the links; but what it takes for
 * an address in disguise, such as `0x7f.1`, is refused.
 */
import { addressRangeProblem, parseAddress } from "../../formats/address/index.ts";
import { assumedUrl, BUILT_IN_SCHEMES } from "../../formats/url/index.ts";
import { map, type Pair, type ValueType, value } from "../settings/index.ts";

export const PORT_MAX = 65_535;

export function port(): ValueType<number> {
  return value.count({ min: 1, max: PORT_MAX });
}

/** `10.0.0.0/8`, `2001:db8::/32`, or a single address. */
export function addressRange(): ValueType<string> {
  return value.text({
    form: "an IPv4 or IPv6 address, or a range such as 10.0.0.0/8",
    examples: ["10.0.0.0/8", "192.0.2.1", "2001:db8::/32", "::1"],
    check: addressRangeProblem,
    normalize: (raw) => raw.toLowerCase(),
  });
}

/** A host name or address, without a port, in the form in which URLs hold it. */
export function hostName(): ValueType<string> {
  return value.text({
    form: "a host name or address without scheme and port",
    examples: ["example.org", "127.0.0.1", "localhost"],
    lengthMax: 255,
    check: (raw) => (canonicalHost(raw) === null ? "is not a host name or address" : null),
    normalize: (raw) => canonicalHost(raw) ?? raw,
  });
}

/** `HOST:PORT`; an IPv6 address stands in brackets. */
export function hostAndPort(): ValueType<string> {
  return value.text({
    form: "HOST:PORT, such as 10.0.0.5:4222 or [2001:db8::1]:4222",
    examples: ["10.0.0.5:4222", "agent-1.example.org:4222", "[2001:db8::1]:4222"],
    check: hostAndPortProblem,
  });
}

/** A host, or `HOST:PORT` where only that port is meant. */
export function credentialHost(): ValueType<string> {
  return value.text({
    form: "a host name or address, with a port where only that one is meant",
    examples: ["example.org", "example.org:8443"],
    lengthMax: 255,
    check: (raw) => {
      if (canonicalHost(raw) !== null) return null;
      if (/^[a-z][a-z0-9+.-]*:\/\//i.test(raw)) return "has a scheme; write the host alone";
      return hostAndPortProblem(raw) === null ? null : "is not a host name or address";
    },
    normalize: (raw) => {
      const host = canonicalHost(raw);
      if (host !== null) return host;
      const parts = splitHostAndPort(raw);
      const name = canonicalHost(parts.host) ?? parts.host;
      return `${name.includes(":") ? `[${name}]` : name}:${parts.portText}`;
    },
  });
}

/** `ADDRESS:PORT` of a DNS server; the port may be left out and is then 53. */
export function dnsServer(): ValueType<string> {
  return value.text({
    form: "ADDRESS:PORT, such as 192.0.2.53:53 or [2001:db8::53]:53",
    examples: ["192.0.2.53:53", "[2001:db8::53]:5353"],
    check: (raw) => {
      const { host, portText } = splitHostAndPort(withPort(raw));
      if (addressFamily(host) === null) return "has no address; DNS servers are not given by name";
      return portProblem(portText);
    },
    normalize: withPort,
  });
}

export interface UrlRules {
  /** The usual one first. */
  readonly schemes: readonly string[];
  readonly examples: readonly string[];
  /** Whether only scheme, host and port may be given. */
  readonly bare?: boolean;
}

/** An absolute URL, kept as it was written. */
export function url({ schemes, examples, bare = false }: UrlRules): ValueType<string> {
  return value.text({
    form: `an absolute URL (${schemes.join(", ")})`,
    examples,
    lengthMax: 8192,
    check: (raw) => urlProblem(raw, schemes) ?? (bare ? pathProblem(raw) : null),
  });
}

/** Which module fetches which scheme. */
export function protocols(): ValueType<readonly Pair<string>[]> {
  const module = value.text({ form: "a module", examples: ["./ftp.js"], lengthMax: 4096 });
  return map(module, {
    form: "schemes and the modules that fetch them, such as { ftp: ./ftp.js }",
    examples: ["{ ftp: ./ftp.js }"],
    nameProblem: (scheme) => {
      if (BUILT_IN_SCHEMES.includes(scheme.toLowerCase())) return "is built in";
      return /^[a-z][a-z0-9+.-]{0,31}$/.test(scheme)
        ? null
        : "is not a scheme in lower case, such as ftp";
    },
  });
}

/** Of seeds, whatever protocol modules there are. */
const SEED_SCHEMES = ["https", "http", "file"];

/**
 * A URL from which a crawl starts, or a bare domain, which stands for its https URL. Whether there is
 * a module for another scheme is another key's matter: `seedSchemeProblem` tells.
 */
export function seedUrl(): ValueType<string> {
  return value.text({
    form: `an absolute URL (${SEED_SCHEMES.join(", ")}), or a domain, for which https is assumed`,
    examples: ["https://example.org/", "example.org"],
    lengthMax: 8192,
    check: (raw) => {
      const written = assumedUrl(raw) ?? raw;
      const further = /^([a-z][a-z0-9+.-]*):\/\//i.exec(written)?.[1]?.toLowerCase();
      return urlProblem(written, further === undefined ? SEED_SCHEMES : [...SEED_SCHEMES, further]);
    },
  });
}

/** What is wrong with a legal seed if only these schemes are fetched besides those built in. */
export function seedSchemeProblem(seed: string, schemes: ReadonlySet<string>): string | null {
  const written = assumedUrl(seed) ?? seed;
  const scheme = written.slice(0, Math.max(0, written.indexOf(":"))).toLowerCase();
  const isFetched = SEED_SCHEMES.includes(scheme) || schemes.has(scheme);
  return isFetched ? null : `has the scheme ${scheme}`;
}

/** What may stand in a `User-Agent` header: one line of ASCII that begins with a product's name. */
export function userAgent(): ValueType<string> {
  return value.text({
    form: "printable ASCII that begins with a product's name",
    examples: ["ExampleBot/1.0 (+https://example.org/bot)"],
    lengthMax: 512,
    check: (raw) => {
      if (!/^[\x20-\x7e]+$/.test(raw)) return "has characters that a header may not contain";
      if (!/^[A-Za-z][\w!#$%&'*+.^`|~-]*/.test(raw)) return "does not begin with a product's name";
      return null;
    },
  });
}

/** A web page or mail address to contact about the crawl; it goes into a header. */
export function contact(): ValueType<string> {
  return value.text({
    form: "an http or https URL, or a mail address",
    examples: ["https://example.org/bot", "crawler@example.org"],
    lengthMax: 254,
    check: (raw) => {
      if (!/^[\x21-\x7e]+$/.test(raw) || /[()\\]/.test(raw))
        return "has characters that a header may not contain";
      if (/^(?:mailto:)?[^\s@<>:]+@[^\s@<>:]+\.[^\s@<>:.]+$/.test(raw)) return null;
      return urlProblem(raw, ["http", "https"]) === null
        ? null
        : "is neither a URL nor a mail address";
    },
  });
}

/** 4 or 6; null if it is not an address. */
function addressFamily(raw: string): 4 | 6 | null {
  const bytes = parseAddress(raw);
  if (bytes === null) return null;
  return bytes.length === 4 ? 4 : 6;
}

/** Whether a host or `HOST:PORT` is this machine itself. */
export function isLoopback(hostAndMaybePort: string): boolean {
  const { host } = splitHostAndPort(hostAndMaybePort);
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

export function canonicalHost(raw: string): string | null {
  const bare = raw.startsWith("[") && raw.endsWith("]") ? raw.slice(1, -1) : raw;
  if (addressFamily(bare) === 6) return new URL(`http://[${bare}]/`).hostname.slice(1, -1);
  if (!/^[^\s/?#@:\\[\]%]+$/.test(raw) || !URL.canParse(`http://${raw}/`)) return null;
  const host = new URL(`http://${raw}/`).hostname.replace(/\.$/, "");
  // A number alone is an address in disguise to the URL parser; people do not mean that.
  return host === "" || (addressFamily(host) === 4 && host !== raw) ? null : host;
}

function splitHostAndPort(raw: string): {
  readonly host: string;
  readonly portText: string | null;
} {
  const match = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/.exec(raw);
  if (match === null) return { host: raw, portText: null };
  return { host: match[1] ?? match[2] ?? "", portText: match[3] ?? null };
}

function withPort(raw: string): string {
  if (addressFamily(raw) === 6) return `[${raw}]:53`;
  return splitHostAndPort(raw).portText === null ? `${raw}:53` : raw;
}

function hostAndPortProblem(raw: string): string | null {
  const { host, portText } = splitHostAndPort(raw);
  if (canonicalHost(host) === null) return "has no host before its port";
  return portProblem(portText);
}

function portProblem(portText: string | null): string | null {
  if (portText === null) return "has no port";
  const legal = /^[1-9]\d{0,4}$/.test(portText) && Number(portText) <= PORT_MAX;
  return legal ? null : `has a port that is not a number from 1 to ${PORT_MAX}`;
}

function urlProblem(raw: string, schemes: readonly string[]): string | null {
  const scheme = /^([a-z][a-z0-9+.-]*):\/?\/?/i.exec(raw)?.[1]?.toLowerCase();
  if (scheme === undefined || scheme.includes(".") || scheme === "localhost") {
    return `is not an absolute URL; write ${schemes[0]}://… in front`;
  }
  if (!schemes.includes(scheme)) return `has the scheme ${scheme}`;
  if (!URL.canParse(raw) || (scheme !== "file" && new URL(raw).host === "")) return "is not a URL";
  return null;
}

function pathProblem(raw: string): string | null {
  const { pathname, search, hash } = new URL(raw);
  return /^\/?$/.test(pathname) && search === "" && hash === ""
    ? null
    : "has more than a host and port";
}
