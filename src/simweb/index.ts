/**
 * The synthetic web: served, looked up and judged.
 *
 * A `SyntheticWeb` is a function of seed and request. `WebServer` plays its answers on loopback,
 * oddities included, and writes every request into an `AccessLog`.
 *
 * Read `synthetic-web.ts` first.
 */
export { AccessLog } from "./access-log.ts";
export { ArchiveExaminer, type ArchiveVerdict } from "./archive-examiner.ts";
export type { CrawlDescription, TruthReading } from "./control.ts";
export type { CrawlTruth, Ending, ForbiddenReason, PageKey, Standing } from "./crawl-truth.ts";
export { DnsServer } from "./dns-server.ts";
export { GeneratedWeb } from "./generated-web.ts";
export type { Listener } from "./listener.ts";
export { LoopbackListener } from "./loopback-listener.ts";
export type { Profile } from "./profile.ts";
export { changedProfile, PROFILES } from "./profiles.ts";
export { readArchive } from "./read-archive.ts";
export { ServedWeb, type ServedWebOptions } from "./served-web.ts";
export type {
  DnsConduct,
  Oddity,
  SyntheticWeb,
  WebHost,
  WebRequest,
  WebResponse,
} from "./synthetic-web.ts";
export { judge, type Verdict } from "./verdict.ts";
export { DEFAULT_RULES, readVerdictRules, type VerdictRules } from "./verdict-rules.ts";
export { verdictText } from "./verdict-text.ts";
export { WebNames } from "./web-names.ts";
export { type ServerStats, WebServer } from "./web-server.ts";
export type { Wire, WireUser } from "./wire.ts";
