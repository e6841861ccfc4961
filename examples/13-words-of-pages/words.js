/**
 * A processor of your own: sees every page of a crawl and counts the words of its text. It is one line
 * of `topology.yaml` beside this file:
 *
 *     words: { unit: ./words.js#words, input: parsed, settings: { file: words.txt } }
 *
 * Try it:
 *
 *     npx trobar crawl https://example.org/ --set topology=examples/13-words-of-pages/topology.yaml
 *
 * A page stays as it is until the promise of its work settles; `await page.body()` gives its content.
 * While this unit is busy with a page the crawl goes on, until the connector before it is full.
 */
import { appendFile } from "node:fs/promises";
import { counter, key, processor, value } from "trobar/units";

export const words = processor({
  name: "words",
  // The text of pages is made only because this unit asks for it.
  text: true,
  settings: {
    file: key(value.text({ form: "the path of a file", examples: ["words.txt"] }), {
      default: "words.txt",
      meaning: "Where the counts are written.",
    }),
  },
  metrics: { words: counter("words of all pages") },
  create: (unit) => async (page) => {
    const found = page.parsed?.text.match(/\p{L}+/gu)?.length ?? 0;
    unit.metrics.words.add(found);
    await appendFile(unit.settings.file, `${found} ${page.url}\n`);
  },
});
