/**
 * Takes from bundles, in memory and in a log. An entry says what has been taken of a queue's part
 * in all and what is left, so the last entry about a part holds, not the directory in the file.
 *
 * An entry has 16 bytes: the bundle's id, the queue, bytes taken in all, records left.
 */
import assert from "node:assert/strict";
import type { BundleContent } from "../bundles/bundle.ts";
import type { Journal } from "./journal.ts";

const ENTRY_BYTES = 16;

export class TakeJournal {
  readonly journal: Journal;

  constructor(journal: Journal) {
    this.journal = journal;
  }

  /** Takes from the front of a queue's part, here and in its heir. */
  take(content: BundleContent, queue: number, bytes: number, records: number): void {
    const { directory, heir } = content;
    const place = directory.find(queue);
    assert(place >= 0, "only a queue that is in a bundle is taken from there");
    directory.take(place, bytes, records);
    if (content.draft === null) this.#log(content, place);
    else content.draft.add(queue);
    if (heir?.hasBegun(queue)) this.take(heir.content, queue, bytes, records);
  }

  /**
   * The bundle has been written: logs what was taken from it so far; from now on every take is
   * logged at once. Before, a part could still grow, so what is left of it was not known.
   */
  publish(content: BundleContent): void {
    for (const queue of content.draft ?? []) this.#log(content, content.directory.find(queue));
    content.draft = null;
  }

  #log({ id, directory }: BundleContent, place: number): void {
    const at = this.journal.reserve(ENTRY_BYTES);
    const { view } = this.journal;
    view.setUint32(at, id, true);
    view.setUint32(at + 4, directory.queueAt(place), true);
    view.setUint32(at + 8, directory.takenBytesAt(place), true);
    view.setUint32(at + 12, directory.recordsAt(place), true);
  }
}

/** Applies the entries of a frame to the bundles that still exist; false when it is not valid. */
export function replayTakes(
  payload: Uint8Array,
  bundles: ReadonlyMap<number, BundleContent>,
): boolean {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  for (let at = 0; at + ENTRY_BYTES <= payload.length; at += ENTRY_BYTES) {
    const directory = bundles.get(view.getUint32(at, true))?.directory;
    if (directory === undefined) continue;
    const place = directory.find(view.getUint32(at + 4, true));
    const takenBytes = view.getUint32(at + 8, true);
    if (place < 0 || takenBytes > directory.lengthAt(place)) return false;
    directory.setTaken(place, takenBytes, view.getUint32(at + 12, true));
  }
  return payload.length % ENTRY_BYTES === 0;
}
