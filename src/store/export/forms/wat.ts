/**
 * WAT, Common Crawl's form of metadata: for each request and each answer a `metadata` record whose
 * block is JSON: the record's head, the HTTP head and, for HTML, title, metas and links.
 */
import type { Link, Page } from "../../../formats/html/index.ts";
import {
  type Field,
  metadataRecord,
  parseHttpBlock,
  type ReadRecord,
  recordId,
  sha1Digest,
  type WarcRecord,
} from "../../../formats/warc/index.ts";
import type { PageRow } from "../page-row.ts";
import type { PageRecord } from "../source/export-source.ts";
import { PageReading } from "../source/page-reading.ts";
import { DerivedForm, plainId } from "./derived-form.ts";

export class WatForm extends DerivedForm {
  protected readonly description = "the metadata of requests and answers";
  protected readonly withRequest = true;
  readonly #reading = new PageReading();

  protected derive(page: PageRow, record: PageRecord): readonly WarcRecord[] {
    const { request, answer } = record;
    const html = this.#reading.read(record, page);
    return [
      ...(request === null ? [] : [this.#metadata(page, request, null)]),
      this.#metadata(page, answer, html),
    ];
  }

  #metadata(page: PageRow, about: ReadRecord, html: Page | null): WarcRecord {
    const refersTo = about.fields.get("WARC-Record-ID");
    const record = metadataRecord({
      ...{ url: page.url, dateMs: Date.parse(page.fetchedAt), warcinfoId: this.warcinfoId },
      ...{ id: recordId(this.job.random), entries: [] },
    });
    const fields: Field[] = record.fields.map(([name, value]) =>
      name === "Content-Type" ? [name, "application/json"] : [name, value],
    );
    if (refersTo !== null) fields.push(["WARC-Refers-To", `<${plainId(refersTo)}>`]);
    const block = [Buffer.from(JSON.stringify(watOf(page, about, html)))];
    return { ...record, fields, block };
  }
}

function watOf(page: PageRow, record: ReadRecord, html: Page | null): object {
  const { block, fields, format } = record;
  return {
    Container: {
      Filename: page.warc,
      Compressed: page.warc?.endsWith(".gz") === true,
      Offset: String(record.offset),
    },
    Envelope: {
      Format: format.toUpperCase(),
      "WARC-Header-Metadata": Object.fromEntries(fields.list),
      "Payload-Metadata": payloadOf(record, html),
      "Actual-Content-Length": String(block.length),
      "Block-Digest": sha1Digest(block),
    },
  };
}

function payloadOf(record: ReadRecord, html: Page | null): object {
  const http = record.type === "resource" ? null : parseHttpBlock(record.block);
  const type = { "Actual-Content-Type": record.fields.get("Content-Type") ?? "unknown" };
  if (http === null) return type;
  const [first = "", second = "", ...rest] = http.startLine.split(" ");
  const body = {
    "Headers-Length": String(record.block.length - http.body.length),
    Headers: headersOf(http.headers),
    "Entity-Length": String(http.payload.length),
    "Entity-Digest": sha1Digest(http.payload),
    "Entity-Trailing-Slop-Length": "0",
  };
  if (record.type === "request") {
    const message = { Method: first, Path: second, Version: rest.join(" ") };
    return { ...type, "HTTP-Request-Metadata": { "Request-Message": message, ...body } };
  }
  const message = { Status: second, Version: first, Reason: rest.join(" ") };
  return {
    ...type,
    "HTTP-Response-Metadata": {
      "Response-Message": message,
      ...body,
      ...(html === null ? {} : { "HTML-Metadata": htmlOf(html) }),
    },
  };
}

/** A name that occurs several times has a list of values. */
function headersOf(headers: readonly (readonly [string, string])[]): object {
  const found = new Map<string, string | string[]>();
  for (const [name, value] of headers) {
    const known = found.get(name);
    found.set(name, known === undefined ? value : [known, value].flat());
  }
  return Object.fromEntries(found);
}

/** The attribute of each element that holds its link, in Common Crawl's notation. */
const PATHS: Readonly<Record<string, string>> = {
  ...{ a: "A@/href", area: "AREA@/href", link: "LINK@/href", refresh: "META@/content" },
  ...{ frame: "FRAME@/src", iframe: "IFRAME@/src", img: "IMG@/src", script: "SCRIPT@/src" },
  ...{ form: "FORM@/action", object: "OBJECT@/data", embed: "EMBED@/src", video: "VIDEO@/src" },
  ...{ audio: "AUDIO@/src", source: "SOURCE@/src", track: "TRACK@/src", input: "INPUT@/src" },
  style: "STYLE/#text",
};

function htmlOf(page: Page): object {
  const metas = [
    ...page.robots.map(({ name, content }) => ({ name, content })),
    ...(page.description === "" ? [] : [{ name: "description", content: page.description }]),
  ];
  const inHead = page.links.filter(({ kind }) => kind === "link");
  const scripts = page.links.filter(({ kind }) => kind === "script");
  return {
    Head: {
      ...(page.title === "" ? {} : { Title: page.title }),
      ...(page.base === undefined ? {} : { Base: page.base }),
      ...(metas.length === 0 ? {} : { Metas: metas }),
      ...(inHead.length === 0 ? {} : { Link: inHead.map(linkOf) }),
      ...(scripts.length === 0 ? {} : { Scripts: scripts.map(linkOf) }),
    },
    Links: page.links.filter(({ kind }) => kind !== "link" && kind !== "script").map(linkOf),
  };
}

function linkOf({ url, kind, rel, text }: Link): object {
  return {
    path: PATHS[kind] ?? `${kind.toUpperCase()}@`,
    url,
    ...(rel === "" ? {} : { rel }),
    ...(text === "" ? {} : { text }),
  };
}
