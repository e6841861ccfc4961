/**
 * The file of a URL: a relative path that is safe on every system and belongs to one URL only,
 * whatever the URL is. Nothing is looked up, so the path of a link is known without its page.
 *
 * Names consist of lower-case letters, digits, `.`, `_`, `-`. Where a name must differ from what
 * the URL says (other characters, upper case, a query, a reserved name, too long), `~` and a hash
 * of the URL are added, which no other name contains: so names that differ in case only, or were
 * escaped to the same, are still different. Folders have no dots and files always do, so that
 * none is in the way of the other.
 */
import { hash } from "node:crypto";

const SAFE = /^[a-z0-9_-][a-z0-9._-]*$/;
/** Names that are devices on Windows, with any ending. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|com\d|lpt\d)(?:\.|$)/;
const SEGMENT_LENGTH_MAX = 80;
const FOLDERS_MAX = 12;
const PATH_LENGTH_MAX = 180;
const HASH_DIGITS = 16;

/** `ending` begins with a dot. The path has `/` between its parts. */
export function safePath(url: string, ending: string): string {
  const { href, protocol, hostname, port, pathname, search } = new URL(url);
  const root = `${protocol.slice(0, -1).replace(/[^a-z0-9]/g, "_")}/${hostFolder(hostname, port)}`;
  const segments = pathname.split("/").slice(1);
  const last = segments.pop() ?? "";
  const folders = segments.map((segment, at) =>
    folderName(segment, segments.slice(0, at + 1).join("/")),
  );
  const file = fileName(last, { url: href, ending, isPlain: search === "" });
  const path = [root, ...folders, file].join("/");
  if (folders.length <= FOLDERS_MAX && path.length <= PATH_LENGTH_MAX) return path;
  return `${root}/~${hashOf(href)}${ending}`;
}

function hostFolder(host: string, port: string): string {
  const isSafe = SAFE.test(host) && host.length <= SEGMENT_LENGTH_MAX && !RESERVED.test(host);
  const name = isSafe && !host.endsWith(".") ? host : marked(host, host);
  return port === "" ? name : `${name}+${port}`;
}

function folderName(segment: string, path: string): string {
  const isSafe = SAFE.test(segment) && !segment.includes(".") && !RESERVED.test(segment);
  return isSafe && segment.length <= SEGMENT_LENGTH_MAX ? segment : marked(segment, path);
}

function fileName(
  segment: string,
  { url, ending, isPlain }: { url: string; ending: string; isPlain: boolean },
): string {
  if (segment === "" && isPlain) return `index${ending}`;
  const hasEnding = segment.endsWith(ending) && segment.length > ending.length;
  const stem = hasEnding ? segment.slice(0, -ending.length) : segment;
  const isSafe =
    isPlain && hasEnding && SAFE.test(segment) && !RESERVED.test(segment) && stem !== "index";
  if (isSafe && segment.length <= SEGMENT_LENGTH_MAX) return segment;
  return `${marked(stem, url)}${ending}`;
}

/** As much of the name as is safe, and a hash of what it stands for. */
function marked(name: string, whole: string): string {
  const safe = name
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "_")
    .slice(0, SEGMENT_LENGTH_MAX / 2);
  return `${safe === "" || RESERVED.test(safe) ? "_" : safe}~${hashOf(whole)}`;
}

function hashOf(text: string): string {
  return hash("sha256", text, "hex").slice(0, HASH_DIGITS);
}
