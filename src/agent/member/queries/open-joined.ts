/** Opens the directories of several agents as the one crawl that they share, without these agents. */
import { basename } from "node:path";
import { isCrawlError } from "../../../base/errors/index.ts";
import { CrawlDirectory } from "../../../store/directory/index.ts";
import { type CrawlView, JoinedCrawl, openCrawlView } from "../../../store/query/index.ts";
import { type CopyElsewhere, copiesElsewhere } from "../shipping/copies-elsewhere.ts";

/** `folders` are absolute, end in numbers, and are in their order; `name` is for people. */
export async function openJoinedCrawl(
  folders: readonly string[],
  name: string,
): Promise<JoinedCrawl> {
  const ids = new Set<string>();
  const [first = ""] = folders;
  const { crawl: id } = CrawlDirectory.identityOf(first);
  for (const folder of folders) ids.add(CrawlDirectory.identityOf(folder).agent);
  const directories = [];
  for (const folder of folders) {
    const view: CrawlView = await openCrawlView(folder);
    const copies = await knownCopies(folder);
    directories.push({
      ...{ view, number: Number(basename(folder)) },
      // A copy that is in none of these directories is not shown by any.
      hides:
        copies &&
        (async ({ url }: { readonly url: string }) => ids.has((await copies(url))?.id ?? "")),
    });
  }
  return new JoinedCrawl(directories, { name, id });
}

/** Of a directory whose checkpoint cannot be read all pages are shown. */
async function knownCopies(folder: string): Promise<CopyElsewhere | null> {
  try {
    return await copiesElsewhere(folder);
  } catch (error) {
    if (!isCrawlError(error)) throw error;
    return null;
  }
}
