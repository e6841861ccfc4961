/** A WARC file of records that are made from those of the archive: WET and WAT. */
import {
  recordId,
  WarcEncoder,
  type WarcRecord,
  warcinfoRecord,
} from "../../../formats/warc/index.ts";
import type { PageRow } from "../page-row.ts";
import type { PageRecord } from "../source/export-source.ts";
import { type ExportJob, passOver } from "./export-job.ts";
import type { PageForm } from "./page-form.ts";

const WARC_1_1 = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/";

export abstract class DerivedForm implements PageForm {
  protected readonly job: ExportJob;
  protected readonly warcinfoId: string;
  readonly #encoder = new WarcEncoder({ compression: "gzip", level: null });

  constructor(job: ExportJob) {
    this.job = job;
    this.warcinfoId = recordId(job.random);
  }

  /** What the first record says of the file. */
  protected abstract readonly description: string;
  protected abstract readonly withRequest: boolean;

  head(): Uint8Array {
    const { nowMs, source, software } = this.job;
    const record = warcinfoRecord({
      id: this.warcinfoId,
      dateMs: nowMs,
      fileName: `${source.name}.warc.gz`,
      entries: [
        ["software", software],
        ["format", "WARC File Format 1.1"],
        ["conformsTo", WARC_1_1],
        ["isPartOf", source.name],
        ["description", this.description],
      ],
    });
    return this.bytesOf([record]);
  }

  async encode(page: PageRow): Promise<Uint8Array | null> {
    const { source, tally } = this.job;
    const outcome = await source.record(page, { request: this.withRequest });
    if (outcome.kind === "damaged") {
      tally.damaged(page.url, outcome.reason);
      return null;
    }
    const records = outcome.kind === "absent" ? [] : this.derive(page, outcome.record);
    if (records.length > 0) return this.bytesOf(records);
    passOver(this.job, page, outcome.kind === "record" ? outcome.record : null);
    return null;
  }

  protected abstract derive(page: PageRow, record: PageRecord): readonly WarcRecord[];

  /** The encoder's memory is used again for the next record, so each is copied. */
  protected bytesOf(records: readonly WarcRecord[]): Uint8Array {
    return Buffer.concat(records.map((record) => Buffer.from(this.#encoder.encode(record))));
  }
}

/** Without the angle brackets. */
export function plainId(id: string | null): string | null {
  return id === null ? null : id.replace(/^<|>$/g, "");
}
