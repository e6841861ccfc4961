/**
 * The configuration as the code sees it: a frozen tree whose property names are the keys of the
 * contract, so that documentation, files, messages and code use one name for one thing. Values
 * are plain numbers; their unit is in the type (`Ms` is milliseconds, `Bytes` bytes, a bare
 * `number` counts things). Code that takes a number out of the tree gives it a name with its unit:
 * `const hostDelayMs = configuration.politeness.hostDelay`.
 *
 * What each key means, its default and its legal values are in `configuration-schema.ts`, which
 * the compiler holds to this shape.
 */

import type { Bytes, Ms } from "../../base/units/index.ts";
import type { FollowableKind } from "../../formats/link/index.ts";
import type { Pair } from "../settings/index.ts";

export interface Configuration {
  readonly seeds: readonly string[];
  readonly name: string;
  readonly userAgent: string | null;
  readonly contact: string | null;
  readonly scope: "page" | "prefix" | "host" | "domain" | "any";
  readonly limits: LimitSettings;
  readonly politeness: PolitenessSettings;
  readonly fetch: FetchSettings;
  readonly dns: DnsSettings;
  readonly url: UrlSettings;
  readonly filters: FilterSettings;
  readonly frontier: FrontierSettings;
  readonly parse: ParseSettings;
  readonly sitemaps: boolean;
  readonly store: StoreSettings;
  readonly lanes: number | "auto";
  readonly cluster: ClusterSettings;
  readonly assignment: AssignmentSettings;
  readonly api: ApiSettings;
  readonly topology: string | null;
}

/** Page, byte and time limits are for the whole crawl, not for one agent. Null is no limit. */
export interface LimitSettings {
  readonly pages: number | null;
  readonly pagesPerHost: number | null;
  readonly depth: number | null;
  readonly hostDepth: number | null;
  readonly time: Ms | null;
  readonly bytes: Bytes | null;
  readonly urlLength: number;
  readonly pathSegments: number;
  readonly repeatedSegments: number;
  readonly linksPerPage: number;
  readonly minFreeDisk: Bytes;
}

/** Delays run from the end of one fetch to the start of the next. */
export interface PolitenessSettings {
  readonly hostDelay: Ms;
  readonly ipDelay: Ms;
  readonly robots: "obey" | "ignore";
  readonly robotsMaxAge: Ms;
  readonly crawlDelayMax: Ms;
  readonly crawlDelayOver: "skip" | "cap";
  readonly noarchive: "obey" | "ignore";
  readonly nofollow: "obey" | "ignore";
  /** By host, or by `*.` and a domain. */
  readonly hosts: readonly Pair<HostSettings>[];
  readonly blockHosts: readonly string[];
  readonly blockAddresses: readonly string[];
}

/** Politeness of single hosts; null where they have that of all. */
export interface HostSettings {
  readonly hostDelay: Ms | null;
  readonly robots: "obey" | "ignore" | null;
  readonly robotsMaxAge: Ms | null;
  readonly crawlDelayMax: Ms | null;
  readonly crawlDelayOver: "skip" | "cap" | null;
}

export interface FetchSettings {
  readonly concurrency: number;
  readonly connectTimeout: Ms;
  readonly headerTimeout: Ms;
  readonly idleTimeout: Ms;
  readonly totalTimeout: Ms;
  /** Bytes per second. */
  readonly minRate: number;
  readonly maxBody: Bytes;
  readonly bodyMemory: Bytes;
  readonly maxRedirects: number;
  readonly retries: number;
  readonly retryWait: Ms;
  readonly retryMaxWait: Ms;
  readonly allowAddresses: readonly string[];
  readonly ports: readonly number[] | "any";
  readonly keepAlive: Ms;
  readonly idleConnections: number;
  readonly cookies: boolean;
  /** Names as the user wrote them. */
  readonly headers: readonly Pair<string>[];
  readonly credentials: readonly CredentialSource[];
  /** Bytes a second; null for no limit. */
  readonly bandwidth: number | null;
  readonly pagesPerSecond: number | null;
  readonly http2: boolean;
  readonly insecure: boolean;
  readonly proxy: string | null;
  /** Schemes in lower case, and the modules that fetch them. */
  readonly protocols: readonly Pair<string>[];
}

/** Where the credentials of a host are: in a file or in a variable of the environment. */
export interface CredentialSource {
  /** A host, or `HOST:PORT`. */
  readonly host: string;
  readonly file: string | null;
  readonly env: string | null;
}

export interface DnsSettings {
  readonly servers: readonly string[];
  readonly cacheSize: number;
  readonly timeout: Ms;
  readonly aliases: boolean;
}

export interface UrlSettings {
  readonly sessionIds: "strip" | "keep";
  readonly trackingParams: "strip" | "keep";
  readonly sortQuery: boolean;
  readonly trailingSlash: "strip" | "keep";
  readonly indexPages: "strip" | "keep";
  readonly www: "strip" | "keep";
}

/** Filter expressions, still as text; null accepts everything. */
export interface FilterSettings {
  readonly schedule: string | null;
  readonly fetch: string | null;
  readonly parse: string | null;
  readonly follow: string | null;
  readonly store: string | null;
  readonly modules: readonly string[];
}

export interface FrontierSettings {
  readonly traversal:
    | "breadth-first"
    | "global-breadth-first"
    | "depth-first"
    | "priority"
    | "random-walk";
  readonly score: string;
  readonly topic: readonly string[];
  readonly memory: Bytes;
  readonly recentlySeen: number;
  readonly shards: number;
}

export interface ParseSettings {
  readonly parsers: readonly string[];
  readonly links: readonly FollowableKind[];
  readonly text: "auto" | boolean;
  readonly words: boolean;
  readonly scripts: boolean;
  readonly requisites: boolean;
  readonly nearDuplicates: boolean;
  /** Bits in which two SimHashes may differ. */
  readonly nearDistance: number;
  readonly language: boolean;
}

export interface StoreSettings {
  readonly kind: string;
  readonly compression: "gzip" | "zstd" | "none";
  readonly level: number | null;
  readonly warcSize: Bytes;
  readonly prefix: string | null;
  readonly output: "files" | "stdout";
  readonly body: boolean;
  readonly outlinks: boolean;
  readonly refused: boolean;
  readonly index: boolean;
  readonly links: boolean;
  readonly text: boolean;
  readonly migrate: boolean;
  readonly checkpoint: Ms;
}

export interface ClusterSettings {
  readonly id: string | null;
  readonly capacity: number | "auto";
  readonly join: readonly string[];
  readonly nats: readonly string[];
  readonly listen: string | null;
  readonly token: string | null;
  readonly replicas: number;
  readonly recovery: number | "all";
  readonly heartbeat: Ms;
  readonly suspectAfter: Ms;
  readonly deadAfter: Ms;
  readonly giveUpAfter: Ms;
  readonly partition: "continue" | "fence";
  readonly fullDisk: "wait" | "leave";
}

export interface AssignmentSettings {
  readonly kind: "ring" | "master";
  readonly database: string;
  readonly strategy: string | null;
}

export interface ApiSettings {
  readonly host: string;
  readonly port: number | "auto";
  /** A file, or `auto`. */
  readonly token: string;
  readonly readToken: string | null;
  /** Files in PEM. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
}
