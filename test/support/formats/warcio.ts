/**
 * The part of the package `warcio` that the tests use. Its own declarations need the browser's and
 * do not compile with ours, so the few shapes are stated here and the module is loaded by name.
 */
interface WarcioRecord {
  readonly warcType: string;
  readonly warcHeaders: { readonly headers: ReadonlyMap<string, string> };
  readFully(decode: boolean): Promise<Uint8Array>;
}

interface WarcioParser extends AsyncIterable<WarcioRecord> {
  /** Where the current record begins in the file. */
  readonly offset: number;
}

interface Warcio {
  readonly WARCParser: new (
    source: Iterable<Uint8Array>,
    options: { readonly parseHttp: boolean },
  ) => WarcioParser;
}

const PACKAGE: string = "warcio";
const UTILITIES: string = "warcio/utils";

export const warcio: Warcio = await import(PACKAGE);

/** The key by which replay tools look a URL up. */
export const getSurt: (url: string) => string = (await import(UTILITIES)).getSurt;

export interface WarcioRead {
  readonly type: string;
  readonly fields: ReadonlyMap<string, string>;
  readonly block: Buffer;
}

/** Every record of a file, as warcio reads it. */
export async function recordsIn(bytes: Uint8Array): Promise<WarcioRead[]> {
  const records: WarcioRead[] = [];
  for await (const record of new warcio.WARCParser([bytes], { parseHttp: false })) {
    const block = Buffer.from(await record.readFully(false));
    records.push({ type: record.warcType, fields: record.warcHeaders.headers, block });
  }
  return records;
}
