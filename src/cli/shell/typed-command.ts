/**
 * Commands that are shown to be run as they stand: with those flags of the previous command that
 * matter to them, quoted for a shell. A password is never shown: what holds one is left out, and
 * named so that the user adds it again.
 */
import { printable } from "../../base/text/index.ts";
import { parseCommandLine } from "./arguments.ts";
import { AGENT_FLAGS, CRAWL_FLAGS, type Flag } from "./flag-table.ts";

/** Flags of a crawl that another command can be given. */
export interface CarriedFlags {
  /** As they are typed, each quoted where it must be. */
  readonly words: readonly string[];
  /** What was left out since it holds a secret. */
  readonly withheld: readonly string[];
}

/** Never carried to another command: what to crawl, and what becomes of an existing directory. */
const OWN = new Set(["seeds", "fresh", "yes"]);

const USER = /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^/?#]*@/i;

/** Of the arguments of a crawl, or of an agent, those flags that are in a table of flags as well. */
export function carriedFlags(args: readonly string[], table: readonly Flag[]): CarriedFlags {
  const { uses, words: seeds } = parseCommandLine(args, [...CRAWL_FLAGS, ...AGENT_FLAGS]);
  const words: string[] = [];
  const withheld = new Set<string>();
  for (const { flag, text } of uses) {
    if (OWN.has(flag.long) || !table.some(({ long }) => long === flag.long)) continue;
    const name = flag.short === undefined ? `--${flag.long}` : `-${flag.short}`;
    if (text === null) words.push(name);
    else if (isSecret(flag, text)) withheld.add(secretName(flag, text));
    else words.push(name, shellWord(text));
  }
  if (seeds.some((seed) => USER.test(seed))) withheld.add("user and password");
  return { words, withheld: [...withheld] };
}

/** Headers may be keys to a site, and so may what stands before the host of a URL. */
function isSecret({ long }: Flag, text: string): boolean {
  if (long === "header" || /:\/\/[^/?#]*@/.test(text)) return true;
  return long === "set" && /^\s*fetch\.headers|^\s*fetch\s*=/.test(text);
}

function secretName({ long }: Flag, text: string): string {
  const key = /^[\w.\s]*/.exec(text)?.[0].trim() ?? "";
  return long === "set" ? `--set ${key}` : `--${long}`;
}

/** A word for a shell, quoted where it must be; control characters are written as their bytes. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (printable(text) === text) return `'${text.replaceAll("'", "'\\''")}'`;
  const characters = [...text].map((one) => {
    if (printable(one) === one) return one.replace(/['\\]/, "\\$&");
    return [...Buffer.from(one)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
  });
  return `$'${characters.join("")}'`;
}
