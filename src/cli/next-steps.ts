/** What a user may want to do when a crawl has ended: commands that work as they stand. */
import { printable } from "../text/index.ts";
import type { CrawlReport } from "./crawl-report.ts";
import { plural } from "./figures.ts";

export function nextSteps({ summary, folder, kept }: CrawlReport): string[] {
  const { pages, reason, queued, failedSeeds } = summary;
  const isKept = kept !== null;
  const [failed] = failedSeeds;
  if (pages === 0 && failed !== undefined) return firstLook(failed.url, failed.why);
  const out = shellWord(folder);
  return [
    ...(isKept && pages > 0
      ? [
          `zcat -f ${out}/warc/*.warc* | less    the pages as they were received`,
          `less ${out}/logs/crawl.log    what became of each URL`,
        ]
      : []),
    ...(queued > 0 && (reason === "limit" || reason === "signal") && isKept
      ? [
          `${plural(queued, "URL")} ${queued === 1 ? "was" : "were"} still queued. This version cannot ` +
            "continue a crawl yet: --fresh starts over.",
        ]
      : []),
  ];
}

/** What helps most, or shows most of why a seed failed; nothing where only its owner can help. */
function firstLook(url: string, why: string): string[] {
  const word = shellWord(url);
  if (/^(?:address|port|FETCH_ADDRESS_REFUSED|FETCH_PORT_REFUSED)$/.test(why)) {
    return [`trobar crawl ${word} --allow-private    if it is yours to crawl`];
  }
  if (/^(?:robots|crawl-delay)/.test(why)) {
    return [`trobar inspect robots ${word}    what robots.txt says`];
  }
  if (why === "FETCH_TLS_CERTIFICATE") {
    return [`trobar crawl ${word} --set fetch.insecure=true    if you trust it all the same`];
  }
  if (/^(?:DNS_|FETCH_SCHEME|scheme|host-|base-|port-)/.test(why)) return [];
  return [`trobar inspect links ${word}    fetch this one again and look at it`];
}

/** A word for a shell, quoted where it must be; what a terminal would obey stands as its bytes. */
function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (printable(text) === text) return `'${text.replaceAll("'", "'\\''")}'`;
  const characters = [...text].map((one) => {
    if (printable(one) === one) return one.replace(/['\\]/, "\\$&");
    return [...Buffer.from(one)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
  });
  return `$'${characters.join("")}'`;
}
