/**
 * `trobar store verify`: checks every file of a crawl against every other, and lists what is wrong
 * with its place and remedy. The exit code is 4 when something is. With `--rebuild` what can be made
 * again is made again instead.
 */

import { DIRECTORY_CARE } from "../../agent/index.ts";
import { version } from "../../base/package/index.ts";
import { printable, quoted } from "../../base/text/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { type Verification, verifyArchives } from "../../store/query/index.ts";
import { plural } from "../crawl/figures.ts";
import { EXIT } from "../shell/exit-code.ts";
import { removeFolder, temporaryFolder } from "../shell/named-files.ts";
import { bold, type Terminal } from "../shell/terminal.ts";
import { type CrawlFolder, crawlFolder } from "./crawl-folder.ts";
import { Mistakes } from "./mistakes.ts";
import { storeRebuild } from "./store-rebuild.ts";
import { readStoreWords } from "./store-words.ts";
import { WorkProgress } from "./work-progress.ts";

export async function storeVerify(args: readonly string[], terminal: Terminal): Promise<number> {
  const mistakes = new Mistakes();
  const given = readStoreWords("store verify", args, mistakes);
  for (const word of given.words) {
    mistakes.add(`${quoted(word)}: name the directory of a whole crawl with -o DIR.`);
  }
  const { archives } = given;
  const rebuilds = given.has("rebuild");
  if (rebuilds && archives.length > 0) {
    mistakes.add("--rebuild is for the directory of a crawl, and --warc names archives.");
  }
  mistakes.throwIfAny();
  const folder = archives.length > 0 ? null : crawlFolder(given.value("out"));
  const isQuiet = given.has("quiet");
  if (rebuilds && folder !== null) {
    const { path } = folder;
    return await storeRebuild({ path, isQuiet, isJson: given.has("json") }, terminal);
  }
  let latest = { lines: 0, records: 0 };
  const progress = new WorkProgress({
    ...{ terminal, clock: new SystemClock(), isQuiet },
    line: () => `verify: ${plural(latest.lines, "line")}, ${plural(latest.records, "record")}`,
    event: () => ({ ...latest }),
  });
  const told = ({ lines, records }: typeof latest): void => {
    latest = { lines, records };
  };
  const scratch = await temporaryFolder("trobar-verify-");
  try {
    const found =
      folder === null
        ? await verifyArchives(archives, { told })
        : await verified(folder, { scratch, told, version: version() });
    progress.stop();
    const text = given.has("json") ? jsonOf(found) : shown(found, terminal.colour);
    await terminal.write(text);
    return found.countOfProblems === 0 ? EXIT.finished : EXIT.disk;
  } finally {
    progress.stop();
    await removeFolder(scratch);
  }
}

/** The directories of several agents together. */
function verified(
  { path, agents }: CrawlFolder,
  options: Parameters<typeof DIRECTORY_CARE.verify>[1],
): ReturnType<typeof DIRECTORY_CARE.verify> {
  return agents.length > 1
    ? DIRECTORY_CARE.verifyAll(agents, options)
    : DIRECTORY_CARE.verify(path, options);
}

function jsonOf({ problems, countOfProblems, ...counts }: Found): string {
  const more = countOfProblems - problems.length;
  return `${JSON.stringify({ ok: countOfProblems === 0, ...counts, problems, more })}\n`;
}

/** Of archives alone, or of a crawl. */
type Found = Verification | Awaited<ReturnType<typeof DIRECTORY_CARE.verify>>;

const SHOWN_MAX = 50;

function shown(found: Found, colour: boolean): string {
  const { files, records, lines, rows, links, linkedPages } = found;
  const { kinds, problems, countOfProblems } = found;
  const counts = [
    plural(files, "file"),
    plural(records, "record"),
    plural(lines, "line"),
    plural(rows, "row"),
    plural(links, "link"),
    ...(linkedPages.compared > 0 ? [`the links of ${plural(linkedPages.compared, "page")}`] : []),
    ...("waiting" in found ? [plural(found.waiting, "waiting URL")] : []),
  ];
  const listed = problems.slice(0, SHOWN_MAX).map(({ file, at, url, problem, remedy }) => {
    const place = at === null ? file : `${file} at ${at}`;
    const page = url === null ? "" : ` (${url})`;
    return `${bold(printable(place), colour)}${printable(page)}: ${printable(problem)}\n  ${printable(remedy)}\n`;
  });
  const rest = countOfProblems - listed.length;
  const more =
    rest > 0 ? `and ${plural(rest, "more problem")}; --json lists up to a thousand\n` : "";
  const verdict =
    countOfProblems === 0
      ? "no problem found"
      : `${plural(countOfProblems, "problem")} (${Object.entries(kinds)
          .map(([kind, count]) => `${kind} ${count}`)
          .join(", ")})`;
  const unchecked =
    "checkpoint" in found && found.checkpoint === "replaced"
      ? "not checked: what the crawl goes on from, since it runs and replaced that meanwhile; pause it\n"
      : "";
  const running =
    "cluster" in found && found.cluster === "running"
      ? "not checked: what agents know of each other, since one of them runs; stop it\n"
      : "";
  return `${listed.join("")}${more}${verdict}: checked ${counts.join(", ")}\n${unchecked}${running}`;
}
