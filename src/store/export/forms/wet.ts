/**
 * WET, Common Crawl's form of plain text: a WARC file of `conversion` records, one for each page
 * that has text and was answered well, which names the record it was made from.
 */
import { contentRecord, recordId, type WarcRecord } from "../../../formats/warc/index.ts";
import type { PageRow } from "../page-row.ts";
import type { PageRecord } from "../source/export-source.ts";
import { PageReading } from "../source/page-reading.ts";
import { DerivedForm, plainId } from "./derived-form.ts";
import { threeLetters } from "./language-codes.ts";

export class WetForm extends DerivedForm {
  protected readonly description = "the text of pages";
  protected readonly withRequest = false;
  readonly #reading = new PageReading();

  protected derive(page: PageRow, record: PageRecord): readonly WarcRecord[] {
    // As in Common Crawl's files, the texts of errors are not texts of pages.
    if (page.status < 200 || page.status > 299) return [];
    const said = this.#reading.text(record, page);
    if (said === null || said.text === "") return [];
    const refersTo = plainId(record.answer.fields.get("WARC-Record-ID"));
    const conversion = contentRecord("conversion", {
      ...{ url: page.url, dateMs: Date.parse(page.fetchedAt), warcinfoId: this.warcinfoId },
      ...{ id: recordId(this.job.random), contentType: "text/plain" },
      ...(refersTo === null ? {} : { refersTo }),
      bytes: Buffer.from(said.title === "" ? said.text : `${said.title}\n${said.text}`),
    });
    const language = threeLetters(page.language ?? said.language);
    if (language === null) return [conversion];
    const identified = ["WARC-Identified-Content-Language", language] as const;
    return [{ ...conversion, fields: [...conversion.fields, identified] }];
  }
}
