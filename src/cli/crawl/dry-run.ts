/**
 * `trobar crawl --dry-run`: what a crawl with these seeds and rules would begin with. The seeds, their
 * robots.txt files and, with `sitemaps`, their sitemaps are fetched; nothing is kept.
 */
import { dryRun } from "../../agent/index.ts";
import { printable } from "../../base/text/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { importFrom } from "../../rules/filter/index.ts";
import { lookUp } from "../inspect/look-up.ts";
import { EXIT } from "../shell/exit-code.ts";
import type { Terminal } from "../shell/terminal.ts";
import type { CrawlArguments } from "./crawl-arguments.ts";
import { amount, durationText, plural } from "./figures.ts";

type TriedSeed = Awaited<ReturnType<typeof dryRun>>[number];
type TriedLinks = TriedSeed["links"];

export interface TryOut {
  readonly configuration: Configuration;
  readonly secrets: CrawlArguments["secrets"];
  readonly isJson: boolean;
}

/** Exit code 5 if no seed has a page, as for the crawl itself. */
export async function tryOut(
  { configuration, secrets, isJson }: TryOut,
  terminal: Terminal,
): Promise<number> {
  const first = (configuration.seeds[0] ?? "") as Parameters<typeof lookUp>[0];
  const tried = (seed: TriedSeed): void => {
    if (!isJson) terminal.out(seedText(seed));
  };
  const seeds = await lookUp(first, { configuration, secrets }, (_url, options) =>
    dryRun({ ...options, importModule: importFrom("."), tried }),
  );
  if (isJson) terminal.out(`${JSON.stringify({ seeds })}\n`);
  else
    terminal.err("trobar: nothing was kept; without --dry-run the crawl begins with these seeds\n");
  return seeds.some(isPage) ? EXIT.finished : EXIT.nothingFetched;
}

function isPage({ status }: TriedSeed): boolean {
  return status !== null && status >= 200 && status < 300;
}

function seedText({
  url,
  status,
  redirectTo,
  failure,
  robots,
  links,
  sitemaps,
}: TriedSeed): string {
  const end = failure === null ? String(status) : `failed (${failure.why})`;
  const lines = [
    `${url}  ${end}${redirectTo === null ? "" : `, redirects to ${redirectTo}`}`,
    ...(failure === null ? [] : [`  ${failure.message}`, `  ${failure.remedy}`]),
    ...(robots === null ? [] : [`  ${robotsText(robots)}`]),
    ...(failure === null ? [`  ${linksText("link", links)}`] : []),
    ...sitemaps.map(
      (one) => `  sitemap ${one.url}: ${one.status ?? "failed"}, ${linksText("URL", one)}`,
    ),
  ];
  return `${lines.map(printable).join("\n")}\n`;
}

function robotsText({
  url,
  rule,
  line,
  crawlDelayMs,
  sitemaps,
}: NonNullable<TriedSeed["robots"]>): string {
  const facts = [
    rule === null ? "no rule for the seed" : `line ${line}: ${rule}`,
    ...(crawlDelayMs === null ? [] : [`asks for ${durationText(crawlDelayMs)} between fetches`]),
    ...(sitemaps.length === 0 ? [] : [`names ${plural(sitemaps.length, "sitemap")}`]),
  ];
  return `${url}: ${facts.join(", ")}`;
}

function linksText(noun: string, { found, taken, refused }: TriedLinks): string {
  const reasons = Object.entries(refused)
    .sort(([, one], [, other]) => other - one)
    .map(([reason, count]) => `${reason} ${amount(count)}`);
  const not = reasons.length === 0 ? "" : `; not taken: ${reasons.join(", ")}`;
  return `${plural(found, noun)}, of which ${amount(taken)} would be taken${not}`;
}
