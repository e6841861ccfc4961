/**
 * Globs as people give them to `--include` and `--exclude`. One without a star is looked for
 * anywhere in the URL: a user who writes `/private` or `sessionid` means URLs that contain it. A
 * glob that can match no URL is a mistake; most often it is a regular expression, for which there
 * is an atom.
 */
import { BUILT_IN_SCHEMES } from "../../formats/url/index.ts";
import { asciiLabels } from "./atoms/glob.ts";
import { printArgument } from "./language/printer.ts";

/** The glob as a filter expression. */
export function globExpression(glob: string): string {
  if (glob.includes("*")) return `URLGlob(${printArgument(glob)})`;
  // In a URL, a host outside ASCII is written differently from such a path.
  const forms = new Set([glob, hostForm(glob)]);
  const parts = [...forms].map((form) => `URLGlob(${printArgument(`*${form}*`)})`);
  return parts.length === 1 ? parts.join("") : `(${parts.join(" or ")})`;
}

/** In the form of a host; the glob itself if it is not one. */
function hostForm(glob: string): string {
  try {
    return asciiLabels(glob);
  } catch {
    return glob;
  }
}

/**
 * Why it can match no URL, and what to write instead; null if it can. `schemes` are fetched besides
 * those that are built in.
 */
export function globProblem(glob: string, schemes?: ReadonlySet<string>): string | null {
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
  if (/(?<!\\)#/.test(glob)) return "has a #, and URLs are compared without their fragments";
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(glob)?.[1]?.toLowerCase();
  const isFetched = scheme === undefined || BUILT_IN_SCHEMES.includes(scheme);
  if (!isFetched && schemes?.has(scheme) !== true) {
    return `is for URLs of ${scheme}, which are not fetched; http and https are`;
  }
  const isHostFirst = glob.includes("*") && /^[.&=+,;~]/.test(glob);
  return isHostFirst
    ? `would have to match from the host on, and no host begins like that; write *${glob}`
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
