/**
 * Runs one export: opens the place it goes to, has the format write it, and gives it its name when
 * it is whole. The result says what was written and what could not be.
 */
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CrawlError } from "../../base/errors/index.ts";
import type { Random } from "../../base/seams/index.ts";
import { quoted } from "../../base/text/index.ts";
import { exportCdxj } from "./forms/cdxj.ts";
import { EXPORT_FORMATS, type ExportFormat } from "./forms/export-formats.ts";
import type { ExportJob } from "./forms/export-job.ts";
import { exportGraph } from "./forms/graph.ts";
import { exportMarkdown } from "./forms/markdown.ts";
import { type ContinuedOutput, exportPages, type PageForm } from "./forms/page-form.ts";
import { exportParquet } from "./forms/parquet.ts";
import { RowForm } from "./forms/row-form.ts";
import { exportSite } from "./forms/site.ts";
import { exportWacz } from "./forms/wacz.ts";
import { WatForm } from "./forms/wat.ts";
import { WetForm } from "./forms/wet.ts";
import { exportWords } from "./forms/words.ts";
import { type ExportCounts, type ExportProblem, ExportTally } from "./output/export-tally.ts";
import { type Output, SinkOutput } from "./output/output.ts";
import { PartFile } from "./output/part-file.ts";
import { PartFolder } from "./output/part-folder.ts";
import type { PageRow } from "./page-row.ts";
import type { RowSink } from "./row-sink.ts";
import type { ExportSource } from "./source/export-source.ts";

export interface ExportOptions {
  readonly source: ExportSource;
  readonly format: ExportFormat;
  /** A path, or where a stream goes. */
  readonly to: string | RowSink;
  readonly filter: {
    /** In its normal form. */
    readonly text: string;
    readonly accepts: (page: PageRow) => boolean;
  } | null;
  /** For `jsonl` and `csv`. */
  readonly text: boolean;
  readonly links: boolean;
  readonly signal: AbortSignal;
  readonly progress: (counts: Readonly<ExportCounts>, writtenBytes: number) => void;
  readonly random: Random;
  readonly nowMs: number;
  readonly software: string;
}

export interface ExportReport {
  readonly counts: Readonly<ExportCounts>;
  readonly writtenBytes: number;
  /** Whether an interrupted export was continued. */
  readonly isContinued: boolean;
  /** The first few records that could not be read. */
  readonly problems: readonly ExportProblem[];
}

/** Rejects with the signal's reason when it is aborted; what was written is kept for the next time. */
export async function runExport(options: ExportOptions): Promise<ExportReport> {
  const { to, format } = options;
  if (typeof to !== "string") return await toSink(options, to);
  return EXPORT_FORMATS[format].kind === "folder"
    ? await toFolder(options, to)
    : await toFile(options, to);
}

async function toFile(options: ExportOptions, path: string): Promise<ExportReport> {
  const part = PartFile.open(path, planOf(options));
  const tally = new ExportTally();
  const job = jobOf(options, { tally, scratch: `${path}.part.runs`, written: part });
  try {
    if (options.format === "wacz") await exportWacz(job, part);
    else await writeStream(options, job, part);
  } catch (error) {
    part.close();
    throw error;
  }
  part.finish();
  return reportOf(tally, part, part.continued !== null);
}

async function toFolder(options: ExportOptions, path: string): Promise<ExportReport> {
  const folder = PartFolder.open(path, planOf(options));
  const tally = new ExportTally();
  const job = jobOf(options, { tally, scratch: `${path}.part.runs`, written: folder });
  await FOLDERS[options.format]?.(job, folder);
  folder.finish();
  return reportOf(tally, folder, folder.continued !== null);
}

const FOLDERS: Partial<Record<ExportFormat, (job: ExportJob, to: PartFolder) => Promise<void>>> = {
  graph: exportGraph,
  markdown: exportMarkdown,
  site: exportSite,
};

async function toSink(options: ExportOptions, sink: RowSink): Promise<ExportReport> {
  const output = new SinkOutput(sink);
  const tally = new ExportTally();
  const scratch = fs.mkdtempSync(join(tmpdir(), "trobar-export-"));
  try {
    const job = jobOf(options, { tally, scratch: join(scratch, "runs"), written: output });
    await writeStream(options, job, output);
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
  return reportOf(tally, output, false);
}

interface JobParts {
  readonly tally: ExportTally;
  readonly scratch: string;
  readonly written: { readonly writtenBytes: number };
}

function jobOf(options: ExportOptions, { tally, scratch, written }: JobParts): ExportJob {
  const { source, filter, signal, random, nowMs, software } = options;
  const progress = (): void => options.progress(tally.counts, written.writtenBytes);
  const accepts = filter?.accepts ?? null;
  return { source, accepts, tally, signal, progress, random, nowMs, software, scratch };
}

async function writeStream(
  options: ExportOptions,
  job: ExportJob,
  output: Output | ContinuedOutput,
): Promise<void> {
  const { format, to } = options;
  switch (format) {
    case "cdxj":
      return await exportCdxj(job, output);
    case "parquet":
      return await exportParquet(job, output);
    case "words":
      return await exportWords(job, output);
    default: {
      const gzip = typeof to === "string" && /\.(?:jsonl|csv)\.gz$/i.test(to);
      return await exportPages(job, formOf(job, options), output, { gzip });
    }
  }
}

function formOf(job: ExportJob, { format, text, links }: ExportOptions): PageForm {
  if (format === "wet") return new WetForm(job);
  if (format === "wat") return new WatForm(job);
  return new RowForm(job.source, { format: format === "csv" ? "csv" : "jsonl", text, links });
}

/** Everything that must be the same for an export to be continued; null if it starts over. */
function planOf({ source, format, filter, text, links }: ExportOptions): string | null {
  if (!EXPORT_FORMATS[format].continues) return null;
  return JSON.stringify([1, source.id, format, filter?.text ?? null, text, links]);
}

function reportOf(
  tally: ExportTally,
  output: JobParts["written"],
  isContinued: boolean,
): ExportReport {
  const { counts, problems } = tally;
  return { counts, problems, isContinued, writtenBytes: output.writtenBytes };
}

/** Throws if an export may not be written there. Only a file that is asked for is replaced. */
export function checkTarget(path: string, format: ExportFormat, mayReplace: boolean): void {
  const status = fs.lstatSync(path, { throwIfNoEntry: false });
  if (status === undefined) return;
  const { kind } = EXPORT_FORMATS[format];
  const problem =
    kind === "folder"
      ? "exists already; name a folder that does not"
      : status.isDirectory()
        ? `is a folder; name a file in it, such as ${join(path, `crawl${EXPORT_FORMATS[format].ending}`)}`
        : !mayReplace && status.size > 0
          ? "exists already; name another file, or replace it with --replace"
          : null;
  if (problem === null) return;
  throw new CrawlError("USAGE_BAD_FLAG_VALUE", `--to ${quoted(path)} ${problem}.`);
}
