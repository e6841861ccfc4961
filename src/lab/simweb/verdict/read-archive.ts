/** Reads WARC files through the storage seam, piece by piece, and has every record examined. */
import type { Acknowledge, FileName, ReadableFile, Storage } from "../../../base/seams/index.ts";
import { RecordScanner } from "../../../formats/warc/index.ts";
import type { ArchiveExaminer } from "./archive-examiner.ts";

const PIECE_BYTES = 1024 * 1024;

/** One file after the other. A file that cannot be read ends it with its error. */
export function readArchive(
  storage: Storage,
  names: readonly FileName[],
  examiner: ArchiveExaminer,
  done: Acknowledge,
): void {
  const [first, ...rest] = names;
  if (first === undefined) {
    done(null);
    return;
  }
  storage.openToRead(first, (error, file) => {
    if (error !== null) {
      done(error);
      return;
    }
    readFile(file, examiner, (failure) => {
      file.close(() => {
        if (failure !== null) done(failure);
        else readArchive(storage, rest, examiner, done);
      });
    });
  });
}

function readFile(file: ReadableFile, examiner: ArchiveExaminer, done: Acknowledge): void {
  const scanner = new RecordScanner();
  const readFrom = (offset: number): void => {
    file.read(offset, PIECE_BYTES, (error, bytes) => {
      if (error !== null) {
        done(error);
        return;
      }
      scanner.push(bytes);
      const isLast = bytes.length < PIECE_BYTES;
      if (isLast) scanner.end();
      takeSteps(scanner, examiner, file.name);
      if (isLast) done(null);
      else readFrom(offset + bytes.length);
    });
  };
  readFrom(0);
}

function takeSteps(scanner: RecordScanner, examiner: ArchiveExaminer, name: FileName): void {
  for (let step = scanner.next(); step !== null; step = scanner.next()) {
    if (step.kind === "record") examiner.see(step.record);
    else examiner.damaged(`${name} from byte ${step.offset} on`, step.reason);
  }
}
