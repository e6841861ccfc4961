/**
 * Which links a page has. They are drawn from the number of the page alone, so nothing is stored:
 * first the slots (and, on a front page, the hosts) that it introduces, then further ones to pages
 * that are drawn by rank, so that the in-degree follows a power law. How a link is written is not
 * decided here: this is the graph, and the truth is computed from it.
 */

import type { FollowableKind } from "../../../formats/link/index.ts";
import type { Profile } from "../profile/profile.ts";
import { Chance, threshold } from "./chance.ts";
import type { HostModel } from "./host-model.ts";
import { CALENDAR, type LinkList, LOOP, MAZE, VISITS } from "./link-list.ts";
import { drawRank, LogNormalTable, rankSpread, spreadRank } from "./power-law.ts";
import { roleFacts } from "./role.ts";
import type { SlotModel } from "./slot-model.ts";
import { CAMPAIGN_FIRST, CAMPAIGNS, INDEX_PAGE, SESSION_FIRST, SESSIONS } from "./variant.ts";

const RESOURCE_KINDS: readonly FollowableKind[] = [
  "img",
  "script",
  "embed",
  "object",
  "video",
  "audio",
  "source",
  "input",
  "track",
];

/** Of the links to a host with an alias, how many name the alias. */
const ALIAS_SHARE = 0.2;

export class LinkModel {
  readonly #profile: Profile;
  readonly #hosts: HostModel;
  readonly #slots: SlotModel;
  readonly #counts: LogNormalTable;
  readonly #foreignShare: number;
  readonly #hostSpread: number;
  readonly #chance: { further: Chance; introduced: Chance; frameset: Chance; trap: Chance };
  readonly #framesetShare: number;
  readonly #traps: readonly { readonly trap: number; readonly share: number }[];

