/** Checks the link graph: every block can be read, and is found from the pages and links in it. */
import { isCrawlError } from "../../../base/errors/index.ts";
import { answered, type FileName, type Storage } from "../../../base/seams/index.ts";
import {
  checkLinkRuns,
  type LinkBlock,
  type LinkedPage,
  type LinkView,
  LinkWalk,
} from "../../links/index.ts";
import { type ProblemList, REBUILD } from "./problem-list.ts";

const REMEDY = `${REBUILD}; the archive is not affected, and pages still have their links there.`;

/** Returns how many links were read. */
export async function verifyLinks(
  { storage, folder, view }: { storage: Storage; folder: FileName; view: LinkView },
  problems: ProblemList,
): Promise<number> {
  const tell = (problem: string, at: number | null = null, url: string | null = null): void =>
    problems.add({ file: `${folder}/log.log`, at, url, problem, remedy: REMEDY });
  let count = 0;
  const inRun = (file: FileName, at: null, problem: string): void =>
    problems.add({ file, at, url: null, problem, remedy: REMEDY });
  try {
    await checkLinkRuns(storage, folder, inRun);
    const walk = await answered<LinkWalk | null>((done) => LinkWalk.open(storage, folder, done));
    if (walk === null) return 0;
    try {
      for (;;) {
        const blocks = await answered<readonly LinkBlock[] | null>((done) => walk.next(done));
        if (blocks === null) break;
        for (const { position, pages } of blocks) {
          if (pages === null) {
            tell("the links of some tens of pages cannot be read", position);
            continue;
          }
          count += pages.reduce((total, { links }) => total + links.length, 0);
          const [first] = pages;
          const problem = first === undefined ? null : await notFound(view, first);
          if (first !== undefined && problem !== null) tell(problem, position, first.url);
        }
      }
    } finally {
      await answered((done) => walk.close(done));
    }
  } catch (error) {
    if (!isCrawlError(error)) throw error;
    tell(error.message);
  }
  return count;
}

/** What is wrong with looking a page up, and a link of it; null when both are found. */
async function notFound(view: LinkView, { url }: LinkedPage): Promise<string | null> {
  const page = await answered<LinkedPage | null>((done) => view.linksOf(url, done));
  if (page === null) return "the links of the page are there, but are not found";
  const target = page.links[0]?.url;
  if (target === undefined) return null;
  const isFound = await answered<boolean>((done) => view.isFoundFrom(target, url, done));
  return isFound ? null : `the link to ${target} is there, but is not found from that end`;
}
