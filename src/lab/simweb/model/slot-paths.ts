/**
 * Paths of slots and back, without a table. The last number in a path is that of the slot, so a
 * path is looked up by reading the number, making the path of that slot and comparing.
 *
 * A host has one of several styles (folders, dates, a script with a query, letters beyond ASCII);
 * what robots.txt may close, images, redirects and the like have folders of their own. A copy lies
 * in the folder of its original, so that a relative link in both leads to the same page.
 */
import { Chance, threshold } from "./chance.ts";
import type { SlotModel } from "./slot-model.ts";
import { pronounceable } from "./slug.ts";
import {
  CAMPAIGN_FIRST,
  CAMPAIGNS,
  HOP_FIRST,
  INDEX_PAGE,
  PLAIN,
  SESSION_FIRST,
  SESSIONS,
  variantKind,
} from "./variant.ts";

const FOLDERS = 8;
const PLAIN_STYLES = 4;
const INTERNATIONAL_STYLE = 4;
const INTERNATIONAL_FOLDERS = [
  "über",
  "café",
  "naïve",
  "kő",
  "łódź",
  "новости",
  "ελλάδα",
  "日本",
  "中文",
  "한국",
] as const;
const CAMPAIGN_NAMES = ["feed", "mail", "banner", "partner"] as const;
const SESSION = "jsessionid=";
const SESSION_IN_QUERY = "PHPSESSID=";

export interface FoundPath {
  readonly slot: number;
  readonly variant: number;
}

/** How many hosts' looks are remembered; a power of two. */
const STYLES_KEPT = 1024;

/** How the paths of one host look. */
interface HostStyle {
  readonly content: number;
  readonly style: number;
  readonly folders: readonly string[];
}

export class SlotPaths {
  readonly #slots: SlotModel;
  readonly #sizeOf: (content: number) => number;
  readonly #international: number;
  readonly #chance: { style: Chance; folder: Chance; slug: Chance };
  /** Of hosts asked for lately: a page links to its own host and to a few others. */
  readonly #styles: HostStyle[] = [];

  constructor(
    seed: string,
    internationalShare: number,
    slots: SlotModel,
    sizeOf: (content: number) => number,
  ) {
    this.#slots = slots;
    this.#sizeOf = sizeOf;
    this.#international = threshold(internationalShare);
    this.#chance = {
      style: new Chance(seed, "style of paths"),
      folder: new Chance(seed, "folder"),
      slug: new Chance(seed, "slug"),
    };
  }

  /** Path and query as they are sent, in the normal form of escapes. */
  target(content: number, slot: number, variant: number = PLAIN): string {
    const path = slot === 0 ? "/" : this.#plainPath(content, slot);
    return variant === PLAIN ? path : withVariant(path, variant);
  }

  /** As `target`, with letters beyond ASCII as people write them; null where there are none. */
  writtenTarget(content: number, slot: number): string | null {
    if (slot === 0) return null;
    const path = this.target(content, slot);
    return path.includes("%") ? decodeURIComponent(path) : null;
  }

  /** The slot whose path this is, if any; escapes must be in their normal form. */
  find(content: number, target: string): FoundPath | null {
    if (target === "/") return { slot: 0, variant: PLAIN };
    const slot = lastNumber(target);
    if (slot > 0 && slot < this.#sizeOf(content) && this.#plainPath(content, slot) === target) {
      return { slot, variant: PLAIN };
    }
    return this.#findVariant(content, target);
  }

  #findVariant(content: number, target: string): FoundPath | null {
    if (target === withVariant("/", INDEX_PAGE)) return { slot: 0, variant: INDEX_PAGE };
    const guess = guessVariant(target);
    if (guess === null) return null;
    const { bare, variant } = guess;
    const slot = bare === "/" ? 0 : lastNumber(bare);
    if (!(slot >= 0 && slot < this.#sizeOf(content))) return null;
    const isHop = variantKind(variant) === "hop";
    if (isHop && variant - HOP_FIRST >= this.#slots.hops(content, slot) - 1) return null;
    return this.target(content, slot, variant) === target ? { slot, variant } : null;
  }

  #plainPath(content: number, slot: number): string {
    const slug = `${pronounceable(this.#chance.slug.one(content, slot))}-${slot}`;
    const role = this.#slots.role(content, slot);
    // Most are pages, and this is done for every link.
    if (role === "page") return this.#styledPath(content, slot, slug);
    switch (role) {
      case "copy":
      case "numbered-copy":
      case "near-copy":
        return `${this.#folderOfOriginal(content, slot)}copy-${slug}.html`;
      case "private":
        return `/private/${slug}.html`;
      case "opened":
        return `/private/open/${slug}.html`;
      case "generated":
        return `/tools/${slug}.cgi`;
      case "image":
        return `/images/${slug}.png`;
      case "binary":
        return `/files/${slug}.${(slot & 1) === 0 ? "pdf" : "zip"}`;
      case "text":
        return `/files/${slug}.txt`;
      case "redirect-near":
      case "redirect-away":
      case "redirect-chain":
      case "redirect-long":
      case "redirect-loop":
      case "redirect-odd":
        return `/go/${slug}`;
      default:
        return this.#styledPath(content, slot, slug);
    }
  }

  #styledPath(content: number, slot: number, slug: string): string {
    const { style, folders } = this.#keptStyle(content);
    const folder = this.#chance.folder.one(content, slot) % FOLDERS;
    const name = folders[folder];
    switch (style) {
      case 0:
      case INTERNATIONAL_STYLE:
        return `/${name}/${slug}.html`;
      case 1:
        return `/${name}/${slug}/`;
      case 2:
        return `/index.php?lang=en&section=${name}&copy=yes&id=${slot}`;
      default:
        return `/${1998 + folder}/0${1 + (folder % 4)}/${slug}.html`;
    }
  }

  #keptStyle(content: number): HostStyle {
    const at = content & (STYLES_KEPT - 1);
    const kept = this.#styles[at];
    if (kept?.content === content) return kept;
    const style = this.#styleOf(content);
    this.#styles[at] = style;
    return style;
  }

  #styleOf(content: number): HostStyle {
    const { style: chance, folder: names } = this.#chance;
    const isInternational = chance.one(content, 1) < this.#international;
    const style = isInternational ? INTERNATIONAL_STYLE : chance.one(content, 0) % PLAIN_STYLES;
    const folders = Array.from({ length: FOLDERS }, (_, folder) =>
      isInternational
        ? escapedFolder(content + folder)
        : pronounceable(names.one(content, -1 - folder)),
    );
    return { content, style, folders };
  }

  #folderOfOriginal(content: number, slot: number): string {
    const path = this.target(content, this.#slots.originalOf(content, slot));
    return folderOf(path);
  }
}

