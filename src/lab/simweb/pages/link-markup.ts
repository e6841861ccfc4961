/**
 * How a link is marked up: the element of its kind, in the usual form or in one of the unusual ones
 * that browsers read all the same (no quotes, capitals, doubled attributes, wrong nesting).
 */

import type { FollowableKind } from "../../../formats/link/index.ts";
import type { Chance } from "../model/chance.ts";
import type { ByteWriter } from "./byte-writer.ts";
import { ghostPath } from "./decoys.ts";
import type { TextPool } from "./text-pool.ts";
import { isAscii } from "./url-speller.ts";

interface Shape {
  readonly before: string;
  readonly attribute: string;
  readonly after: string;
}

const SHAPES: Readonly<Record<FollowableKind, Shape>> = {
  a: { before: "<a", attribute: "href", after: "</a>\n" },
  area: { before: '<map name="m"><area shape="default"', attribute: "href", after: "</map>\n" },
  frame: { before: "<frame", attribute: "src", after: "\n" },
  iframe: { before: "<iframe", attribute: "src", after: "</iframe>\n" },
  link: { before: '<link rel="next"', attribute: "href", after: "\n" },
  refresh: { before: '<meta http-equiv="refresh"', attribute: "content", after: "\n" },
  form: { before: '<form method="post"', attribute: "action", after: "<input name=q></form>\n" },
  img: { before: '<img alt=""', attribute: "src", after: "\n" },
  script: { before: "<script", attribute: "src", after: "</script>\n" },
  embed: { before: "<embed", attribute: "src", after: "\n" },
  object: { before: "<object", attribute: "data", after: "</object>\n" },
  video: { before: "<video", attribute: "src", after: "</video>\n" },
  audio: { before: "<audio", attribute: "src", after: "</audio>\n" },
  source: { before: "<video><source", attribute: "src", after: "</video>\n" },
  input: { before: '<input type="image"', attribute: "src", after: "\n" },
  track: { before: "<video><track", attribute: "src", after: "</video>\n" },
};

const REL_FORMS = [
  ' rel="nofollow"',
  " rel=nofollow",
  ' REL="NoFollow"',
  ' rel="external nofollow noopener"',
  " rel='noopener\n nofollow'",
];
const LINK_RELS = ["next", "alternate", "up", "stylesheet", "prev chapter"];
const REFRESH_FORMS = ["5; url=", "0;URL=", "3, ", "10 ; Url = "];

export interface WrittenLink {
  readonly kind: FollowableKind;
  /** The reference, before any markup. */
  readonly text: string;
  readonly isNofollow: boolean;
}

export class LinkMarkup {
  readonly #sloppyShare: number;

  constructor(sloppyShare: number) {
    this.#sloppyShare = sloppyShare;
  }

  /** Writes the element; `encode` gives the bytes of text that is not ASCII. */
  write(
    link: WrittenLink,
    row: Chance,
    pool: TextPool,
    out: { writer: ByteWriter; encode(text: string): Buffer },
  ): void {
    const { writer } = out;
    const shape = SHAPES[link.kind];
    const rel = link.isNofollow ? row.pick(REL_FORMS) : "";
    const isSloppy = row.happens(this.#sloppyShare);
    const value = this.#value(link, row);
    const start = isSloppy
      ? sloppyStart(shape, value, row)
      : usualStart(shape, value, link.kind, row);
    const tag = `${start}${rel}>`;
    if (isAscii(tag)) writer.ascii(tag);
    else writer.bytes(out.encode(tag));
    if (link.kind === "a") pool.writePhrase(row.u32(), writer);
    writer.ascii(isSloppy && link.kind === "a" ? sloppyEnd(row) : shape.after);
  }

  #value({ kind, text }: WrittenLink, row: Chance): string {
    const escaped = text.includes("&") ? escapeAmpersands(text, row) : text;
    return kind === "refresh" ? row.pick(REFRESH_FORMS) + escaped : escaped;
  }
}

function usualStart(shape: Shape, value: string, kind: FollowableKind, row: Chance): string {
  const before = kind === "link" ? `<link rel="${row.pick(LINK_RELS)}"` : shape.before;
  return `${before} ${shape.attribute}="${value}"`;
}

function sloppyStart({ before, attribute }: Shape, value: string, row: Chance): string {
  const bare = /^[\w/.:?-]+$/.test(value) && !value.endsWith("/");
  switch (row.below(9)) {
    case 0:
      return bare ? `${before} ${attribute}=${value}` : `${before} ${attribute}='${value}'`;
    case 1:
      return `${before.toUpperCase()} ${attribute.toUpperCase()} = '${value}'`;
    case 2:
      return `${before} title="a > b" ${attribute}="${value}"`;
    case 3:
      return `${before}\n\t${attribute}\n=\n"${value}"\n`;
    case 4:
      return `${before} ${attribute}="${value}" ${attribute}="${ghostPath(row.u32())}"`;
    case 5:
      return `${before}/${attribute}="${value}"/`;
    case 6:
      return `${before} class="x"id=y${row.below(99)} ${attribute}="${value}"lang=x`;
    case 7:
      return `${before} data-${attribute}="${ghostPath(row.u32())}" ${attribute}='${value}'`;
    default:
      return `${before} ${attribute}="${referenced(value, row)}"`;
  }
}

function sloppyEnd(row: Chance): string {
  return row.pick(["</a>\n", "</A >\n", "\n", "<b></a></b>\n", "</a></i>\n", "<div></div></a>"]);
}

/** A bare ampersand is right only where what follows cannot be taken for a reference. */
function escapeAmpersands(text: string, row: Chance): string {
  const form = row.pick(["&amp;", "&amp;", "&", "&#38;", "&#x26;"]);
  return text.replaceAll("&", form === "&" && /\s/.test(text) ? "&amp;" : form);
}

/** One character of the value as a character reference. */
function referenced(value: string, row: Chance): string {
  const at = row.below(value.length);
  const code = value.charCodeAt(at);
  // Nothing inside a reference is touched, nor half of a character.
  if (value.includes("&") || !(code > 0x20 && code < 0x7f)) return value;
  const forms = [`&#${code};`, `&#x${code.toString(16)};`, `&#X${code.toString(16)};`];
  const named = code === 0x2f ? "&sol;" : code === 0x2e ? "&period;" : undefined;
  const form = named !== undefined && row.happens(0.5) ? named : row.pick(forms);
  return value.slice(0, at) + form + value.slice(at + 1);
}
