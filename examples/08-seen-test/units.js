/**
 * Lets every URL pass once. What is remembered, and how, is the business of a provider: `exact-seen`
 * keeps all URLs, `bloom-seen` a few bits for each. The filter cannot tell which of them it asks.
 */
import { codec, filter, itemType, key, provider, providerRole, sink, value } from "trobar/units";

const Url = itemType("example/url", codec.text);

/** A service with `isNew(url)`: true the first time that it is asked for a URL. */
export const SeenTest = providerRole("example/seen-test");

export const unseen = filter({
  name: "unseen",
  input: Url,
  output: Url,
  providers: { seen: SeenTest },
  create: (unit) => (url, emit) => {
    if (unit.providers.seen.isNew(url)) emit(url);
  },
});

/** Never wrong; its memory grows with every URL. */
export const exactSeen = provider({
  name: "exact-seen",
  provides: SeenTest,
  create(_unit, state) {
    const seen = new Set(urlsOf(state));
    return {
      service: { isNew: (url) => !seen.has(url) && Boolean(seen.add(url)) },
      // For a successor, if another provider is put in its place while everything runs.
      handOver: () => [...seen],
    };
  },
});

/** A Bloom filter: its memory is fixed, and a few new URLs are taken for known ones. */
export const bloomSeen = provider({
  name: "bloom-seen",
  provides: SeenTest,
  settings: {
    bits: key(value.count({ min: 64, max: 2 ** 30 }), { default: 65_536, meaning: "Memory." }),
    hashes: key(value.count({ min: 1, max: 16 }), { default: 4, meaning: "Bits of a URL." }),
  },
  create(unit, state) {
    const { bits, hashes } = unit.settings;
    const bytes = new Uint8Array(Math.ceil(bits / 8));
    const isNew = (url) => {
      let isKnown = true;
      for (let number = 0; number < hashes; number += 1) {
        const bit = hashOf(url, number) % bits;
        const mask = 1 << (bit & 7);
        if ((bytes[bit >> 3] & mask) === 0) isKnown = false;
        bytes[bit >> 3] |= mask;
      }
      return !isKnown;
    };
    for (const url of urlsOf(state)) isNew(url);
    return { service: { isNew } };
  },
});

/** What an exact predecessor handed over; from others nothing can be taken over. */
function urlsOf(state) {
  return Array.isArray(state) ? state : [];
}

/** FNV-1a, begun differently for each number. */
function hashOf(text, number) {
  let hash = 0x811c9dc5 ^ Math.imul(number, 0x9e3779b1);
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) >>> 0;
}

export const printUrls = sink({
  name: "print-urls",
  input: Url,
  create: () => (url) => {
    process.stdout.write(`${url}\n`);
  },
});
