/**
 * Loaded into an agent before anything else: lets it speak another version of the messages between agents,
 * the one that the variable says, and adds a field behind those of every message, as later versions may.
 * The program itself is as users have it; what is changed is its text, when it is loaded.
 */
import assert from "node:assert/strict";
import { registerHooks } from "node:module";

const version = process.env["MESSAGES_VERSION_FOR_TEST"] ?? "";

/** In the source, and in what is built of it. */
const EDITS: readonly (readonly [text: RegExp, by: string])[] = [
  [/\bVERSION(\d*) = (?:0x10|16);/g, `VERSION$1 = ${version};`],
  [/\bbodyCodec\.write\(body, writer\);/g, '$&\n  writer.text("of a version to come");'],
];
let isChanged = false;

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    const text = url.startsWith("file:") ? String(loaded.source) : "";
    if (!EDITS.every(([old]) => text.match(old) !== null)) return loaded;
    for (const [old] of EDITS) assert.equal(text.match(old)?.length, 1, `${old} in ${url}`);
    isChanged = true;
    return { ...loaded, source: EDITS.reduce((edited, edit) => edited.replace(...edit), text) };
  },
});

process.on("exit", () => {
  if (!isChanged) throw new Error("the envelope of messages was not found: change the edits");
});
