/** The records of an archive file, and its damage, from the pieces of its bytes. */
import { RecordScanner, type ScanStep } from "../../formats/warc/index.ts";

export async function* scanPieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<ScanStep> {
  const scanner = new RecordScanner();
  for await (const bytes of pieces) {
    scanner.push(bytes);
    for (let step = scanner.next(); step !== null; step = scanner.next()) yield step;
  }
  scanner.end();
  for (let step = scanner.next(); step !== null; step = scanner.next()) yield step;
}
