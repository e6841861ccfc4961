/** The network of a virtual crawl: any synthetic web behind the seams, in virtual time. */
import { answered } from "../../../src/agent/crawl/answers.ts";
import {
  type CrawlNetwork,
  fetchLimits,
  type NetworkWorld,
} from "../../../src/agent/crawl/network/crawl-network.ts";
import { AnswerReading } from "../../../src/agent/visit/answer-reading.ts";
import { CrawlError } from "../../../src/base/errors/index.ts";
import type { Fetcher, FetchRequest, Random } from "../../../src/base/seams/index.ts";
import {
  ContentDecoder,
  DECODING_LIMITS,
  openSpool,
  type PooledSpool,
} from "../../../src/fetch/body/index.ts";
import type { Resolution, Resolver } from "../../../src/fetch/dns/index.ts";
import { AddressPolicy, connectRefusal } from "../../../src/formats/address/index.ts";
import { SimWebFetcher, type SyntheticWeb } from "../../../src/lab/simweb/index.ts";
import type { WebTries } from "../../../src/lab/simweb/serve/sim-web-fetcher.ts";
import type { Configuration } from "../../../src/rules/config/index.ts";

export interface VirtualNetworkParts {
  readonly web: SyntheticWeb;
  readonly random: Random;
  /** Outlives processes, where servers remember who asked. */
  readonly tries?: WebTries;
  /** Null for a name that nobody knows. */
  readonly addressOf: (host: string) => string | null;
  /** Called for every request when it begins; gives what is called when it has ended. */
  readonly asked: (request: FetchRequest) => () => void;
}

const MEMORY_BYTES = 1_000_000;

export async function openVirtualNetwork(
  configuration: Configuration,
  { clock, scratch }: Pick<NetworkWorld, "clock" | "scratch">,
  { web, random, tries, addressOf, asked }: VirtualNetworkParts,
): Promise<CrawlNetwork> {
  const spool = await answered<PooledSpool>((done) =>
    openSpool({ memoryBytes: MEMORY_BYTES, storage: scratch, clock }, done),
  );
  const decoder = new ContentDecoder({ clock, spool, limits: DECODING_LIMITS });
  const remembered = tries === undefined ? {} : { tries };
  const served = new SimWebFetcher({ web, clock, random, latencyMsMax: 50, ...remembered });
  const { blockAddresses: block } = configuration.politeness;
  const policy = new AddressPolicy({ allow: "any", block, ports: "any" });
  const fetcher: Fetcher = {
    fetch: (request: FetchRequest, done) => {
      const error = connectRefusal(policy, request.address ?? "", 80);
      if (error !== null) {
        clock.after(0, () => done({ kind: "failed", error }));
        return { cancel: () => undefined };
      }
      const ended = asked(request);
      return served.fetch(request, (outcome) => {
        ended();
        done(outcome);
      });
    },
  };
  const resolver: Resolver = {
    resolve: (host, done) => {
      const resolution = resolutionOf(host, addressOf(host));
      clock.after(random.below(20), () => done(resolution));
    },
    close: () => undefined,
  };
  const answers = new AnswerReading({ clock, decoder, urlLengthMax: 2048 });
  const limits = fetchLimits(configuration);
  const adjust = ({ politeness }: Configuration): void => {
    policy.block = politeness.blockAddresses;
  };
  const http = { close: () => undefined };
  return { fetcher, http, resolver, answers, roots: [], limits, adjust };
}

function resolutionOf(host: string, address: string | null): Resolution {
  if (address === null) {
    return { kind: "failed", error: new CrawlError("DNS_NOT_FOUND", `Nobody knows ${host}.`) };
  }
  return { kind: "resolved", addresses: [address], expiresAtMs: Number.POSITIVE_INFINITY };
}
