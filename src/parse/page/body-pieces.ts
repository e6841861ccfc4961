/** Bodies read from end to end: at once where they lie in memory, in pieces where they are on disk. */
import { createHash, hash } from "node:crypto";
import type { CrawlError } from "../../base/errors/index.ts";
import type { Acknowledge, Body } from "../../base/seams/index.ts";

const NO_BYTES = new Uint8Array(0);

/** One read from disk, and the work that is done on it in one go. */
const PIECE_BYTES = 64 * 1024;

/**
 * Shows a body to `take`, then calls `done`: inside this call where the body lies in memory, later
 * where it is on disk. After an error nothing more is shown.
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
      // A body that ends before its length has said all it had to say.
      readFrom(piece.length === 0 ? body.lengthBytes : offset + piece.length);
    });
  };
  readFrom(0);
}

/** Gives the twenty bytes of SHA-1; none, with the error, when the body cannot be read. */
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
