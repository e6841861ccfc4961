/**
 * The link graph of the pages: `urls.txt`, whose line number, from 0, is a page's id; `arcs.txt`,
 * an arc `SOURCE TARGET` a line; and `graph.graph-txt`, the same as WebGraph's ASCII form, the
 * number of pages and then the successors of each. Ids are in the order of the pages' keys, as in
 * the graphs of the field. A redirect is an arc to where it leads. Links to what is not a page of
 * the export are left out.
 *
 * Neither ids nor arcs are held in memory: arcs are sorted by target and joined with the sorted
 * keys, then by source and joined again.
 */
import { keyOf, parseUrl } from "../../../formats/url/index.ts";
import { chunksOf, LineSorter } from "../output/line-sorter.ts";
import type { PartFolder } from "../output/part-folder.ts";
import type { PageRow } from "../page-row.ts";
import { contentOf } from "../source/page-content.ts";
import { isRead } from "../source/page-reading.ts";
import { type ExportJob, pagesOf } from "./export-job.ts";

export async function exportGraph(job: ExportJob, folder: PartFolder): Promise<void> {
  const sorters = ["keys", "targets", "sources"].map(
    (name) => new LineSorter(`${job.scratch}.${name}`),
  );
  const [keys, byTarget, bySource] = sorters as [LineSorter, LineSorter, LineSorter];
  try {
    await gather(job, keys, byTarget);
    // The key comes first, so that the order of lines is that of keys.
    for (const bytes of chunksOf(urlsOf(keys.sorted()))) folder.append("urls.txt", bytes);
    job.signal.throwIfAborted();
    for (const [arc, target] of joined(byTarget.sorted(), keysOf(keys.sorted()))) {
      bySource.add(`${arc}\t${target}`);
    }
    job.signal.throwIfAborted();
    writeArcs(job, folder, bySource, keys);
  } finally {
    for (const sorter of sorters) sorter.close();
  }
}

async function gather(job: ExportJob, keys: LineSorter, byTarget: LineSorter): Promise<void> {
  for await (const page of pagesOf(job)) {
    const source = keyText(page.url);
    if (source === null) {
      job.tally.counts.leftOut += 1;
      continue;
    }
    keys.add(`${source}\t${page.url}`);
    job.tally.counts.written += 1;
    for (const url of await targetsOf(job, page)) {
      const target = keyText(url);
      if (target !== null && target !== source) byTarget.add(`${target}\t${source}`);
    }
  }
}

async function targetsOf(job: ExportJob, page: PageRow): Promise<readonly string[]> {
  const { source, tally } = job;
  const links = page.warc === null ? null : await source.links(page);
  const damage = links === null ? await damageOf(job, page) : null;
  if (damage !== null) tally.damaged(page.url, `its links: ${damage}`);
  const urls = links?.map(({ url }) => url) ?? [];
  return page.redirectTo === null ? urls : [...urls, page.redirectTo];
}

/** Why a page that may have links has none; null if it says none. */
async function damageOf({ source }: ExportJob, page: PageRow): Promise<string | null> {
  if (page.warc === null || !isRead(page.mime)) return null;
  const outcome = await source.record(page);
  if (outcome.kind === "absent") return null;
  const read = outcome.kind === "record" ? contentOf(outcome.record) : outcome;
  return read.kind === "damaged" ? read.reason : null;
}

/** Null for what is not a URL of a page. Keys hold neither tabs nor line ends. */
function keyText(url: string): string | null {
  const parsed = parseUrl(url, { files: true });
  return parsed.kind === "accepted" ? keyOf(parsed.url) : null;
}

function* urlsOf(lines: Iterable<string>): Generator<string> {
  let last = "";
  for (const line of lines) {
    const [key = "", url = ""] = line.split("\t");
    if (key !== last) yield url;
    last = key;
  }
}

function* keysOf(lines: Iterable<string>): Generator<string> {
  let last = "";
  for (const line of lines) {
    const key = line.slice(0, line.indexOf("\t"));
    if (key !== last) yield key;
    last = key;
  }
}

/** For lines `KEY TAB REST` in order, the rest and the number of the key; without keys that are not there. */
function* joined(
  lines: Iterable<string>,
  keys: Iterator<string>,
): Generator<[rest: string, id: number]> {
  let id = 0;
  let key = keys.next();
  for (const line of lines) {
    const at = line.indexOf("\t");
    const wanted = line.slice(0, at);
    while (key.done !== true && key.value < wanted) {
      key = keys.next();
      id += 1;
    }
    if (key.done === true) return;
    if (key.value === wanted) yield [line.slice(at + 1), id];
  }
}

const WRITE_LINES = 10_000;

function writeArcs(
  job: ExportJob,
  folder: PartFolder,
  bySource: LineSorter,
  keys: LineSorter,
): void {
  let nodes = 0;
  for (const _ of keysOf(keys.sorted())) nodes += 1;
  const arcs: string[] = [];
  const lists: string[] = [String(nodes)];
  const flush = (): void => {
    job.signal.throwIfAborted();
    folder.append("arcs.txt", Buffer.from(arcs.map((line) => `${line}\n`).join("")));
    folder.append("graph.graph-txt", Buffer.from(lists.map((line) => `${line}\n`).join("")));
    arcs.length = 0;
    lists.length = 0;
  };
  let node = 0;
  let targets: number[] = [];
  const close = (next: number): void => {
    targets.sort((left, right) => left - right);
    lists.push(targets.join(" "));
    for (const target of targets) arcs.push(`${node} ${target}`);
    targets = [];
    for (node += 1; node < next; node += 1) lists.push("");
    if (arcs.length + lists.length > WRITE_LINES) flush();
  };
  for (const [target, source] of joined(bySource.sorted(), keysOf(keys.sorted()))) {
    if (source !== node) close(source);
    targets.push(Number(target));
  }
  if (nodes > 0) close(nodes);
  flush();
}
