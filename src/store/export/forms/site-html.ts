/**
 * HTML of a copied site: links lead to the copies, or to the web where there is none; nothing runs.
 * Scripts, event handlers and frames of source are taken out, and a policy in the head forbids
 * what might be left. `parse5-html-rewriting-stream` reads as browsers do and leaves everything
 * else as it was written.
 */
import { refreshUrl } from "../../../formats/html/index.ts";

/** From a link as written to what stands in the copy; null takes the attribute out. */
export type RewriteLink = (written: string) => string | null;

const URL_ATTRIBUTES: ReadonlySet<string> = new Set([
  ...["href", "src", "action", "formaction", "poster", "data", "background", "cite", "xlink:href"],
]);
const DROPPED_ATTRIBUTES: ReadonlySet<string> = new Set([
  ...["integrity", "crossorigin", "nonce", "ping", "srcdoc", "manifest"],
]);
const DROPPED_ELEMENTS: ReadonlySet<string> = new Set(["script", "base", "applet", "portal"]);

const HEAD =
  '<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="' +
  "script-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'\">";

interface Attribute {
  name: string;
  value: string;
  prefix?: string | undefined;
}

/** `rewrite` is called for every link, also to find out which there are. */
export async function rewriteHtml(html: string, rewrite: RewriteLink): Promise<string> {
  const { RewritingStream } = await import("parse5-html-rewriting-stream");
  const stream = new RewritingStream();
  let inside: string | null = null;
  let inStyle = false;
  let hasHead = false;
  // Before everything but doctype and comments: a browser heeds a policy only in the head, and the
  // first tag or text of a page may be one that ends the head.
  const beginHead = (): void => {
    if (!hasHead) stream.emitRaw(HEAD);
    hasHead = true;
  };
  stream.on("startTag", (tag, raw) => {
    const { tagName } = tag;
    if (inside !== null) return;
    beginHead();
    if (DROPPED_ELEMENTS.has(tagName)) {
      if (tagName === "script" && !tag.selfClosing) inside = tagName;
      return;
    }
    if (tagName === "meta" && isDroppedMeta(tag.attrs)) return;
    const attributes = rewritten(tagName, tag.attrs, rewrite);
    if (attributes === tag.attrs) stream.emitRaw(raw);
    else stream.emitStartTag({ ...tag, attrs: attributes as typeof tag.attrs });
    if (tagName === "style") inStyle = true;
  });
  stream.on("endTag", (tag, raw) => {
    beginHead();
    if (tag.tagName === "style") inStyle = false;
    if (inside === tag.tagName) inside = null;
    else if (inside === null && !DROPPED_ELEMENTS.has(tag.tagName)) stream.emitRaw(raw);
  });
  stream.on("text", (_, raw) => {
    if (inside !== null) return;
    if (/[^\t\n\f\r ]/.test(raw)) beginHead();
    stream.emitRaw(inStyle ? rewriteCss(raw, rewrite) : raw);
  });
  stream.on("comment", (_, raw) => {
    // Comments of old browsers may hold markup.
    if (inside === null && !/^<!--\[if/i.test(raw)) stream.emitRaw(raw);
  });
  let text = "";
  stream.on("data", (piece: string | Buffer) => {
    text += piece.toString();
  });
  await new Promise<void>((resolve, reject) => {
    stream.on("end", resolve);
    stream.on("error", reject);
    stream.end(html);
  });
  return hasHead ? text : HEAD + text;
}

/** The encoding is another now, and policies were made for the original. */
function isDroppedMeta(attributes: readonly Attribute[]): boolean {
  const equiv = attributes
    .find(({ name }) => name === "http-equiv")
    ?.value.trim()
    .toLowerCase();
  const isCharset = attributes.some(({ name }) => name === "charset");
  return isCharset || /^(?:content-type|content-security-policy|set-cookie)/.test(equiv ?? "");
}

/** The same list when nothing changes. */
function rewritten(
  tagName: string,
  attributes: Attribute[],
  rewrite: RewriteLink,
): readonly Attribute[] {
  let isChanged = false;
  const isRefresh =
    tagName === "meta" &&
    attributes.some(({ name, value }) => name === "http-equiv" && /refresh/i.test(value));
  const kept = attributes.flatMap((attribute) => {
    const value = newValue(attribute, rewrite, isRefresh);
    if (value === attribute.value) return [attribute];
    isChanged = true;
    return value === null ? [] : [{ ...attribute, value }];
  });
  return isChanged ? kept : attributes;
}

function newValue(
  { name, value, prefix }: Attribute,
  rewrite: RewriteLink,
  isRefresh: boolean,
): string | null {
  const whole = prefix === undefined || prefix === "" ? name : `${prefix}:${name}`;
  if (/^on/i.test(name) || DROPPED_ATTRIBUTES.has(name)) return null;
  if (URL_ATTRIBUTES.has(whole)) return rewrite(value);
  if (name === "srcset" || name === "imagesrcset") return rewriteSet(value, rewrite);
  if (name === "style") return rewriteCss(value, rewrite);
  if (isRefresh && name === "content") {
    const url = refreshUrl(value);
    const to = url === undefined ? null : rewrite(url);
    return to === null ? null : `${Number.parseInt(value, 10) || 0}; url=${to}`;
  }
  return value;
}

function rewriteSet(value: string, rewrite: RewriteLink): string {
  return value
    .split(/,\s+/)
    .map((candidate) => {
      const [url = "", ...size] = candidate.trim().split(/\s+/);
      return url === "" ? "" : [rewrite(url) ?? "", ...size].join(" ");
    })
    .join(", ");
}

const CSS_URL = /(url\(\s*)(["']?)([^"'()\s]+)\2(\s*\))|(@import\s+)(["'])([^"']+)\6/gi;

export function rewriteCss(css: string, rewrite: RewriteLink): string {
  return css.replace(CSS_URL, (_, open, _quote, url, close, rule, _other, imported) =>
    rule === undefined
      ? `${open}"${(rewrite(url) ?? "").replaceAll('"', "%22")}"${close}`
      : `${rule}"${(rewrite(imported) ?? "").replaceAll('"', "%22")}"`,
  );
}
