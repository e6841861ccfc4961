/**
 * A note beside a sender's log, over an orderly end: all producers are done, as the last record says, and
 * the receiver has not heard of it yet. The next life need not say it again if it has nothing to send; a
 * second record would end the receiver's next run before it has begun. A life that dies leaves no note.
 */
import type { Position } from "../../base/log/index.ts";
import type { Acknowledge, Done, FileName, Storage } from "../../base/seams/index.ts";

/** Where the log ended when the note was left, or null without one. It is taken away. */
export function takeEndNote(storage: Storage, folder: FileName, done: Done<Position | null>): void {
  const name = noteIn(folder);
  storage.readWhole(name, (error, bytes) => {
    if (error !== null && error.code !== "STORAGE_MISSING") done(error, undefined);
    else if (error !== null || bytes.length === 0) done(null, null);
    else {
      const position = Number(new TextDecoder().decode(bytes));
      storage.replace(name, new Uint8Array(0), (failure) => {
        if (failure === null) done(null, position);
        else done(failure, undefined);
      });
    }
  });
}

export function leaveEndNote(
  storage: Storage,
  folder: FileName,
  position: Position,
  done: Acknowledge,
): void {
  storage.replace(noteIn(folder), new TextEncoder().encode(String(position)), done);
}

function noteIn(folder: FileName): FileName {
  return `${folder}/untold-end`;
}
