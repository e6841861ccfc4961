/**
 * The door for programs, `trobar`: `crawl` runs a crawl in this process and gives the program its pages,
 * `openCrawl` answers questions about one; `docs/library.md` leads through it. The seams and the contract of protocol modules are here too.
 */
export type { CrawlSummary, SeedFailure } from "./agent/index.ts";

export type { ColumnType, Schema, TableShape, Value } from "./base/database/index.ts";
export * from "./base/seams/index.ts";
export {
  type AgentId,
  type Answer,
  type Answered,
  assertMessageKind,
  isTooLarge,
  type Listener,
  MESSAGE_BYTES_MAX,
  type Message,
  type MessageKind,
  type Transport,
} from "./base/transport/index.ts";
export type {
  Protocol,
  ProtocolAnswer,
  ProtocolBody,
  ProtocolOptions,
  ProtocolRequest,
} from "./fetch/protocols/index.ts";
export type { Selectable, Selected } from "./formats/selector/index.ts";
export {
  type AddedLinks,
  type CrawlOptions,
  type CrawlRun,
  type CrawlSettings,
  crawl,
  type OwnAtoms,
  openCrawl,
  type Page,
  type PageContent,
  type PageHandler,
  type StoredAnswer,
  type StoredCrawl,
  type StreamedPage,
  type StreamOptions,
} from "./library/index.ts";
export type { UserDocument, UserFindings, UserParser } from "./parse/page/index.ts";
export type { Score, ScoredLink, ScoredPage } from "./rules/score/index.ts";
export type { PageRow, PageText, RowLink } from "./store/export/index.ts";
export type { StorePage, UserStore, UserStoreOptions } from "./store/pages/index.ts";
export type { CrawlStats } from "./store/query/index.ts";