/** The path up to its last slash. */
export function folderOf(target: string): string {
  const queryAt = target.indexOf("?");
  const end = queryAt === -1 ? target.length : queryAt;
  return target.slice(0, target.lastIndexOf("/", end - 1) + 1);
}

function escapedFolder(number: number): string {
  const word = INTERNATIONAL_FOLDERS[number % INTERNATIONAL_FOLDERS.length] ?? "";
  return encodeURIComponent(word);
}

/** The number that ends last before `end`; -1 where there is none. */
export function lastNumber(text: string, end: number = text.length): number {
  let at = end - 1;
  while (at >= 0 && !isDigit(text.charCodeAt(at))) at -= 1;
  let number = at >= 0 ? 0 : -1;
  for (let unit = 1; at >= 0 && unit < 1e9 && isDigit(text.charCodeAt(at)); unit *= 10, at -= 1) {
    number += unit * (text.charCodeAt(at) - 0x30);
  }
  return number;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function withVariant(path: string, variant: number): string {
  const more = path.includes("?") ? "&" : "?";
  switch (variantKind(variant)) {
    case "session":
      return more === "&"
        ? `${path}&${SESSION_IN_QUERY}${sessionOf(variant)}`
        : `${path};${SESSION}${sessionOf(variant)}`;
    case "campaign":
      return `${path}${more}utm_source=${CAMPAIGN_NAMES[variant - CAMPAIGN_FIRST]}&utm_medium=link`;
    case "index":
      return `${path}index.html`;
    case "hop":
      return `${path}/step-${variant - HOP_FIRST + 1}`;
    default:
      return path;
  }
}

/** What a path would be without its variant, and which that would be. */
function guessVariant(target: string): { bare: string; variant: number } | null {
  for (const mark of [`;${SESSION}`, `&${SESSION_IN_QUERY}`]) {
    const at = target.indexOf(mark);
    if (at === -1) continue;
    const variant = SESSION_FIRST + Number.parseInt(target.charAt(at + mark.length), 16);
    return { bare: target.slice(0, at), variant: inRange(variant, SESSION_FIRST, SESSIONS) };
  }
  const campaignAt = target.indexOf("utm_source=");
  if (campaignAt > 0) {
    const rest = target.slice(campaignAt);
    const name = CAMPAIGN_NAMES.findIndex((one) => rest.startsWith(one, "utm_source=".length));
    const variant = inRange(CAMPAIGN_FIRST + name, CAMPAIGN_FIRST, CAMPAIGNS);
    return { bare: target.slice(0, campaignAt - 1), variant };
  }
  const stepAt = target.indexOf("/step-");
  if (stepAt === -1) return null;
  const step = Number(target.slice(stepAt + "/step-".length));
  return Number.isInteger(step) && step >= 1
    ? { bare: target.slice(0, stepAt), variant: HOP_FIRST + step - 1 }
    : null;
}

function inRange(variant: number, first: number, count: number): number {
  return variant >= first && variant < first + count ? variant : PLAIN;
}

/** Thirty-two hexadecimal digits that begin with the number of the session. */
function sessionOf(variant: number): string {
  const number = variant - SESSION_FIRST;
  return `${number.toString(16).toUpperCase()}${SESSION_DIGITS}`;
}

const SESSION_DIGITS = "7C04E91B3DA8526F10C9E77B42D5A3E";
