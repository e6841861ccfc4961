/** What a crawl reaches the web with: fetchers, resolver, decoding, and their limits. */

import type { Clock, Fetcher, FetchLimits, Storage } from "../../../base/seams/index.ts";
import { type RateLimit, TurnBudget } from "../../../base/time/index.ts";
import {
  ContentDecoder,
  DECODING_LIMITS,
  openSpool,
  type PooledSpool,
} from "../../../fetch/body/index.ts";
import { type HostCredential, HttpFetcher, ProtocolFetcher } from "../../../fetch/client/index.ts";
import { openResolver, type Resolver } from "../../../fetch/dns/index.ts";
import { FileFetcher, type FileUrl, fileRoots } from "../../../fetch/files/index.ts";
import { loadProtocols, ModuleFetcher } from "../../../fetch/protocols/index.ts";
import { ProxyResolver } from "../../../fetch/proxy/index.ts";
import {
  AddressPolicy,
  type AddressPolicyOptions,
  connectRefusal,
  parseAddress,
} from "../../../formats/address/index.ts";
import type { GivenCookie } from "../../../formats/http/index.ts";
import { portOfScheme } from "../../../formats/url/index.ts";
import type { MemoryHolder } from "../../../frontier/front/index.ts";
import { type Configuration, schemesOf } from "../../../rules/config/index.ts";
import { type ImportModule, importFrom } from "../../../rules/filter/index.ts";
import { AnswerReading } from "../../visit/answer-reading.ts";
import { answered } from "../answers.ts";

export interface CrawlNetwork {
  readonly fetcher: Fetcher;
  /** Closed when the crawl has ended. */
  readonly http: { close(): void };
  readonly resolver: Resolver;
  readonly answers: AnswerReading;
  /** The folders of the seeds that are files. */
  readonly roots: readonly FileUrl[];
  readonly limits: FetchLimits;
  /** Takes another configuration for fetches from now on, as far as it can; never throws. */
  readonly adjust?: (configuration: Configuration) => void;
  /** Lets this many connections be in use at once from now on. */
  readonly allowConnections?: (count: number) => void;
  /** Shared by everything that works on large bodies. */
  readonly turns?: TurnBudget;
  /** Its parts that hold memory, by the owners' names in the summary. */
  readonly holders?: Readonly<Record<string, MemoryHolder>>;
}

export interface NetworkWorld {
  readonly clock: Clock;
  /** For bodies that do not fit into memory. */
  readonly scratch: Storage;
  readonly secrets: RequestSecrets;
  /** Gives the modules that the configuration names; by default those found from the working directory. */
  readonly importModule?: ImportModule;
  /** Bytes a second of all bodies together. */
  readonly bandwidth?: RateLimit;
}

/** What the user gave to be sent but never kept: it is in no file of the crawl. */
export interface RequestSecrets {
  readonly credentials: readonly HostCredential[];
  readonly cookies: readonly GivenCookie[];
}

export const NO_SECRETS: RequestSecrets = { credentials: [], cookies: [] };

/** Tests open a network other than the real one. */
export type OpenNetwork = (
  configuration: Configuration,
  world: NetworkWorld,
) => Promise<CrawlNetwork>;

