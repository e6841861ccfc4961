/** Addresses, name servers and speed of hosts. */

import type { DnsConduct, WebHost } from "../web/synthetic-web.ts";
import { type Chance, threshold } from "./chance.ts";
import type { WebModel } from "./web-model.ts";

export interface HostPace {
  readonly delayMs: number;
  /** 0: as fast as can be. */
  readonly bytesPerSecond: number;
}

const AT_ONCE: HostPace = { delayMs: 0, bytesPerSecond: 0 };
const ALIASES_MAX = 3;

export class HostFacts {
  readonly #model: WebModel;
  readonly #addressCount: number;
  readonly #chance: { address: Chance; dns: Chance; pace: Chance };
  readonly #share: Readonly<Record<"two" | "six" | "slow", number>>;

  constructor(model: WebModel) {
    const { hosts } = model.profile;
    this.#model = model;
    this.#addressCount = Math.ceil(hosts.count / hosts.perAddress);
    this.#chance = {
      address: model.chance("address"),
      dns: model.chance("name server"),
      pace: model.chance("pace"),
    };
    this.#share = {
      two: threshold(hosts.twoAddresses),
      six: threshold(hosts.ipv6),
      slow: threshold(hosts.slow),
    };
  }

  /** The host with everything that a resolver learns about it; `name` may be another name of it. */
  webHost(host: number, name: string): WebHost {
    return { name, addresses: this.#addresses(host), dns: this.#dns(host) };
  }

  /** A host of a maze: at the address of the host that leads into it, with nothing wrong. */
  mazeHost(content: number, name: string): WebHost {
    const dns: DnsConduct = {
      ttlSeconds: 60,
      aliases: [],
      failure: "none",
      failingTries: 0,
      delayMs: 0,
    };
    return { name, addresses: this.#addresses(content), dns };
  }

  pace(host: number): HostPace {
    if (this.#share.slow === 0 || this.#chance.pace.one(host, 0) >= this.#share.slow)
      return AT_ONCE;
    const { slowDelay, slowRate } = this.#model.profile.hosts;
    const row = this.#chance.pace.at(host, 1);
    return {
      delayMs: Math.round(row.unit() * slowDelay),
      bytesPerSecond: Math.round(slowRate * (1 + 3 * row.unit())),
    };
  }

  #addresses(host: number): readonly string[] {
    const row = this.#chance.address.at(host, 0);
    const first = addressAt(row.below(this.#addressCount));
    const [forSix, forTwo] = [row.u32(), row.u32()];
    if (forSix < this.#share.six) return ["::1"];
    if (forTwo >= this.#share.two) return [first];
    const other = addressAt(row.below(this.#addressCount));
    return other === first ? [first, "::1"] : [first, other];
  }

  #dns(host: number): DnsConduct {
    const { dns } = this.#model.profile;
    const row = this.#chance.dns.at(host, 0);
    const ttlSeconds = Math.round((dns.ttl / 1000) * row.unit());
    const aliasCount = row.happens(dns.aliases) ? 1 + row.below(ALIASES_MAX) : 0;
    const isPassing = row.happens(dns.passing);
    const delayMs = row.happens(dns.slow) ? dns.slowDelay : 0;
    const aliases = Array.from(
      { length: aliasCount },
      (_, index) => `edge-${index}.net-${host.toString(36)}.test`,
    );
    const answered = { ttlSeconds, aliases, delayMs };
    switch (this.#model.hosts.fate(host)) {
      case "dns-missing":
        return { ...answered, failure: "no-such-name", failingTries: 0 };
      case "dns-failing":
        return { ...answered, failure: "server-failure", failingTries: 0 };
      case "dns-silent":
        return { ...answered, failure: "silence", failingTries: 0 };
      case "dns-truncated":
        return { ...answered, failure: "truncated", failingTries: 0 };
      default:
        if (isPassing) return { ...answered, failure: "server-failure", failingTries: 1 };
        return {
          ...answered,
          aliases: this.#served(host, aliases),
          failure: "none",
          failingTries: 0,
        };
    }
  }

  /** Aliases that end at the name of a server; only those of hosts whose names are sound do. */
  #served(host: number, aliases: readonly string[]): readonly string[] {
    const { perServer } = this.#model.profile.dns;
    if (perServer === 0) return aliases;
    return [...aliases, `server-${Math.floor(host / perServer)}.test`];
  }
}

/** 127.1.0.1 and upwards: what is below is left to servers that must be found without names. */
function addressAt(index: number): string {
  const number = index + 1;
  return `127.${1 + (number >>> 16)}.${(number >>> 8) & 255}.${number & 255}`;
}
