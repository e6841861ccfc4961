/** A process that takes a crawl directory, says so, and keeps it until it is killed. */
import { fileURLToPath } from "node:url";
import { CrawlDirectory } from "./index.ts";

export const DIRECTORY_HOLDER: string = fileURLToPath(import.meta.url);

if (process.argv[1] === DIRECTORY_HOLDER) {
  const directory = CrawlDirectory.open(String(process.argv[2]));
  process.stdout.write(`${directory.identity.crawl}\n`);
  // A directory to which nothing refers is collected, and its lock released with that.
  process.stdin.resume().once("end", () => directory.close());
}
