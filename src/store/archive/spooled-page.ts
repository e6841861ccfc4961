/**
 * Storing a body that is on disk without loading it: it is read once for its digests, which precede
 * it in the record, and once more to be compressed and written, a piece at a time, as fast as the
 * archive's disk takes it.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type CrawlError, faultOf } from "../../base/errors/index.ts";
import type { Acknowledge, Body, Done, Random } from "../../base/seams/index.ts";
import { digestText, responseHeadBytes, StreamedRecord } from "../../formats/warc/index.ts";
import type { FetchedPage } from "./fetched-page.ts";
import { headExchange, isResource } from "./page-records.ts";
import type { WarcFiles } from "./warc-files.ts";
import type { WarcPlace } from "./warc-place.ts";

const NO_HEAD = new Uint8Array(0);
const PIECE_BYTES = 256 * 1024;

export interface SpooledDigests {
  /** The SHA-1 of the body. */
  readonly payload: Uint8Array;
  /** `sha1:…` of the record's block: head and body. */
  readonly block: string;
}

export function digestSpooled(page: FetchedPage, done: Done<SpooledDigests>): void {
  const { body, response } = page;
  const head = isResource(page) ? NO_HEAD : responseHeadBytes(response, body.lengthBytes);
  const payload = createHash("sha1");
  const block = createHash("sha1").update(head);
  const take = (piece: Uint8Array, next: Acknowledge): void => {
    payload.update(piece);
    block.update(piece);
    next(null);
  };
  eachPiece(body, take, (error) => {
    if (error !== null) done(error, undefined);
    else done(null, { payload: payload.digest(), block: digestText(block.digest()) });
  });
}

export interface SpooledWrite {
  readonly page: FetchedPage;
  readonly digests: SpooledDigests;
  readonly files: WarcFiles;
  readonly random: Random;
}

/** Writes request and response, durably; after an error nothing of either stays in the archive. */
export function writeSpooled(write: SpooledWrite, done: Done<WarcPlace>): void {
  const { page, files, random, digests } = write;
  const { warcinfoId, lengthBytes: beginAt } = files.file();
  const payloadDigest = digestText(digests.payload);
  const { before, response } = headExchange(page, { random, warcinfoId, payloadDigest });
  const [head = NO_HEAD] = response.block;
  const block = { bytes: head.length + page.body.lengthBytes, digest: digests.block };
  const stream = new StreamedRecord(files.encoding, response, block);
  const begin = (): WarcPlace => {
    for (const record of before) files.append(files.encoder.encode(record));
    const first = files.append(stream.first());
    if (head.length > 0) files.append(stream.piece(head));
    return first;
  };
  const { file, offset } = orCut(begin, () => files.cutTo(beginAt));
  const take = (piece: Uint8Array, next: Acknowledge): void => {
    files.append(stream.piece(piece));
    files.flush(next);
  };
  eachPiece(page.body, take, (error) => {
    const fail = (failure: CrawlError): void => {
      files.cutTo(beginAt);
      done(failure, undefined);
    };
    if (error !== null) return fail(error);
    const end = files.append(stream.last());
    const lengthBytes = end.offset + end.lengthBytes - offset;
    files.commit((failure) => {
      if (failure !== null) fail(failure);
      else done(null, { file, offset, lengthBytes });
    });
  });
}

/** Cuts off what `begin` has written if it throws. */
function orCut<Value>(begin: () => Value, cut: () => void): Value {
  try {
    return begin();
  } catch (thrown) {
    cut();
    throw thrown;
  }
}

/** Reads a body from its beginning, piece by piece, each when `take` has finished the last. */
function eachPiece(
  body: Body,
  take: (piece: Uint8Array, next: Acknowledge) => void,
  done: Acknowledge,
): void {
  let isOver = false;
  const end = (error: CrawlError | null): void => {
    isOver = true;
    done(error);
  };
  const guard = (work: () => void): void => {
    try {
      work();
    } catch (thrown) {
      const what = "the storing of a body on disk";
      end(faultOf(thrown, { code: "INTERNAL_STORE", what, isOver }));
    }
  };
  const readFrom = (offset: number): void => {
    body.read(offset, PIECE_BYTES, (error, piece) =>
      guard(() => {
        if (error !== null) return end(error);
        const next = offset + piece.length;
        assert(piece.length > 0 || next === body.lengthBytes, "a body is as long as it says");
        take(piece, (failure) =>
          guard(() => {
            if (failure !== null || next === body.lengthBytes) end(failure);
            else readFrom(next);
          }),
        );
      }),
    );
  };
  readFrom(0);
}
