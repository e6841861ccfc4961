/**
 * The name server of a synthetic web: it answers for every host of the web as the web wants it,
 * late, wrongly or not at all. It gives no address out before the web's server listens there.
 */
import type { Clock, Timer } from "../../../base/seams/index.ts";
import type { SyntheticWeb, WebHost } from "../web/synthetic-web.ts";
import { DNS_CODE, writeDnsAnswer, writeDnsRefusal, writeTruncatedAnswer } from "./dns-answer.ts";
import { DNS_TYPE, type DnsQuery, readDnsQuery } from "./dns-query.ts";
import { TryCounts } from "./try-counts.ts";

export interface WebNamesOptions {
  readonly web: SyntheticWeb;
  readonly clock: Clock;
  /** Has the web's server listen on these addresses, and tells whether it does. */
  readonly listenOn: (addresses: readonly string[], done: (isListening: boolean) => void) => void;
}

export type DnsCarrier = "udp" | "tcp";

export interface NamesStats {
  readonly queries: number;
  readonly answered: number;
  readonly noSuchName: number;
  readonly serverFailures: number;
  readonly truncated: number;
  /** Left without an answer, as the web wanted or because the question was none. */
  readonly silent: number;
}

/** Late answers that may be waiting at once; beyond that questions stay without an answer. */
const WAITING_MAX = 100_000;
const COUNTS_MAX = 200_000;
/** Aliases that clients may ask for by themselves. */
const ALIASES_MAX = 100_000;

export class WebNames {
  readonly #options: WebNamesOptions;
  readonly #tries = new TryCounts(COUNTS_MAX);
  readonly #hostOfAlias = new Map<string, string>();
  readonly #counts = {
    queries: 0,
    answered: 0,
    noSuchName: 0,
    serverFailures: 0,
    truncated: 0,
    silent: 0,
  };
  readonly #waiting = new Set<Timer>();

  constructor(options: WebNamesOptions) {
    this.#options = options;
  }

  stats(): NamesStats {
    return { ...this.#counts };
  }

  /** Late answers are not given any more. */
  stop(): void {
    for (const timer of this.#waiting) timer.cancel();
    this.#waiting.clear();
  }

  /** Calls `reply` once, or never where the web stays silent; perhaps inside this call. */
  answer(message: Uint8Array, carrier: DnsCarrier, reply: (bytes: Uint8Array) => void): void {
    this.#counts.queries += 1;
    const reading = readDnsQuery(message);
    if (reading.kind === "query") this.#answerQuery(reading.query, carrier, reply);
    else if (reading.kind === "malformed") reply(writeDnsRefusal(reading.id, DNS_CODE.malformed));
    else if (reading.kind === "unsupported")
      reply(writeDnsRefusal(reading.id, DNS_CODE.notImplemented));
    else this.#counts.silent += 1;
  }

  #answerQuery(query: DnsQuery, carrier: DnsCarrier, reply: (bytes: Uint8Array) => void): void {
    const found = this.#find(query.name);
    if (found === null) {
      this.#counts.noSuchName += 1;
      reply(writeDnsAnswer(query, DNS_CODE.noSuchName));
      return;
    }
    const { delayMs } = found.host.dns;
    const answer = (): void => this.#answerFor(query, found, { carrier, reply });
    if (delayMs === 0) answer();
    else this.#later(delayMs, answer);
  }

  #later(delayMs: number, answer: () => void): void {
    if (this.#waiting.size >= WAITING_MAX) {
      this.#counts.silent += 1;
      return;
    }
    const timer = this.#options.clock.after(delayMs, () => {
      this.#waiting.delete(timer);
      answer();
    });
    this.#waiting.add(timer);
  }

  #answerFor(query: DnsQuery, found: Found, { carrier, reply }: Line): void {
    const failure = this.#failureOf(query, found.host, carrier);
    switch (failure) {
      case "silence":
        this.#counts.silent += 1;
        break;
      case "server-failure":
        this.#counts.serverFailures += 1;
        reply(writeDnsAnswer(query, DNS_CODE.serverFailure));
        break;
      case "no-such-name":
        this.#counts.noSuchName += 1;
        reply(writeDnsAnswer(query, DNS_CODE.noSuchName));
        break;
      case "truncated":
        this.#counts.truncated += 1;
        reply(writeTruncatedAnswer(query));
        break;
      case "none":
        this.#resolve(query, found, { carrier, reply });
        break;
    }
  }

  /** What happens to this try instead of an answer. Only UDP knows truncated answers. */
  #failureOf(query: DnsQuery, { dns }: WebHost, carrier: DnsCarrier): WebHost["dns"]["failure"] {
    if (dns.failure === "none" || (dns.failure === "truncated" && carrier === "tcp")) return "none";
    const type = String(query.type);
    const earlier = this.#tries.earlierTries(query.name, type);
    if (dns.failingTries > 0 && earlier >= dns.failingTries) return "none";
    this.#tries.note(query.name, type, true);
    return dns.failure;
  }

  #resolve(query: DnsQuery, { host, aliases }: Found, { carrier, reply }: Line): void {
    const addresses = host.addresses.filter((address) => isAsked(query.type, address));
    this.#options.listenOn(addresses, (isListening) => {
      if (!isListening) {
        this.#counts.serverFailures += 1;
        reply(writeDnsAnswer(query, DNS_CODE.serverFailure));
        return;
      }
      const { ttlSeconds } = host.dns;
      const chain = query.type === DNS_TYPE.CNAME ? aliases.slice(0, 1) : aliases;
      const records = { ttlSeconds, aliases: chain, addresses };
      const message = writeDnsAnswer(query, DNS_CODE.good, records);
      const isTooLong = carrier === "udp" && message.length > query.udpBytesMax;
      this.#counts[isTooLong ? "truncated" : "answered"] += 1;
      reply(isTooLong ? writeTruncatedAnswer(query) : message);
    });
  }

  /** The host of a name, and the aliases between the two; a name may itself be such an alias. */
  #find(name: string): Found | null {
    const { web } = this.#options;
    const host = web.hostNamed(name);
    if (host !== null) {
      this.#rememberAliases(host);
      return { host, aliases: host.dns.aliases };
    }
    const behind = web.hostNamed(this.#hostOfAlias.get(name) ?? "");
    if (behind === null) return null;
    const { aliases } = behind.dns;
    return { host: behind, aliases: aliases.slice(aliases.indexOf(name) + 1) };
  }

  #rememberAliases({ name, dns }: WebHost): void {
    for (const alias of dns.aliases) {
      if (this.#hostOfAlias.size < ALIASES_MAX) this.#hostOfAlias.set(alias, name);
    }
  }
}

interface Found {
  readonly host: WebHost;
  readonly aliases: readonly string[];
}

interface Line {
  readonly carrier: DnsCarrier;
  readonly reply: (bytes: Uint8Array) => void;
}

function isAsked(type: number, address: string): boolean {
  const own = address.includes(":") ? DNS_TYPE.AAAA : DNS_TYPE.A;
  return type === own || type === DNS_TYPE.ANY;
}
