/**
 * The smallest table of the package `eld`, packed: its modules take a fifth of a second to load, so the build
 * puts the bytes in the place of this module (`scripts/bundle.ts`).
 */
import { packNgrams } from "./ngram-table.ts";

const FOLDER: string = new URL("..", import.meta.resolve("eld/extrasmall")).href;

const [{ ngramsData }, { dictionary }, { separators }] = await Promise.all([
  import(`${FOLDER}ngrams/extrasmall.js`),
  import(`${FOLDER}dictionary.js`),
  import(`${FOLDER}regexPatterns.js`),
]);

export const PACKED_NGRAMS: Uint8Array = packNgrams({ ...ngramsData, dictionary, separators });