/** The network of the real world. */
export async function openNetwork(
  configuration: Configuration,
  { clock, scratch, secrets, bandwidth, importModule = importFrom(".", clock) }: NetworkWorld,
): Promise<CrawlNetwork> {
  const { fetch, dns, politeness, limits: crawlLimits } = configuration;
  // First, since nothing has to be closed when they cannot be loaded.
  const protocols = await loadProtocols(fetch.protocols, importModule);
  const policies: AddressPolicy[] = [];
  const policyWith = (ports: Configuration["fetch"]["ports"]): AddressPolicy => {
    const { blockAddresses: block } = politeness;
    const policy = new AddressPolicy({
      ...{ allow: fetch.allowAddresses, block, ports, ...ownPlaces(configuration) },
    });
    policies.push(policy);
    return policy;
  };
  const policy = policyWith(fetch.ports);
  const memoryBytes = fetch.bodyMemory;
  const turns = new TurnBudget(clock);
  const spool = await answered<PooledSpool>((done) =>
    openSpool({ memoryBytes, storage: scratch, clock, turns }, done),
  );
  const roots = await new Promise<readonly FileUrl[]>((resolve) => {
    fileRoots(configuration.seeds, resolve);
  });
  const http = new HttpFetcher({
    ...{ clock, spool, http2: fetch.http2, insecure: fetch.insecure, cookies: fetch.cookies },
    mayConnect: (address, port) => connectRefusal(policy, address, port),
    ...{ givenCookies: secrets.cookies, credentials: secrets.credentials },
    keepAliveMs: fetch.keepAlive,
    connectionsMax: fetch.concurrency,
    idleConnectionsMax: fetch.idleConnections,
    ...{ proxy: fetch.proxy, bandwidth },
  });
  const file = new FileFetcher({ clock, spool, roots });
  const modules = protocols.map(({ scheme, module, protocol }) => {
    const own = policyWith(fetch.ports === "any" ? "any" : [...fetch.ports, portOfScheme(scheme)]);
    const mayConnect = (address: string, port: number) => connectRefusal(own, address, port);
    const fetcher = new ModuleFetcher({ clock, spool, protocol, module, mayConnect });
    return [scheme, fetcher] as const;
  });
  const table = { http, https: http, file, ...Object.fromEntries(modules) };
  const fetcher = new ProtocolFetcher(table, clock);
  const close = (): void => {
    http.close();
    for (const [, module] of modules) module.close();
  };
  const decoding = { ...DECODING_LIMITS, outputBytesMax: fetch.maxBody };
  const decoder = new ContentDecoder({ clock, spool, turns, limits: decoding });
  const schemes = schemesOf(configuration);
  const answers = new AnswerReading({
    ...{ clock, decoder, schemes },
    urlLengthMax: crawlLimits.urlLength,
  });
  const names =
    fetch.proxy !== null
      ? null
      : openResolver({
          ...{ clock, policy, servers: dns.servers },
          timeoutMs: dns.timeout,
          cacheSize: dns.cacheSize,
          asksCanonical: dns.aliases,
          failureTtlMsMax: Math.min(fetch.retryWait, fetch.retryMaxWait) / 2,
        });
  const resolver = names ?? new ProxyResolver(policy, clock);
  const holders = { bodies: spool, ...(names === null ? {} : { dns: names }) };
  const limits = fetchLimits(configuration);
  const adjust = (changed: Configuration): void => {
    decoding.outputBytesMax = changed.fetch.maxBody;
    for (const one of policies) one.block = changed.politeness.blockAddresses;
    http.keepAliveMs = changed.fetch.keepAlive;
    http.idleConnectionsMax = changed.fetch.idleConnections;
    // Of those that are kept, some may lead to an address that is blocked now.
    http.closeAllIdle();
  };
  const allowConnections = (count: number): void => {
    http.connectionsMax = count;
  };
  const changes = { adjust, allowConnections };
  return { fetcher, http: { close }, roots, resolver, answers, limits, ...changes, turns, holders };
}

/** For the head of an answer: several times what Apache and nginx accept in a request. */
const HEADER_BYTES_MAX = 64 * 1024;

export function fetchLimits({ fetch }: Configuration): FetchLimits {
  return {
    connectTimeoutMs: fetch.connectTimeout,
    headerTimeoutMs: fetch.headerTimeout,
    idleTimeoutMs: fetch.idleTimeout,
    totalTimeoutMs: fetch.totalTimeout,
    bytesPerSecondMin: fetch.minRate,
    headerBytesMax: HEADER_BYTES_MAX,
    bodyBytesMax: fetch.maxBody,
  };
}

/** Where the crawl itself can be reached, once its API listens. */
function ownPlaces({
  api: { host, port },
}: Configuration): Pick<AddressPolicyOptions, "ownPorts" | "ownAddresses"> {
  const address = host.replace(/^\[(.*)\]$/, "$1");
  return {
    ownPorts: new Set(port === "auto" ? [] : [port]),
    ownAddresses: parseAddress(address) === null ? [] : [address],
  };
}
