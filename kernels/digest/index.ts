/**
 * The digests of a page from what its parser told of it, in one call: the digest of the stripped
 * page, and the SimHash. What they mean, and why, is in `src/parse/digest`, where each file here has
 * a twin of the same results; a test compares them.
 *
 * Read `settings.ts` first.
 */
import { beginNear, finishNear, nearTag, nearText, nearWords } from "./near";
import {
  CLOSE,
  EVENTS_MAX,
  events,
  FRAME,
  OPEN,
  SKIPPED,
  settings,
  traitsOf,
  wantsNear,
} from "./settings";
import {
  beginStripped,
  finishStripped,
  isStrippedEmpty,
  stripFrame,
  stripTag,
  stripText,
} from "./stripped";

/** Where the results are: both digests, the words outside the title, and whether there was anything. */
const results: usize = memory.data(24, 8);

export function digestSettings(): usize {
  return settings;
}

export function digestEvents(): usize {
  return events;
}

export function digestEventsMax(): usize {
  return EVENTS_MAX;
}

export function digestResults(): usize {
  return results;
}

/** Digests what `words` words of events tell, whose texts begin at `texts`. */
export function digest(words: u32, texts: usize): void {
  const near = wantsNear();
  beginStripped();
  if (near) beginNear();
  let isSkipping = false;
  const end = events + (words << 2);
  for (let at = events; at < end; at += 4) {
    const event = load<u32>(at);
    const kind = event & 3;
    const value = event >> 2;
    if (kind === OPEN || kind === CLOSE) {
      const traits = traitsOf(value);
      stripTag(kind === CLOSE, value);
      if (near && traits !== 0) nearTag(kind === CLOSE, value, traits);
      isSkipping = kind === OPEN && (traits & SKIPPED) !== 0;
      continue;
    }
    at += 4;
    const from = texts + value;
    const to = texts + load<u32>(at);
    if (kind === FRAME) stripFrame(from, to);
    else if (!isSkipping) {
      stripText(from, to);
      if (near) nearText(from, to);
    }
  }
  finish(near);
}

function finish(near: bool): void {
  store<u64>(results, finishStripped());
  store<u64>(results, near ? finishNear() : 0, 8);
  store<u32>(results, near ? nearWords() : 0, 16);
  store<u32>(results, isStrippedEmpty() ? 0 : 1, 20);
}
