/** Prints `docs/simweb.md`: how synthetic webs are made, and every feature of every profile. */

import { PROFILE_SCHEMA, PROFILES, type ProfileName } from "../../src/lab/simweb/index.ts";
import type { SchemaKey } from "../../src/rules/settings/index.ts";

const HEAD = `# Synthetic webs

What a synthetic web contains, and what is true about a crawl of it. How it is served and judged is
in [simweb-serving.md](simweb-serving.md). The tables below are printed from \`src/lab/simweb\` by
\`npm run docs\`; a test compares the two.

## The model

A web is a function of a profile and a seed. Nothing is stored: each page is generated when it is
requested, from the numbers of its host and its path. So a web of ten million pages exists at once,
and the same seed gives the same web everywhere.

- **Hosts** are numbered by size, which falls with their number (Zipf). The front page of host *h*
  introduces the hosts *8h+1* to *8h+8*, so all are found from host 0. Neighbouring numbers share a
  domain now and then, and hosts share addresses. All names end in \`.test\`.
- **Slots** are the numbered URLs of a host; slot 0 is the front page, and slot *p* introduces the
  slots *8p+1* to *8p+8*. So every URL is found from its host's front page, by links within the host.
- A slot or host that introduces others is sound, whatever the profile says. Only the others, the
  *leaves*, can have faults: seven slots of eight. So a fault of one page never hides another, unless
  that is what the feature is about.
- A leaf has one **role**: page, copy, redirect, error, file, something odd on the wire, and so on.
- **Further links** lead to pages drawn by rank, on the same host nine times out of ten. In-degrees of
  pages follow a power law (exponent 2.1 in large webs, up to 2.4 in small ones), sizes of hosts Zipf's law, lengths of
  pages a log-normal law.
- How a page is written (markup, spelling of URLs, encoding) is drawn separately and never changes
  what it links to. A mirror or a copy equals its original byte for byte.

## The truth

For the seeds, scope, limits and other rules of a crawl, the truth says of every URL whether it must,
may or must not be fetched, what the outcome is, how deep it is and which pages are equal to it. It is
computed from the model alone. A crawler written for the tests, on parse5 and nothing of ours but the
keys of URLs, agrees with it on every page, link, depth and duplicate.

| case | decision |
|---|---|
| found through ordinary links, allowed by scope, robots.txt and limits | must |
| behind links only in a body that is cut short, broken or of an odd type | may: how much of it is read is the crawler's choice |
| the page with such a body itself | must; \`page\` and \`failed\` are both right |
| a host whose name server truncates every answer | may |
| a page of a trap, within depth, scope, URL length and path segments | may: giving up early is fine |
| a page of a trap beyond one of these | must not |
| a redirect that names nothing to fetch | must; the answer is a redirect and ends there |
| a chain of redirects | must up to the limit; one more is left to the crawler; must not beyond |
| depth of what a redirect leads to | that of the redirect itself, unless redirects are counted as steps |
| a redirect to another URL with the same key (\`www: strip\`) | must: it is still on the way to the page |
| a seed that redirects | the scope is extended to its target |
| 429, 503, connections that break | must, as often as they fail and once more, within the retries |
| robots.txt that fails for good, or asks for too long a delay | nothing of the host may be fetched |
| robots.txt 4xx, or behind more than five redirects | all is allowed |
| robots.txt of a web page or of bytes | all is allowed |
| a host whose name cannot be resolved | must end with this failure, without any fetch |
| a page that says nofollow, a link that says it | its links, the link: not followed; the page itself must |
| what only a link of another kind names (\`img\`, \`form\`, …) | must not, unless such links are followed |
| links beyond the limit for one page | may |
| what is in a comment, a script, a text area, … | unknown to the web: fetching it is a fault |
| what a sitemap lists | must when sitemaps are read and there is no limit on depth; may with one |
| URLs that differ in session or campaign only | one page or several, as the rules for keys say |

## Profiles

\`plain\` has sound pages on sound hosts and the simplest links. \`realistic\` has all that the web has,
in moderate shares, and traps that end. \`hostile\` has everything at once and traps without end: crawl
it with a limit on depth. \`scale\` is ten million sound pages on a hundred thousand hosts.

Each number can be changed by its name (\`--feature traps.calendars=0.1\`). A share is of what its
meaning names: of all hosts, of all pages, of all links, or of the leaves. Features of hosts that
would hide other hosts befall only those that are not needed.
`;

const NAMES = Object.keys(PROFILES) as ProfileName[];

export function simwebPage(): string {
  const groups = new Map<string, SchemaKey[]>();
  for (const key of PROFILE_SCHEMA.keys) {
    const group = key.path.slice(0, key.path.indexOf("."));
    groups.set(group, [...(groups.get(group) ?? []), key]);
  }
  return [HEAD, ...[...groups].map(([group, keys]) => section(group, keys))].join("\n");
}

function section(group: string, keys: readonly SchemaKey[]): string {
  return [
    `### ${group}\n`,
    `| feature | meaning | ${NAMES.join(" | ")} |`,
    `|---|---|${NAMES.map(() => "--:").join("|")}|`,
    ...keys.map(row),
    "",
  ].join("\n");
}

function row({ path, key }: SchemaKey): string {
  const cells = NAMES.map((name) => {
    const value = PROFILE_SCHEMA.values(PROFILES[name]).get(path);
    return value === 0 && key.default === 0 ? "–" : key.type.write(value);
  });
  return `| \`${path}\` | ${key.meaning} | ${cells.join(" | ")} |`;
}
