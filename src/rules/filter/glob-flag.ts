/**
 * Globs as people give them to `--include` and `--exclude`. One without a star is looked for anywhere
 * in the URL: whoever writes `/private` or `sessionid` means URLs that have it. What can match no URL
 * is a mistake; most often it is a regular expression, for which there is an atom.
 */
import { asciiLabels } from "./atoms/glob.ts";
import { printArgument } from "./language/printer.ts";

/** The glob as a filter expression. */
export function globExpression(glob: string): string {
  if (glob.includes("*")) return `URLGlob(${printArgument(glob)})`;
  // A host outside ASCII is written in another way in a URL than such a path.
  const forms = new Set([glob, hostForm(glob)]);
  const parts = [...forms].map((form) => `URLGlob(${printArgument(`*${form}*`)})`);
  return parts.length === 1 ? parts.join("") : `(${parts.join(" or ")})`;
}

/** As a host would have it; the glob itself where it is none. */
function hostForm(glob: string): string {
  try {
    return asciiLabels(glob);
  } catch {
    return glob;
  }
}

/** Why it can match no URL, and what to write instead; null where it can. */
export function globProblem(glob: string): string | null {
  if (looksLikeRegex(glob)) {
    const inner = glob.replace(/^\^/, "").replace(/\$$/, "").replace(/^\*/, ".*");
    const from = glob.startsWith("^") || inner.startsWith(".*") ? "" : ".*";
    const to = glob.endsWith("$") || inner.endsWith(".*") ? "" : ".*";
    const atom = `URLMatchesRegex(${printArgument(`${from}${inner}${to}`)})`;
    return (
      `is not a glob but looks like a regular expression; write ${atom}, ` +
      "or a backslash before a sign that is meant literally"
    );
  }
  if (/(?<!\\)#/.test(glob)) return "has a #, and URLs are compared without what follows that";
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(glob)?.[1]?.toLowerCase();
  if (scheme !== undefined && !["http", "https", "file"].includes(scheme)) {
    return `is for URLs of ${scheme}, which are not fetched; http and https are`;
  }
  const isHostFirst = glob.includes("*") && /^[.&=+,;~]/.test(glob);
  return isHostFirst
    ? `would have to match from the host on, and none begins so; write *${glob}`
    : null;
}

/** Signs that mean nothing in a glob, or make one that no URL fits. */
function looksLikeRegex(glob: string): boolean {
  return (
    /^\^|^\.[*+]|(?<!\\)\$$/.test(glob) ||
    /\\[dwsbDWSB](?![a-z0-9])/.test(glob) ||
    /\][+]|\][{]\d|\(\?|\([^()]*\|[^()]*\)/.test(glob)
  );
}
