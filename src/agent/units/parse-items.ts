/**
 * What goes between a crawl and a process that parses for it: documents one way, parsed pages the other.
 * A document says by which terms it is to be parsed, so the other process needs no configuration, keeps
 * nothing between documents, and may be started again at any time.
 */
import type { Header } from "../../base/seams/index.ts";
import type { Digest64, ParsedPage } from "../../parse/page/index.ts";
import { type Codec, codec, type ItemType, itemType } from "../../topology/items/index.ts";

/** Which visit a document, and the page made from it, belong to. */
interface Claim {
  /** The life of the unit that sent it; pages for an earlier life belong to nobody. */
  readonly run: string;
  readonly number: number;
}

/** The content of an answer, to be parsed. */
export interface SentDocument extends Claim {
  readonly terms: string;
  readonly url: string;
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
  /** As it was received; null if that is the same. */
  readonly received: Uint8Array | null;
  readonly isSitemap: boolean;
  readonly isCut: boolean;
}

export interface ReturnedPage extends Claim {
  readonly page: ParsedPage;
}

/** Pages may hold halves of surrogate pairs, which UTF-8 cannot. */
export const text: Codec<string> = {
  write(item, into) {
    const isWhole = item.isWellFormed();
    codec.flag.write(isWhole, into);
    if (isWhole) into.text(item);
    else asJson.write(item, into);
  },
  read: (from) => (codec.flag.read(from) ? from.text() : asJson.read(from)),
};

const asJson = codec.json<string>();

/** In memory of its own, since it is kept longer than the item. */
export const keptBytes: Codec<Uint8Array> = {
  write: codec.bytes.write,
  read: (from) => Uint8Array.from(from.bytes()),
};

export const header: Codec<Header> = {
  write([name, value], into) {
    text.write(name, into);
    text.write(value, into);
  },
  read: (from) => [text.read(from), text.read(from)],
};

const word: Codec<readonly [string, number]> = {
  write([name, count], into) {
    text.write(name, into);
    into.count(count);
  },
  read: (from) => [text.read(from), from.count()],
};

const words: Codec<ReadonlyMap<string, number>> = {
  write: (item, into) => codec.list(word).write([...item], into),
  read: (from) => new Map(codec.list(word).read(from)),
};

/** Bodies that are sent are in memory, so they can be read to their end. */
const failure: Codec<null> = { write: () => undefined, read: () => null };

const digest = codec.struct<Digest64>({ high: codec.count, low: codec.count });

export const parsedPage: Codec<ParsedPage> = codec.struct<ParsedPage>({
  ...{ parser: text, media: text, encoding: text as Codec<ParsedPage["encoding"]> },
  ...{ title: text, description: text, canonical: text, declaredLanguage: text, language: text },
  links: codec.list(codec.struct({ url: text, kind: text, rel: text, text })),
  linksTooLong: codec.count,
  base: text,
  directives: codec.struct<ParsedPage["directives"]>({
    ...{ noindex: codec.flag, nofollow: codec.flag, noarchive: codec.flag, nosnippet: codec.flag },
    ...{ noimageindex: codec.flag, noai: codec.flag },
    tdmReservation: codec.nullable(codec.count),
    unavailableAfterMs: codec.nullable(codec.float),
  }),
  text,
  declared: codec.nullable(
    codec.struct<NonNullable<ParsedPage["declared"]>>({
      alternates: codec.list(codec.struct({ url: text, language: text, type: text })),
      ...{ published: text, modified: text, types: codec.list(text) },
    }),
  ),
  words: codec.nullable(words),
  stripped: codec.nullable(digest),
  near: codec.nullable(digest),
  payloadSha1: keptBytes,
  truncated: codec.list(text) as Codec<ParsedPage["truncated"]>,
  failure: failure as Codec<ParsedPage["failure"]>,
});

export const DocumentItem: ItemType<SentDocument> = itemType(
  "document",
  codec.struct<SentDocument>({
    ...{ run: codec.text, number: codec.count, terms: codec.text, url: text },
    ...{ headers: codec.list(header), body: codec.bytes, received: codec.nullable(codec.bytes) },
    ...{ isSitemap: codec.flag, isCut: codec.flag },
  }),
);

export const PageItem: ItemType<ReturnedPage> = itemType(
  "parsed-page",
  codec.struct<ReturnedPage>({ run: codec.text, number: codec.count, page: parsedPage }),
);
