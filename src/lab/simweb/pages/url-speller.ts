/**
 * How a link writes its URL. Most are paths from the root; some are relative or absolute; and some
 * use one or two of the many spellings that a parser must take for the same URL. Whatever is done
 * here, the URL standard resolves the text to the URL that the model means.
 */
import type { Chance } from "../model/chance.ts";
import { type LinkList, MAZE } from "../model/link-list.ts";
import { mazeEntrance, trapEntrance } from "../model/traps.ts";
import type { WebModel } from "../model/web-model.ts";
import { SPELLINGS, type UrlPieces } from "./spellings.ts";

/** The page in which a link stands. */
export interface LinkSite {
  readonly host: number;
  readonly content: number;
  /** The folder against which relative references are resolved. */
  readonly folder: string;
  /** Whether several hosts serve the page, so that it cannot name the one it is on. */
  readonly isShared: boolean;
  /** Whether a text can be written in the page's encoding, and read by all in the same way. */
  canWrite(text: string): boolean;
}

const SCHEME_LESS_SHARE = 0.05;

export class UrlSpeller {
  readonly #model: WebModel;

  constructor(model: WebModel) {
    this.#model = model;
  }

  /** The text of link `at`, before any markup. */
  spell(list: LinkList, at: number, site: LinkSite, row: Chance): string {
    const { absolute, relative, variants } = this.#model.profile.spelling;
    const unit = row.unit();
    const path = this.#path(list, at, site.content);
    const isLocal = list.host(at) === site.host && !list.isAlias(at) && list.slot(at) !== MAZE;
    const isAbsolute = !isLocal || (unit < absolute && !site.isShared);
    const isRelative = !isAbsolute && unit < absolute + relative;
    const isOdd = row.happens(variants) && !this.#isLoop(list, at);
    if (!isOdd && !isAbsolute) return isRelative ? relativePath(path, site.folder) : path;
    const host = isAbsolute ? this.#name(list, at) : "";
    const origin = isAbsolute ? this.#model.originOf(host) : "";
    if (!isOdd)
      return (unit * 1000) % 1 < SCHEME_LESS_SHARE ? origin.slice(5) + path : origin + path;
    const pieces: UrlPieces = {
      scheme: isAbsolute ? "http:" : "",
      user: "",
      host,
      port: origin.slice("http://".length + host.length),
      path: isRelative ? relativePath(path, site.folder) : path,
      fragment: "",
    };
    return this.#oddly(pieces, list, at, site, row);
  }

  #oddly(pieces: UrlPieces, list: LinkList, at: number, site: LinkSite, row: Chance): string {
    const { hosts, paths, slots } = this.#model;
    const [host, slot] = [list.host(at), list.slot(at)];
    const content = hosts.contentOf(host);
    const isSlot = slot >= 0 && list.variant(at) === 0;
    const details = {
      row,
      writtenHost: slot === MAZE || list.isAlias(at) ? null : hosts.names.writtenNameOf(host),
      writtenPath: isSlot ? paths.writtenTarget(content, slot) : null,
      // What robots.txt opens must be spelled so that no reader takes it for closed.
      mayEscape: !isSlot || slots.role(content, slot) !== "opened",
    };
    const changed = row.pick(SPELLINGS)(pieces, details);
    const twice = row.happens(0.5) ? row.pick(SPELLINGS)(changed, details) : changed;
    for (const one of [twice, changed, pieces]) {
      const text = joined(one);
      if (isAscii(text) || site.canWrite(text)) return text;
    }
    return joined(pieces);
  }

  /** Of a URL that redirects to itself another spelling would redirect to another URL. */
  #isLoop(list: LinkList, at: number): boolean {
    const content = this.#model.hosts.contentOf(list.host(at));
    return this.#model.slots.role(content, list.slot(at)) === "redirect-loop";
  }

  #path(list: LinkList, at: number, sourceContent: number): string {
    const slot = list.slot(at);
    if (slot < 0) return trapEntrance(slot, sourceContent);
    const content = this.#model.hosts.contentOf(list.host(at));
    return this.#model.paths.target(content, slot, list.variant(at));
  }

  #name(list: LinkList, at: number): string {
    const host = list.host(at);
    const { names } = this.#model.hosts;
    if (list.slot(at) === MAZE) return mazeEntrance(this.#model.hosts.contentOf(host));
    return list.isAlias(at) ? names.aliasOf(host) : names.nameOf(host);
  }
}

/** A path as seen from a folder, both from the root. */
export function relativePath(path: string, folder: string): string {
  if (!path.startsWith(folder)) {
    const levels = folder.split("/").length - 2;
    return `${"../".repeat(levels)}${path.slice(1)}`;
  }
  const rest = path.slice(folder.length);
  // What would be empty, or read as something else than a path, needs a beginning.
  return /^[\w%.-]+(?:[/?;]|$)/.test(rest) ? rest : `./${rest}`;
}

function joined({ scheme, user, host, port, path, fragment }: UrlPieces): string {
  const authority = host === "" ? "" : `//${user}${host}${port}`;
  return `${scheme}${authority}${path}${fragment}`;
}

export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}
