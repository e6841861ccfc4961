/** Opens the frontier of a crawl: the sieve, the queues, the hosts and their addresses. */
import { faultOf } from "../../base/errors/index.ts";
import { SeededRandom } from "../../base/random/index.ts";
import type { FetchableUrl } from "../../formats/url/index.ts";
import {
  AddressTable,
  AliasTable,
  type DiskFrontierOptions,
  type Frontier,
  type FrontierSettings,
  openDiskFrontier,
  type RefusalListener,
} from "../../frontier/front/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { FetchableView, type Filter } from "../../rules/filter/index.ts";
import type { Provision } from "../../topology/unit/index.ts";
import { answered } from "../crawl/answers.ts";
import { frontierSettings } from "../crawl/frontier-keys.ts";
import { settingsFor } from "../crawl/network/fetching.ts";
import type { UsedBy } from "../topology/crawl-library.ts";
import { type Adjustable, adjusted } from "../topology/crawl-settings.ts";
import type { Ledger } from "../topology/roles.ts";
import { type CrawlWorld, closed, laneFolder } from "./crawl-world.ts";

export async function openFrontier(
  configuration: Configuration,
  world: CrawlWorld,
  { ledger, rules, unit }: UsedBy<"frontier"> & { readonly unit: Adjustable },
): Promise<Provision<Frontier>> {
  const { clock, storage, background, seed, listener, version } = world;
  const { counts, faults, seeds, requests, holders, refusals } = ledger;
  const addresses = openAddresses(world);
  const aliases = configuration.dns.aliases ? openAliases(world) : null;
  // Lanes share them.
  if ((world.lane?.number ?? 0) === 0) {
    holders.set("addresses", addresses);
    if (aliases !== null) holders.set("aliases", aliases);
  }
  const sharedBytes = addresses.memoryBytes + (aliases?.memoryBytes ?? 0);
  const faulted: NonNullable<DiskFrontierOptions["faulted"]> = (error, url) => {
    faults.note(error, url);
    counts.errors.add(error.code);
  };
  const inForce = (): Configuration => adjusted(configuration, unit, world.fetching);
  // Half of the memory is for hosts, their addresses and the URLs waiting in them; sieve and queues
  // share the rest.
  const settingsNow = (now: Configuration): Partial<FrontierSettings> => ({
    ...frontierSettings(now, version),
    ...settingsFor(world.fetching),
    memoryBytes: Math.max(now.frontier.memory / 4, now.frontier.memory / 2 - sharedBytes),
  });
  const first = inForce();
  const { memory, traversal } = first.frontier;
  const options: DiskFrontierOptions = {
    ...{ clock, storage, background, listener, addresses, aliases, faulted, traversal },
    folder: laneFolder(world, "frontier"),
    random: new SeededRandom(`${seed}/${laneFolder(world, "frontier")}`),
    checkpoint: world.savedLane?.frontier ?? null,
    wasKilled: world.mayHaveVisited,
    sieveBytes: memory / 4,
    queueBytes: memory / 4,
    isAsked: world.fetching === "asked",
    seedRefused: (refused) => {
      seeds.refused(refused);
      requests.refused(refused);
    },
    refusals: refusals === null ? null : listenerOf(refusals),
    robotsElsewhere: (robots, done) =>
      world.member?.robotsElsewhere(robots, done) === true ||
      world.lane?.robotsElsewhere(robots, done) === true,
    ...othersOf(world.member),
    mayFetch: ({ url }) => rules.fetch === null || mayFetch(rules.fetch, url, faulted),
    settings: settingsNow(first),
  };
  const opened = await answered<Frontier>((done) => openDiskFrontier(options, done));
  const own = (await world.member?.openFrontier(opened, { configuration, world })) ?? opened;
  const service = world.lane?.routed(own) ?? own;
  const changed = (): void => {
    // How many visits there may be is for the crawl to say.
    const { visitsMax: _visits, ...changes } = settingsNow(inForce());
    service.adjust(changes);
    listener.woken();
  };
  return { service, changed, close: () => closed(world, (done) => service.close(done)) };
}

/** What is refused is logged with the line of the robots.txt that decided, or the key. */
function listenerOf(refusals: NonNullable<Ledger["refusals"]>): RefusalListener {
  return {
    refused: ({ ticket, reason }, rule) =>
      refusals.note(reason, ticket.url, ticket.via, () => {
        const decided = rule();
        return decided === null ? null : `robots.txt, line ${decided.line}: ${decided.text}`;
      }),
    dropped: (reason, count) => refusals.dropped(reason, count),
  };
}

/** What the frontier must know of other agents. */
function othersOf(
  member: CrawlWorld["member"],
): Pick<DiskFrontierOptions, "passOn" | "nearer" | "isOurs"> {
  if (member == null) return {};
  return {
    passOn: (ticket) => member.passOn(ticket),
    nearer: (ticket) => member.tellNearer(ticket),
    isOurs: (host) => member.isOurs(host),
  };
}

function openAddresses({ fingerprintKey: key, lane, tableRows }: CrawlWorld): AddressTable {
  if (lane === null) return new AddressTable({ key, memory: AddressTable.memory(tableRows) });
  const { number, addresses: memory, clockOffsetMs } = lane;
  return new AddressTable({ key, memory, lane: number, clockOffsetMs });
}

/** A frontier that fetches nothing itself learns no names, so that each is a host by itself. */
function openAliases({ fingerprintKey: key, lane, tableRows }: CrawlWorld): AliasTable {
  if (lane === null || lane.aliases === null) {
    return new AliasTable({ key, memory: AliasTable.memory(1, tableRows) });
  }
  const { number, aliases: memory, clockOffsetMs } = lane;
  return new AliasTable({ key, memory, lane: number, clockOffsetMs });
}

/** A filter that fails refuses. */
function mayFetch(
  filter: Filter<FetchableView>,
  url: FetchableUrl,
  faulted: NonNullable<DiskFrontierOptions["faulted"]>,
): boolean {
  try {
    return filter.accepts(new FetchableView(url));
  } catch (thrown) {
    const unit = { code: "INTERNAL_FILTER", what: `the fetch filter for ${url}` } as const;
    faulted(faultOf(thrown, { ...unit, isOver: false }), url);
    return false;
  }
}
