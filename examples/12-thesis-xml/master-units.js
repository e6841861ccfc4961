/** The units of the master process, which the thesis describes but does not print. */
import { codec, itemType, key, sink, source, value } from "trobar/units";

/** `System.Uri` in the XML. */
const Url = itemType("url", codec.text);

/** The hyperlinks with which the crawl begins. */
export const seeds = source({
  name: "seeds",
  output: Url,
  settings: {
    urls: key(value.list(value.text({ form: "a URL", examples: ["http://a.test/"] })), {
      default: [],
      meaning: "The URLs, in order.",
    }),
  },
  create(unit) {
    const left = [...unit.settings.urls];
    return {
      pull(countMax, emit) {
        for (const url of left.splice(0, countMax)) emit(url);
        if (left.length === 0) unit.finish();
        return left.length > 0;
      },
    };
  },
});

export const printer = sink({
  name: "printer",
  input: Url,
  create: () => (url) => {
    process.stdout.write(`${url}\n`);
  },
});
