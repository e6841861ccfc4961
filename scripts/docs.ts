/** `npm run docs`: writes the pages that are printed from the code, and the index of decisions. */
import { mkdirSync, writeFileSync } from "node:fs";
import { apiPages } from "./docs/api-pages.ts";
import { configurationPage } from "./docs/configuration-page.ts";
import { decisionsPage } from "./docs/decisions-page.ts";
import { errorsPage } from "./docs/errors-page.ts";
import { simwebPage } from "./docs/simweb-page.ts";

mkdirSync("docs/api", { recursive: true });
for (const [path, text] of [
  ["docs/configuration.md", configurationPage()],
  ["docs/errors.md", errorsPage()],
  ["docs/simweb.md", simwebPage()],
  ["docs/adr/README.md", decisionsPage()],
  ...apiPages(),
] as const) {
  writeFileSync(path, text);
  console.log(`${path}: ${text.split("\n").length - 1} lines`);
}
