/**
 * A copy of the site that opens from disk: a file for each page and each requisite, links between
 * them rewritten. Start at `index.html`, which lists the first pages.
 */
import { documentBase } from "../../../formats/html/index.ts";
import type { PartFolder } from "../output/part-folder.ts";
import type { PageRow } from "../page-row.ts";
import type { PageRecord } from "../source/export-source.ts";
import { contentOf } from "../source/page-content.ts";
import { PageReading } from "../source/page-reading.ts";
import { type ExportJob, isWanted } from "./export-job.ts";
import { exportFolder } from "./folder-form.ts";
import { type RewriteLink, rewriteCss, rewriteHtml } from "./site-html.ts";
import { fileOf, pathFrom, SiteNames } from "./site-names.ts";
import { rewriteSvg } from "./site-svg.ts";

/** Pages that the first file lists. */
const LISTED_MAX = 1000;

export async function exportSite(job: ExportJob, folder: PartFolder): Promise<void> {
  const { source, tally } = job;
  const copier = new Copier(job);
  const listed = new Map<string, string>();
  await listEarlier(job, folder, listed);
  await exportFolder(job, folder, async (page) => {
    if (!isWanted(job, page)) return;
    const file = fileOf(page);
    const outcome = file === null ? null : await source.record(page);
    if (outcome?.kind === "damaged") tally.damaged(page.url, outcome.reason);
    else if (file === null || outcome?.kind !== "record") tally.counts.leftOut += 1;
    else {
      const bytes = await copier.copy(page, file, outcome.record);
      if (typeof bytes === "string") tally.damaged(page.url, bytes);
      else {
        folder.write(file, bytes);
        tally.counts.written += 1;
        list(listed, page, file);
      }
    }
  });
  if (listed.size === 0) return;
  folder.write("index.html", Buffer.from(startPage(source.name, [...listed.values()])));
}

/** The pages that an export wrote before it was interrupted. */
async function listEarlier(
  { source, accepts }: ExportJob,
  folder: PartFolder,
  listed: Map<string, string>,
): Promise<void> {
  const end = folder.continued?.cursor ?? 0;
  if (end === 0) return;
  for await (const { pages, cursor } of source.pages()) {
    for (const page of pages) {
      const file = accepts === null || accepts(page) ? fileOf(page) : null;
      if (file !== null && folder.has(file)) list(listed, page, file);
    }
    if (cursor >= end || listed.size >= LISTED_MAX) return;
  }
}

function list(listed: Map<string, string>, page: PageRow, file: string): void {
  if (file.endsWith(".html") && listed.size < LISTED_MAX) listed.set(file, lineOf(page, file));
}

class Copier {
  readonly #names: SiteNames;
  readonly #reading = new PageReading();

  constructor(job: ExportJob) {
    this.#names = new SiteNames(job);
  }

  /** The bytes of the copy, or why there is none. */
  async copy(page: PageRow, file: string, record: PageRecord): Promise<Uint8Array | string> {
    const content = contentOf(record);
    if (content.kind === "damaged") return content.reason;
    const { bytes } = content;
    if (file.endsWith(".html")) return await this.#html(page, file, record, bytes);
    const rewriteText = file.endsWith(".css")
      ? rewriteCss
      : file.endsWith(".svg")
        ? rewriteSvg
        : null;
    if (rewriteText === null) return bytes;
    const text = Buffer.from(bytes).toString("utf8");
    const rewrite = async (link: RewriteLink): Promise<string> => rewriteText(text, link);
    return Buffer.from(await this.#twice(rewrite, page.url, file));
  }

  async #html(
    page: PageRow,
    file: string,
    record: PageRecord,
    bytes: Uint8Array,
  ): Promise<Uint8Array | string> {
    const read = this.#reading.read(record, page);
    if (read === null) return "it is not HTML";
    const html = this.#reading.decoded(bytes, read);
    const base = documentBase(page.url, read.base, read.encoding);
    return Buffer.from(await this.#twice((link) => rewriteHtml(html, link), base, file));
  }

  /** First finds out which links there are, then writes where each leads. */
  async #twice(
    rewriteAll: (link: RewriteLink) => Promise<string>,
    base: string,
    file: string,
  ): Promise<string> {
    const written = new Set<string>();
    await rewriteAll((link) => {
      written.add(link);
      return link;
    });
    const leads = new Map<string, string | null>();
    for (const link of written) leads.set(link, await this.#lead(link, base, file));
    return await rewriteAll((link) => leads.get(link) ?? null);
  }

  /** Null for what could run. */
  async #lead(link: string, base: string, file: string): Promise<string | null> {
    if (link.trim().startsWith("#")) return link;
    const url = URL.parse(link.trim(), base);
    if (url === null) return "#";
    if (/^(?:mailto|tel):$/.test(url.protocol)) return url.href;
    if (url.protocol === "data:")
      return /^data:(?:image\/(?!svg)|font\/)/i.test(url.href) ? url.href : null;
    if (!/^(?:https?|ftp):$/.test(url.protocol)) return null;
    const { hash } = url;
    url.hash = "";
    const target = await this.#names.find(url.href);
    return target === null ? url.href + hash : pathFrom(file, target) + hash;
  }
}

function lineOf({ url }: PageRow, file: string): string {
  return `<li><a href="${file}">${escaped(url)}</a>`;
}

function startPage(name: string, listed: readonly string[]): string {
  const title = escaped(name);
  return `<!doctype html><meta charset="utf-8"><title>${title}</title><h1>${title}</h1><ul>${listed.join("\n")}</ul>\n`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
