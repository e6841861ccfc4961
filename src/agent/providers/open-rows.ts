/** Opens what pages go to when they are done: the file of `--pages`, and a store that is not WARC. */
import { resolve } from "node:path";
import { gzip } from "node:zlib";
import type { Configuration } from "../../rules/config/index.ts";
import { csvRows, JSON_ROWS, RowWriter } from "../../store/export/index.ts";
import type { Provision } from "../../topology/unit/index.ts";
import { PageMarkdown } from "../visit/page-markdown.ts";
import { type FurtherStore, PAGES_MARK, PageRows } from "../visit/page-rows.ts";
import type { RowFields } from "../visit/visit-row.ts";
import { type CrawlWorld, closed, type PagesOutput } from "./crawl-world.ts";
import { openKeeper } from "./open-keeper.ts";

export async function openRows(
  configuration: Configuration,
  world: CrawlWorld,
): Promise<Provision<PageRows | null>> {
  const { output, reader, furtherStores } = world;
  const importModule = furtherStores ?? world.importModule;
  const keeper = await world.keeper.open(configuration, world);
  if (output === null && reader === null && keeper === null && furtherStores === null) {
    return { service: null };
  }
  const text = output?.text === true || reader?.text === true;
  const links = output?.links === true || reader?.links === true;
  const fields = { text, links };
  const markdown =
    output?.markdown === true || reader?.markdown === true
      ? new PageMarkdown({ clock: world.clock, open: world.openBackground })
      : null;
  const extras = { ...fields, markdown: markdown !== null };
  // Where there are several lanes, rows are written by the desk.
  const isOwn = output !== null && world.lane === null;
  const writer = isOwn ? await openWriter(output, configuration, world, extras) : null;
  const taker = output === null ? null : (world.lane?.rows ?? writer);
  return {
    service: new PageRows({
      ...{ writer: taker, reader, fields, markdown, keeper },
      open: (id, store) =>
        openKeeper(furtherConfiguration(configuration, id, store), { ...world, importModule }),
      close: (further) => closed(world, (done) => further.close(done)),
    }),
    close: async () => {
      markdown?.close();
      if (writer !== null) await closed(world, (done) => writer.close(done));
      await world.keeper.close(world);
    },
  };
}

/** The configuration as if it named this store. */
function furtherConfiguration(
  configuration: Configuration,
  id: string,
  { kind, prefix, compression, size, text, links, body }: FurtherStore,
): Configuration {
  const own = { kind, compression, text, body, prefix: prefix ?? id, output: "files" } as const;
  const store = { ...configuration.store, ...own, level: null, warcSize: size, outlinks: links };
  return { ...configuration, store };
}

async function openWriter(
  { target, openSink, fields = [] }: PagesOutput,
  { parse: { requisites } }: Configuration,
  { clock, listener, saved, wasKilled }: CrawlWorld,
  wanted: RowFields & { readonly markdown: boolean },
): Promise<RowWriter> {
  const extras = { requisites, ...wanted, fields };
  const format = target.format === "csv" ? csvRows(extras) : JSON_ROWS;
  const mark = wasKilled ? saved?.rows?.[PAGES_MARK] : undefined;
  const isKnown = mark !== undefined && target.path !== null && resolve(target.path) === mark.file;
  const fits = (firstLine: string): boolean => format.fits(firstLine, extras);
  return new RowWriter({
    ...{ clock, format },
    sink: await openSink(saved === null && !wasKilled ? null : fits, isKnown ? mark.bytes : null),
    compress: target.isCompressed ? gzip : null,
    failed: (error) => listener.failed(error),
  });
}
