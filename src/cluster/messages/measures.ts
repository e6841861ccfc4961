/**
 * Numbers that are no counts, and texts that are keys of the ring, in messages. A peer may be broken, so
 * only those are read that an agent can mean: a capacity makes that many points on every ring, a time that
 * is no number spreads to all clocks, and no host is longer than a URL.
 */
import { URL_LENGTH_MAX } from "../../formats/url/index.ts";
import { type Codec, codec } from "../../topology/items/index.ts";

/** What the configuration takes. */
const CAPACITY_MAX = 1000;
/** Longer than any IP address. */
const ADDRESS_LETTERS_MAX = 64;

export const HOST: Codec<string> = upTo(URL_LENGTH_MAX);

/** An IP address. */
export const ADDRESS: Codec<string> = upTo(ADDRESS_LETTERS_MAX);

/** How long something takes or has lasted, in milliseconds. */
export const DURATION: Codec<number> = within("a duration", (ms) => ms >= 0 && Number.isFinite(ms));

/** That of an agent. */
export const CAPACITY: Codec<number> = within(
  "a capacity",
  (capacity) => capacity > 0 && capacity <= CAPACITY_MAX,
);

/** The same, or 0 where it is not known. */
export const KNOWN_CAPACITY: Codec<number> = within(
  "a capacity",
  (capacity) => capacity >= 0 && capacity <= CAPACITY_MAX,
);

function within(what: string, isMeant: (value: number) => boolean): Codec<number> {
  return {
    write: (value, into) => codec.float.write(value, into),
    read(from) {
      const value = codec.float.read(from);
      if (!isMeant(value)) throw new RangeError(`${what} in them makes no sense`);
      return value;
    },
  };
}

function upTo(lettersMax: number): Codec<string> {
  return {
    write: (text, into) => into.text(text),
    read(from) {
      const text = from.text();
      if (text.length > lettersMax) throw new RangeError("a text in them is too long");
      return text;
    },
  };
}
