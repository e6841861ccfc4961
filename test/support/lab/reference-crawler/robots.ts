/** The simplest reading of robots.txt: groups, longest match, wildcards as regular expressions. */

export interface PlainRobots {
  allows(path: string): boolean;
  readonly crawlDelaySeconds: number;
  readonly sitemaps: readonly string[];
}

interface Group {
  readonly agents: string[];
  readonly rules: { readonly allows: boolean; readonly pattern: string }[];
  delaySeconds: number;
}

const BYTES_MAX = 500 * 1024;

export const ALL_ALLOWED: PlainRobots = {
  allows: () => true,
  crawlDelaySeconds: 0,
  sitemaps: [],
};

export function plainRobots(body: Uint8Array, token: string): PlainRobots {
  const text = Buffer.from(body.subarray(0, BYTES_MAX)).toString("utf8");
  const groups = groupsOf(text);
  const own = groups.filter(({ agents }) => agents.includes(token));
  const chosen = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes("*"));
  const rules = chosen.flatMap((group) => group.rules).filter(({ pattern }) => pattern !== "");
  return {
    sitemaps: [...text.matchAll(/^Sitemap: (.*)$/gm)].map(([, url = ""]) => url),
    crawlDelaySeconds: Math.max(0, ...chosen.map((group) => group.delaySeconds)),
    allows(path) {
      const matching = rules.filter(({ pattern }) => matches(pattern, path));
      const longest = Math.max(0, ...matching.map(({ pattern }) => pattern.length));
      const best = matching.filter(({ pattern }) => pattern.length === longest);
      return best.length === 0 || best.some(({ allows }) => allows);
    },
  };
}

function groupsOf(text: string): Group[] {
  const groups: Group[] = [];
  let isListing = false;
  for (const line of text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/)) {
    const [, key, value = ""] = /^\s*([\w-]+)\s*:\s*(.*?)\s*(?:#.*)?$/.exec(line) ?? [];
    const word = key?.toLowerCase();
    if (word === "user-agent") {
      if (!isListing) groups.push({ agents: [], rules: [], delaySeconds: 0 });
      groups.at(-1)?.agents.push(value.toLowerCase());
      isListing = true;
    } else if (word === "allow" || word === "disallow") {
      groups.at(-1)?.rules.push({ allows: word === "allow", pattern: normal(value) });
      isListing = false;
    } else if (word === "crawl-delay") {
      const group = groups.at(-1);
      if (group !== undefined) group.delaySeconds = Number(value);
    }
  }
  return groups;
}

function matches(pattern: string, path: string): boolean {
  const escaped = pattern
    .replace(/[.+?^{}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replace(/\$(?!$)/g, "\\$");
  return new RegExp(`^${escaped}`).test(normal(path));
}

/** Escapes of what needs none are written out. */
function normal(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (triplet) => {
    const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : triplet.toUpperCase();
  });
}