  constructor(seed: string, profile: Profile, hosts: HostModel, slots: SlotModel) {
    const { links, traps } = profile;
    this.#profile = profile;
    this.#hosts = hosts;
    this.#slots = slots;
    this.#counts = new LogNormalTable({ median: links.perPage, spread: links.spread, max: 1000 });
    // The links that introduce a page, one for each, stay on the host; the further ones make up.
    const further = Math.max(0.5, this.#counts.mean);
    this.#foreignShare = hosts.count < 3 ? 0 : links.foreign * ((1 + further) / further);
    this.#hostSpread = rankSpread(hosts.count);
    this.#framesetShare = threshold(links.frameset);
    this.#traps = [
      { trap: CALENDAR, share: threshold(traps.calendars) },
      { trap: LOOP, share: threshold(traps.loops) },
      { trap: VISITS, share: threshold(traps.sessions) },
      { trap: MAZE, share: threshold(traps.mazes) },
    ];
    this.#chance = {
      further: new Chance(seed, "further links"),
      introduced: new Chance(seed, "kind of introduction"),
      frameset: new Chance(seed, "frameset"),
      trap: new Chance(seed, "trap"),
    };
  }

  /** Fills the list with the links of a page of `host`; none when the slot is no page. */
  fill(host: number, slot: number, list: LinkList): void {
    list.clear();
    const content = this.#hosts.contentOf(host);
    const role = this.#slots.role(content, slot);
    if (!roleFacts(role).hasLinks) return;
    // A copy has the links of its original, as it has every byte of it.
    const source = this.#slots.originalOf(content, slot);
    this.#addIntroduced(host, content, source, list);
    if (source === 0) this.#addFront(host, content, list);
    this.#addFurther(host, content, source, list);
  }

  /** Whether the page is a frameset, in which all links are frames. */
  isFrameset(content: number, slot: number): boolean {
    return (
      this.#framesetShare > 0 &&
      this.#chance.frameset.one(content, slot) < this.#framesetShare &&
      !this.#slots.isNeeded(content, slot) &&
      this.#slots.role(content, slot) === "page"
    );
  }

  /** Whether the front page of a host leads into this trap. */
  hasTrap(content: number, trap: number): boolean {
    const share = this.#traps.find((one) => one.trap === trap)?.share ?? 0;
    return this.#chance.trap.one(content, trap) < share;
  }

  #addIntroduced(host: number, content: number, source: number, list: LinkList): void {
    const { first, end } = this.#slots.introduced(content, source);
    const row = this.#chance.introduced.at(content, source);
    for (let slot = first; slot < end; slot += 1) {
      const role = this.#slots.role(content, slot);
      if (role === "sitemap-only") continue;
      if (role === "image") list.add(host, slot, "img");
      else if (role === "hidden") {
        list.add(host, slot, "a");
        list.setNofollow();
      } else list.add(host, slot, this.#followedKind(row.unit()));
    }
  }

  #addFront(host: number, content: number, list: LinkList): void {
    const { names } = this.#hosts;
    const { first, end } = this.#hosts.introduced(content);
    for (let other = first; other < end; other += 1) list.add(other, 0, "a");
    if (names.domainOf(content) === content) {
      const domainEnd = names.domainEnd(content);
      for (let other = content + 1; other < domainEnd; other += 1) {
        if (this.#hosts.contentOf(other) !== content) list.add(other, 0, "a");
      }
    }
    for (const { trap } of this.#traps) {
      if (this.hasTrap(content, trap)) list.add(host, trap, "a");
    }
  }

  #addFurther(host: number, content: number, source: number, list: LinkList): void {
    const row = this.#chance.further.at(content, source);
    const role = this.#slots.role(content, source);
    const isFlood = role === "flood";
    const count = isFlood ? this.#profile.traps.floodLinks : this.#counts.choose(row.u32());
    const isFrameset = this.isFrameset(content, source);
    const mayRefresh = role !== "nofollow-page" && !isFlood;
    const hasRefresh = mayRefresh && row.happens(this.#profile.links.refresh);
    const spread = rankSpread(this.#hosts.size(content));
    for (let index = 0; index < Math.round(count); index += 1) {
      const isForeign = row.unit() < this.#foreignShare;
      const kind = isFlood ? "a" : this.#kind(row);
      const shown = isFrameset ? "frame" : index === 0 && hasRefresh ? "refresh" : kind;
      if (isForeign) this.#addForeign(content, row, shown, list);
      else {
        const slots = this.#hosts.size(content);
        const slot = spreadRank(drawRank(row.unit(), spread, slots), slots);
        list.add(host, slot, shown);
      }
      this.#addDetails(host, source, row, list);
    }
  }

  #addForeign(content: number, row: Chance, kind: FollowableKind, list: LinkList): void {
    const { count } = this.#hosts;
    const drawn = drawRank(row.unit(), this.#hostSpread, count);
    // Neither the host itself nor its mirror, which would have to name itself.
    const isOwn = this.#hosts.contentOf(drawn) === content;
    const host = isOwn ? (content + 2) % count : drawn;
    if (row.unit() < this.#profile.links.front) list.add(host, 0, kind);
    else {
      const slots = this.#hosts.size(host);
      const rank = drawRank(row.unit(), rankSpread(slots), slots);
      list.add(host, spreadRank(rank, slots), kind);
    }
  }

  /** Nofollow, the name of the host, and a variant of the URL, for the link added last. */
  #addDetails(servedBy: number, source: number, row: Chance, list: LinkList): void {
    const { directives, spelling } = this.#profile;
    const at = list.count - 1;
    const [host, slot, kind] = [list.host(at), list.slot(at), list.kind(at)];
    if (row.happens(directives.nofollowLinks) && (kind === "a" || kind === "area")) {
      list.setNofollow();
    }
    // Draws for features that are off are saved: plain webs are the fast ones.
    const { sessions, tracking, indexPages } = spelling;
    if (sessions + tracking + indexPages + this.#profile.hosts.aliases === 0) return;
    const [forSession, forCampaign, forIndex, forAlias] = [
      row.unit(),
      row.unit(),
      row.unit(),
      row.unit(),
    ];
    if (this.#slots.role(this.#hosts.contentOf(host), slot) !== "page") return;
    if (forSession < sessions) list.setVariant(SESSION_FIRST + (source % SESSIONS));
    else if (forCampaign < tracking) list.setVariant(CAMPAIGN_FIRST + (source % CAMPAIGNS));
    else if (slot === 0 && forIndex < indexPages) list.setVariant(INDEX_PAGE);
    if (forAlias >= ALIAS_SHARE || !this.#hosts.names.hasAlias(host)) return;
    // What several hosts serve cannot name the one that serves it.
    if (host !== servedBy || !this.#hosts.isShared(host)) list.setAlias();
  }

  #kind(row: Chance): FollowableKind {
    const { links } = this.#profile;
    const unit = row.unit();
    const followed = this.#followedKind(unit);
    if (followed !== "a") return followed;
    const beyond = links.area + links.iframe + links.head;
    if (unit < beyond + links.form) return "form";
    return unit < beyond + links.form + links.resource ? row.pick(RESOURCE_KINDS) : "a";
  }

  /** A kind that crawlers follow unless told otherwise. */
  #followedKind(unit: number): FollowableKind {
    const { area, iframe, head } = this.#profile.links;
    if (unit < area) return "area";
    if (unit < area + iframe) return "iframe";
    return unit < area + iframe + head ? "link" : "a";
  }
}
