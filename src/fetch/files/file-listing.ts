/** A folder as a page: one link for each entry, sorted by name. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);

export function folderPage(path: string, entries: readonly FolderEntry[]): string {
  const links = entries
    .filter(({ name }) => !name.includes("\ufffd"))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((entry) => `<li><a href="${linkOf(path, entry)}">${escaped(entry.name)}</a>\n`);
  return (
    `<!doctype html>\n<meta charset="utf-8">\n<title>${escaped(path)}</title>\n` +
    `<ul>\n${links.join("")}</ul>\n`
  );
}

/** A limit for the length of an entry, so that a listing that is too long is never made. */
export function entryBytesMax(path: string, name: string): number {
  return 9 * (path.length + name.length) + 6 * name.length + 64;
}

function linkOf(path: string, entry: FolderEntry): string {
  const { href } = pathToFileURL(join(path, entry.name));
  return escaped(entry.isFolder ? `${href}/` : href);
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES.get(character) ?? "");
}
