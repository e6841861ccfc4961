/**
 * A store of your own: writes the status, the URL and the title of every page to `titles.txt`, and leaves
 * out pages that repeat another. `topology.yaml` has it beside two other stores; alone it works by one
 * line of the configuration:
 *
 *     npx trobar crawl https://example.org/ --set store.kind=./examples/19-several-stores/titles.js
 */
import { open } from "node:fs/promises";

export async function createStore() {
  const file = await open("titles.txt", "a");
  return {
    async put({ status, url, title, duplicate }) {
      if (duplicate === null) await file.appendFile(`${status} ${url} ${title ?? ""}\n`);
    },
    flush: () => file.sync(),
    close: () => file.close(),
  };
}
