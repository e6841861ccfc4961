/**
 * Sets of pages that differ as pages do: made-up ones with much text and with much markup, and what
 * people wrote. Compressors and parsers are measured and compared on them.
 */
import { globSync, readFileSync, statSync } from "node:fs";
import { samplePages } from "../../../bench/support/sample-pages.ts";
import { changedProfile, GeneratedWeb, PROFILES } from "../../../src/lab/simweb/index.ts";

const PAGE_BYTES = 25_000;
const PAGE_BYTES_MIN = 4000;
const HOSTS = 200;
const MADE = 100;
const WRITTEN_BYTES_MAX = 100_000;

export const PAGE_SETS: Readonly<Record<string, () => readonly Buffer[]>> = {
  "the synthetic web": () => syntheticPages("plain", MADE),
  prose: () => syntheticPages("scale", MADE),
  markup: () => samplePages(MADE, PAGE_BYTES),
  // The documentation of packages, of which the lock file names the versions.
  manuals: () => writtenPages(["node_modules/**/*.md", "node_modules/**/*.html"]),
};

/** Files that are neither small nor large. */
export function writtenPages(patterns: readonly string[]): Buffer[] {
  return globSync([...patterns])
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path))
    .filter(({ length }) => length >= PAGE_BYTES_MIN && length <= WRITTEN_BYTES_MAX);
}

function syntheticPages(profile: "plain" | "scale", count: number): Buffer[] {
  const pages = { medianBytes: PAGE_BYTES, spread: 0 };
  const changed = changedProfile(PROFILES[profile], { pages, text: { compressed: 0 } });
  const web = new GeneratedWeb({ profile: changed, seed: "pages" });
  const found: Buffer[] = [];
  for (let index = 0; found.length < count; index += 1) {
    const host = (index * 7919) % Math.min(HOSTS, web.hostCount);
    const { hostname, pathname, search } = new URL(
      web.model.url(host, index % web.model.hosts.size(host)),
    );
    const asked = { host: hostname, method: "GET", target: pathname + search, headers: [] };
    const { body } = web.respond({ ...asked, earlierTries: 9 });
    if (body.length >= PAGE_BYTES_MIN) found.push(Buffer.from(body));
  }
  return found;
}
