/**
 * Parquet with Common Crawl's index columns, by `hyparquet-writer`. Rows are gathered into groups,
 * and each group is written before the next one begins; what grows is a few hundred bytes of footer
 * for each group.
 */
import type { Output } from "../output/output.ts";
import { batchesOf, type ExportJob, isWanted } from "./export-job.ts";
import { type ColumnValue, type IndexColumn, indexColumns, urlFacts } from "./index-columns.ts";

/** Rows of one group. */
const GROUP_ROWS = 20_000;

export async function exportParquet(job: ExportJob, output: Output): Promise<void> {
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await import("hyparquet-writer");
  const columns = indexColumns(job.source.name);
  const writer = new ByteWriter();
  const schema = schemaFromColumnData({ columnData: sourcesOf(columns, emptyOf(columns)) });
  const parquet = new ParquetWriter({ writer, schema });
  const flush = async (): Promise<void> => {
    await output.write(Buffer.from(writer.getBytes()));
    writer.index = 0;
  };
  let values = emptyOf(columns);
  let rows = 0;
  const writeGroup = async (): Promise<void> => {
    await parquet.write({ columnData: sourcesOf(columns, values), rowGroupSize: GROUP_ROWS });
    await flush();
    values = emptyOf(columns);
    rows = 0;
  };
  for await (const { pages } of batchesOf(job)) {
    for (const page of pages) {
      if (!isWanted(job, page)) continue;
      const url = urlFacts(page.url);
      for (const [at, column] of columns.entries()) values[at]?.push(column.of(page, url));
      job.tally.counts.written += 1;
      rows += 1;
      if (rows === GROUP_ROWS) await writeGroup();
    }
  }
  if (rows > 0) await writeGroup();
  await parquet.finish();
  await flush();
}

function emptyOf(columns: readonly IndexColumn[]): ColumnValue[][] {
  return columns.map(() => []);
}

function sourcesOf(columns: readonly IndexColumn[], values: readonly ColumnValue[][]) {
  return columns.map(({ name, type }, at) => ({
    ...{ name, type, data: values[at] ?? [], nullable: true, offsetIndex: false },
  }));
}
