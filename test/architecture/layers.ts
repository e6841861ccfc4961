/**
 * The layers of `docs/architecture.md` as a table: every module of `src/`, its level, and the
 * modules of its own level that it may use. Imports go down; inside a level only where named here.
 */
export interface Layer {
  readonly level: number;
  readonly modules: Readonly<Record<string, readonly string[]>>;
}

export const LAYERS: readonly Layer[] = [
  {
    level: 0,
    modules: {
      errors: [],
      text: [],
      units: [],
      hash: [],
      url: ["hash"],
      seams: ["errors"],
      time: ["seams"],
      random: ["seams"],
      storage: ["seams", "errors"],
      database: ["seams", "errors"],
      background: ["seams", "errors", "storage"],
    },
  },
  {
    level: 1,
    modules: {
      address: [],
      settings: [],
      config: ["settings", "filter", "address", "http"],
      filter: [],
      charset: [],
      css: [],
      html: ["charset", "css"],
      http: [],
      language: [],
      log: [],
      runs: ["log"],
      sieve: ["runs", "log"],
      queues: ["log"],
      seen: [],
      score: ["filter"],
      digest: ["html", "log", "runs"],
      robots: [],
      shares: [],
      sitemap: [],
      warc: [],
    },
  },
  {
    level: 2,
    modules: {
      transport: [],
    },
  },
  {
    level: 3,
    modules: {
      directory: [],
      fetch: [],
      frontier: [],
      parse: [],
      rows: [],
      store: [],
    },
  },
  {
    level: 5,
    modules: {
      agent: [],
    },
  },
  {
    level: 6,
    modules: {
      cli: [],
    },
  },
];

/**
 * Worlds for tests. They may use anything of levels 0 to 2; nothing of levels 0 to 5 uses them. The
 * command line does: it serves them to users.
 */
export const TEST_WORLDS: Readonly<Record<string, readonly string[]>> = {
  simulator: [],
  simweb: [],
  conformance: [],
};

/**
 * Files that may touch the world: named one by one, with what they may name. Everything else in
 * `src/` is given the world through the seams.
 */
export const MAY_TOUCH: Readonly<Record<string, readonly World[]>> = {
  "time/system-clock.ts": ["clock", "timers"],
  "random/fresh-seed.ts": ["chance"],
  "background/task-thread.ts": ["threads"],
  "background/thread-background.ts": ["threads"],
  "database/sqlite-database.ts": ["files"],
  "fetch/connection-wire.ts": ["sockets"],
  "fetch/http2-connection.ts": ["sockets"],
  "storage/disk-calls.ts": ["files", "timers"],
  "directory/directory-files.ts": ["files"],
  "directory/directory-lock.ts": ["files", "process"],
  "fetch/file-calls.ts": ["files"],
  "rows/open-rows.ts": ["files"],
  "rows/row-file.ts": ["files"],
  "rows/row-pipe.ts": ["sockets", "timers"],
  "simweb/control-port.ts": ["sockets"],
  "simweb/dns-server.ts": ["sockets"],
  "simweb/loopback-listener.ts": ["sockets"],
  "simweb/socket-wire.ts": ["sockets"],
  "fetch/dns-node-lookup.ts": ["sockets"],
  "fetch/hosts-file-reader.ts": ["files", "process"],
  "cli/demo-web-thread.ts": ["threads"],
  "cli/demo-web.ts": ["threads"],
  "cli/main.ts": ["process"],
  "cli/process-limits.ts": ["process"],
  "cli/process-signals.ts": ["process", "timers"],
  "cli/named-files.ts": ["files", "process"],
};

/** What the deterministic core must not reach for by itself. */
export type World = "clock" | "chance" | "timers" | "files" | "sockets" | "process" | "threads";

export const WORLD_PATTERNS: Readonly<Record<World, RegExp>> = {
  clock: either(
    /\bDate\.now\b|\bnew Date\b(?!\(\s*[^\s)])|\bperformance\b|\bhrtime\b/,
    "perf_hooks",
  ),
  chance: /\bMath\.random\b|\b(?:getRandomValues|random(?:Bytes|UUID|Int|Fill|FillSync))\b/,
  timers: either(/\b(?:setTimeout|setInterval|setImmediate|queueMicrotask|nextTick)\b/, "timers"),
  files: imported("fs|sqlite"),
  sockets: either(
    /(?<![.\w])fetch\((?!\s*\w+\??:)|\bglobalThis\.fetch\b|\bWebSocket\b/,
    "net|http|https|http2|dgram|dns|tls",
  ),
  process: either(/\bprocess[.[]|= process\b/, "process|child_process|os"),
  threads: either(/\bnew Worker\(/, "worker_threads|cluster"),
};

function either(used: RegExp, modules: string): RegExp {
  return new RegExp(`${used.source}|${imported(modules).source}`);
}

/** One of Node's modules, or what lies below it, by its new name or its old one. */
function imported(modules: string): RegExp {
  return new RegExp(
    `(?:\\bfrom|\\bimport|\\brequire)\\s*\\(?\\s*["'](?:node:)?(?:${modules})["'/]`,
  );
}
