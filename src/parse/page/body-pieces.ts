/** Reads whole bodies: at once if they are in memory, in pieces if they are on disk. */
import { createHash, hash } from "node:crypto";
import type { CrawlError } from "../../base/errors/index.ts";
import type { Acknowledge, Body } from "../../base/seams/index.ts";

const NO_BYTES = new Uint8Array(0);

/** How much is read from disk, and worked on, at once. */
const PIECE_BYTES = 64 * 1024;

/**
 * Passes a body to `take`, then calls `done`: inside this call if the body is in memory, later if it
 * is on disk. After an error `take` is not called any more.
 */
export function readPieces(body: Body, take: (piece: Uint8Array) => void, done: Acknowledge): void {
  if (body.bytes !== null) {
    take(body.bytes);
    done(null);
    return;
  }
  const readFrom = (offset: number): void => {
    if (offset >= body.lengthBytes) {
      done(null);
      return;
    }
    body.read(offset, PIECE_BYTES, (error, piece) => {
      if (error !== null) {
        done(error);
        return;
      }
      take(piece);
      // The file may be shorter than the length of the body.
      readFrom(piece.length === 0 ? body.lengthBytes : offset + piece.length);
    });
  };
  readFrom(0);
}

/** Answers with the twenty bytes of SHA-1, or with none and the error if the body cannot be read. */
export function bodySha1(
  body: Body,
  done: (sha1: Uint8Array, failure: CrawlError | null) => void,
): void {
  if (body.bytes !== null) {
    done(hash("sha1", body.bytes, "buffer"), null);
    return;
  }
  const running = createHash("sha1");
  readPieces(
    body,
    (piece) => running.update(piece),
    (failure) => done(failure === null ? running.digest() : NO_BYTES, failure),
  );
}
