/**
 * Markdown: the main content of each HTML page (`source/main-content.ts`) as a file of its own, with its
 * URL, title and date in front.
 */
import { headerValue } from "../../../formats/http/index.ts";
import type { PartFolder } from "../output/part-folder.ts";
import { safePath } from "../output/safe-path.ts";
import type { PageRow } from "../page-row.ts";
import type { PageRecord } from "../source/export-source.ts";
import { isHtmlMedia, openMainContent, type ReadMainContent } from "../source/main-content.ts";
import { contentOf, mediaOf } from "../source/page-content.ts";
import { type ExportJob, isWanted, passOver } from "./export-job.ts";
import { exportFolder } from "./folder-form.ts";

export async function exportMarkdown(job: ExportJob, folder: PartFolder): Promise<void> {
  const read = await openMainContent();
  const { source, tally } = job;
  await exportFolder(job, folder, async (page) => {
    if (!isWanted(job, page)) return;
    const outcome = page.status < 300 ? await source.record(page) : { kind: "absent" as const };
    if (outcome.kind === "damaged") {
      tally.damaged(page.url, outcome.reason);
      return;
    }
    const text = outcome.kind === "absent" ? null : markdownOf(page, outcome.record, read);
    if (text === null) {
      passOver(job, page, outcome.kind === "record" ? outcome.record : null);
      return;
    }
    folder.write(safePath(page.url, ".md"), Buffer.from(text));
    tally.counts.written += 1;
  });
}

/** Null for what is not HTML. */
function markdownOf(page: PageRow, record: PageRecord, read: ReadMainContent): string | null {
  if (!isHtmlMedia(mediaOf(record, page))) return null;
  const content = contentOf(record);
  if (content.kind !== "content") return null;
  const contentType = headerValue(record.headers, "content-type") ?? "";
  const { title, markdown } = read({ url: page.url, contentType, bytes: content.bytes });
  const head = { url: page.url, title, fetched: page.fetchedAt };
  // JSON strings are YAML, too.
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`);
  return `---\n${lines.join("")}---\n\n${markdown}\n`;
}
