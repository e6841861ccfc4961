/** Opens what an agent answers about its pages, and what it asks the others about theirs. */
import { answered, type Clock } from "../../../base/seams/index.ts";
import type { RingKey } from "../../../cluster/ring/index.ts";
import {
  type FetchableUrl,
  type HostName,
  hostOf,
  type KeyHost,
  parseUrl,
} from "../../../formats/url/index.ts";
import { politeHost } from "../../../frontier/ticket/index.ts";
import { type Configuration, schemesOf } from "../../../rules/config/index.ts";
import type { CrawlIdentity } from "../../../store/directory/index.ts";
import { type CrawlView, openCrawlView } from "../../../store/query/index.ts";
import { CrawlLanes } from "../../control/crawl-lanes.ts";
import { type PageAnswers, PageQuestions } from "../../control/page-questions.ts";
import type { RunningCrawl } from "../../crawl/running-crawl.ts";
import type { Member } from "../member.ts";
import type { OwnPart } from "../own-part.ts";
import { AgentPages } from "./agent-pages.ts";
import { MemberPages } from "./member-pages.ts";

export interface OpenPagesParts {
  /** The crawl directory; absolute. */
  readonly path: string;
  readonly identity: Pick<CrawlIdentity, "crawl" | "generation">;
  readonly configuration: Configuration;
  readonly clock: Clock;
  readonly part: OwnPart;
  readonly node: Member["node"];
  /** Nothing is asked before it is open. */
  readonly crawl: () => RunningCrawl;
}

export interface OpenedPages {
  /** What others are answered. */
  readonly local: AgentPages;
  /** What is asked of all. */
  readonly pages: PageAnswers;
}

export function openPages(parts: OpenPagesParts): OpenedPages {
  const { path, identity, configuration, clock, part, node, crawl } = parts;
  const own = new PageQuestions(path, clock);
  const schemes = schemesOf(configuration);
  let opened: Promise<CrawlView> | null = null;
  // What it reads is made while the crawl is opened.
  const view = (): Promise<CrawlView> => {
    opened ??= openCrawlView(path);
    return opened;
  };
  const local = new AgentPages({
    ...{ pages: own, id: identity.generation },
    view: {
      find: async (url) => (await view()).find(url),
      record: async (page) => (await view()).record(page),
    } satisfies Pick<CrawlView, "find" | "record">,
    holdersOf: (url, done) => {
      const page = part.fingerprintOf(url as FetchableUrl);
      if (page === null) done([]);
      else node.holdersOf(page, done);
    },
    hiddenBy: async (url) => {
      const page = part.fingerprintOf(url as FetchableUrl);
      return page === null ? null : await answered((done) => part.hidden.hiddenBy(page, done));
    },
    explain: async (url) => {
      const memory = await new CrawlLanes(crawl()).memoryOf(url);
      return await own.ask("explain", { url, memory });
    },
    hosts: (query) => new CrawlLanes(crawl()).hosts(query),
    close: async () => {
      await own.close();
      await (await opened)?.close();
    },
  });
  const hostKey = (text: string): RingKey | null => {
    const parsed = parseUrl(text, { files: true, schemes });
    return parsed.kind === "refused" ? null : ringKeyOf(hostOf(parsed.url));
  };
  const asking = { clock, own, crawl: identity.crawl, queries: node.queries, hostOf: hostKey };
  return { local, pages: new MemberPages(asking) };
}

/** Hosts are assigned as they are visited. */
export function ringKeyOf(host: HostName): RingKey {
  return politeHost(host) as string as KeyHost;
}
