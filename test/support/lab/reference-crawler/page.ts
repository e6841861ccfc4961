/**
 * How the reference crawler reads a page: content encodings by the platform, characters by the
 * platform's decoder, markup by parse5, references by the platform's URL. Nothing here is shared
 * with the crawler or with the synthetic web.
 */
import {
  brotliDecompressSync,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from "node:zlib";
import { type DefaultTreeAdapterMap, parse } from "parse5";
import type { Header } from "../../../../src/base/seams/index.ts";

type Node = DefaultTreeAdapterMap["node"];
type Element = DefaultTreeAdapterMap["element"];

export interface FoundLink {
  readonly kind: string;
  readonly url: string;
  readonly isNofollow: boolean;
}

export interface ReadPage {
  readonly links: readonly FoundLink[];
  readonly isNofollow: boolean;
  readonly isNoarchive: boolean;
}

const BODY_BYTES_MAX = 8 * 1024 * 1024;

/** The body with its content encodings taken off; null when that goes wrong. */
export function decodeBody(body: Uint8Array, headers: readonly Header[]): Uint8Array | null {
  const codings = valuesOf(headers, "content-encoding").flatMap((value) => value.split(","));
  let decoded: Uint8Array = body;
  try {
    for (const coding of codings.map((one) => one.trim()).reverse()) {
      decoded = decodeOnce(decoded, coding);
    }
  } catch {
    return null;
  }
  return decoded;
}

function decodeOnce(body: Uint8Array, coding: string): Uint8Array {
  const options = { maxOutputLength: BODY_BYTES_MAX };
  switch (coding) {
    case "gzip":
    case "x-gzip":
      return gunzipSync(body, options);
    case "br":
      return brotliDecompressSync(body, options);
    case "zstd":
      return zstdDecompressSync(body, options);
    case "deflate":
      try {
        return inflateSync(body, options);
      } catch {
        return inflateRawSync(body, options);
      }
    default:
      throw new Error(`unknown coding ${coding}`);
  }
}

export function valuesOf(headers: readonly Header[], name: string): string[] {
  return headers.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value);
}

/** Everything a crawler wants of a page at this URL. */
export function readPage(
  body: Uint8Array,
  headers: readonly Header[],
  site: { readonly url: string; readonly token: string },
): ReadPage {
  const document = parse(decodeText(body, headers), { scriptingEnabled: false });
  const elements = [...elementsOf(document)];
  const baseText = elements.find(
    (element) => element.tagName === "base" && attributeOf(element, "href") !== null,
  );
  const base =
    baseText === undefined ? null : URL.parse(attributeOf(baseText, "href") ?? "", site.url);
  const links = elements.flatMap((element) => linksOf(element, base?.href ?? site.url));
  const words = directives(elements, headers, site.token);
  return {
    links,
    isNofollow: words.has("nofollow") || words.has("none"),
    isNoarchive: words.has("noarchive"),
  };
}

function* elementsOf(node: Node): Generator<Element> {
  if ("tagName" in node) yield node;
  if ("childNodes" in node) for (const child of node.childNodes) yield* elementsOf(child);
}

function attributeOf(element: Element, name: string): string | null {
  return element.attrs.find((attribute) => attribute.name === name)?.value ?? null;
}

const URL_ATTRIBUTES: Readonly<Record<string, string>> = {
  a: "href",
  area: "href",
  link: "href",
  frame: "src",
  iframe: "src",
  img: "src",
  script: "src",
  embed: "src",
  video: "src",
  audio: "src",
  source: "src",
  input: "src",
  track: "src",
  object: "data",
  form: "action",
};

function linksOf(element: Element, base: string): FoundLink[] {
  const kind = element.tagName === "meta" ? "refresh" : element.tagName;
  const reference =
    element.tagName === "meta"
      ? refreshOf(element)
      : attributeOf(element, URL_ATTRIBUTES[element.tagName] ?? " ");
  const url = reference === null ? null : URL.parse(reference, base);
  if (url === null || url.protocol !== "http:") return [];
  url.hash = "";
  url.username = "";
  url.password = "";
  const rel = (attributeOf(element, "rel") ?? "").toLowerCase().split(/\s+/);
  return [{ kind, url: url.href, isNofollow: rel.includes("nofollow") }];
}

function refreshOf(element: Element): string | null {
  if (attributeOf(element, "http-equiv")?.toLowerCase() !== "refresh") return null;
  const content = attributeOf(element, "content") ?? "";
  return /^\s*\d+\s*[;,]\s*(?:url\s*=\s*)?(.*)$/is.exec(content)?.[1] ?? null;
}

function directives(
  elements: readonly Element[],
  headers: readonly Header[],
  token: string,
): ReadonlySet<string> {
  const texts = elements
    .filter((element) => element.tagName === "meta")
    .filter((element) => {
      const name = (attributeOf(element, "name") ?? "").toLowerCase();
      return name === "robots" || name === token;
    })
    .map((element) => attributeOf(element, "content") ?? "");
  for (const value of valuesOf(headers, "x-robots-tag")) {
    const [, agent, words] = /^\s*(?:([\w-]+):)?(.*)$/.exec(value) ?? [];
    if (agent === undefined || agent.toLowerCase() === token) texts.push(words ?? "");
  }
  return new Set(
    texts.flatMap((text) =>
      text
        .toLowerCase()
        .split(",")
        .map((one) => one.trim()),
    ),
  );
}

function decodeText(body: Uint8Array, headers: readonly Header[]): string {
  const inHeader = /charset="?([\w-]+)/.exec(valuesOf(headers, "content-type")[0] ?? "")?.[1];
  const start = Buffer.from(body.subarray(0, 1024)).toString("latin1");
  const inMeta = /<meta[^>]*charset\s*=\s*"?([\w-]+)/i.exec(start)?.[1];
  const marked = start.startsWith("\xff\xfe") ? "utf-16le" : undefined;
  const withMark = start.startsWith("\xef\xbb\xbf") ? "utf-8" : marked;
  for (const label of [withMark, inHeader, inMeta]) {
    try {
      if (label !== undefined) return new TextDecoder(label).decode(body);
    } catch {
      // An unknown label counts for nothing.
    }
  }
  return new TextDecoder("windows-1252").decode(body);
}
