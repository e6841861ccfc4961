/** `crawl(options)`: opens a crawl and starts it. */
import { openCrawl } from "../agent/index.ts";
import type { CrawlError } from "../base/errors/index.ts";
import { version } from "../base/package/index.ts";
import { SystemClock } from "../base/time/index.ts";
import { CrawlDirectory } from "../store/directory/index.ts";
import { checkRowFile, OWN_FIELDS, openRowFile } from "../store/export/index.ts";
import type { CrawlOptions } from "./crawl-options.ts";
import { CrawlRun } from "./crawl-run.ts";
import { PageDesk } from "./page-desk.ts";
import { removeFolder, temporaryFolder, warn } from "./process-edge.ts";
import { type ReadOptions, readOptions } from "./read-options.ts";
import { RowFields } from "./row-fields.ts";

/**
 * Starts a crawl in this process. Rejects if the options have mistakes, all of which the error lists
 * (`CONFIG_INVALID`), or if the crawl cannot be opened.
 */
export async function crawl(options: CrawlOptions): Promise<CrawlRun> {
  const read = readOptions(options);
  options.signal?.throwIfAborted();
  const folder = options.out ?? (await temporaryFolder());
  const closed = async (): Promise<void> => {
    if (options.out === undefined) await removeFolder(folder);
  };
  try {
    return await open(options, read, { folder, closed });
  } catch (error) {
    await closed();
    throw error;
  }
}

async function open(
  options: CrawlOptions,
  read: ReadOptions,
  { folder, closed }: { readonly folder: string; readonly closed: () => Promise<void> },
): Promise<CrawlRun> {
  const { text = false, links = false, markdown = false, fresh = false, onSeedFailed } = options;
  const { configuration, secrets, modules, extraction } = read;
  const clock = new SystemClock();
  const trouble = (error: CrawlError): void => (options.onTrouble ?? warn)(error);
  const output = outputOf(options, read, folder);
  const fields = new RowFields({
    ...{ extraction, isWritten: output !== null, taken: OWN_FIELDS },
    names: output?.target.format === "csv" ? (output.fields ?? []) : null,
  });
  const desk = new PageDesk({ text, links, markdown, fields });
  const crawl = await openCrawl({
    ...{ configuration, secrets, folder, clock, output, reader: desk, version: version() },
    report: trouble,
    goOn: (recorded) => read.goOn(recorded),
    startOver: fresh ? async () => {} : null,
    importModule: modules.importModule,
    ...(onSeedFailed === undefined ? {} : { seedFailed: onSeedFailed }),
  });
  return new CrawlRun({ crawl, desk, clock, trouble, closed }, options);
}

type PagesOutput = NonNullable<Parameters<typeof openCrawl>[0]["output"]> | null;

/** The file of rows; the same as that of `--pages`. */
function outputOf(
  { text = false, links = false, markdown = false, fresh = false, fields = [] }: CrawlOptions,
  { target, extraction }: ReadOptions,
  crawlFolder: string,
): PagesOutput {
  const path = target?.path ?? null;
  if (target === null || path === null) return null;
  const mayAppend = !fresh && CrawlDirectory.exists(crawlFolder);
  checkRowFile(path, { crawlFolder, mayReplace: fresh, mayAppend });
  const names = [...new Set([...(extraction?.names ?? []), ...fields])];
  return {
    ...{ target, text, links, markdown, fields: names },
    openSink: async (fits, cutTo) =>
      openRowFile(path, { mayReplace: fresh, fits, cutTo, isCompressed: target.isCompressed }),
  };
}
