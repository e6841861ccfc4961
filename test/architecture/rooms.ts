/**
 * The rooms of `docs/architecture.md` as a table: every room of `src/`, its level, its modules, and
 * the modules of the same room that each may use. Imports go down from room to room; rooms of one
 * level never import one another; inside a room imports follow the arrows named here. An arrow that
 * no source uses is a mistake in this table.
 */
export interface Room {
  readonly level: number;
  /** A room with one module, itself, has no table. */
  readonly modules: Readonly<Record<string, readonly string[]>> | null;
}

export const ROOMS: Readonly<Record<string, Room>> = {
  cli: { level: 9, modules: null },
  api: { level: 8, modules: null },
  library: { level: 8, modules: null },
  doors: { level: 8, modules: null },
  agent: { level: 7, modules: null },
  holdings: { level: 6, modules: null },
  frontier: {
    level: 5,
    modules: {
      front: ["queues", "sieve", "ticket", "traversal"],
      traversal: ["queues", "ticket"],
      ticket: ["sieve"],
      lanes: [],
      queues: [],
      seen: [],
      sieve: [],
    },
  },
  fetch: {
    level: 5,
    modules: {
      client: ["body", "files", "proxy"],
      body: [],
      dns: [],
      files: ["body"],
      protocols: ["body", "client"],
      proxy: ["dns"],
    },
  },
  parse: {
    level: 5,
    modules: {
      page: ["digest"],
      digest: [],
      near: ["digest"],
    },
  },
  store: {
    level: 5,
    modules: {
      answers: [],
      archive: ["answers"],
      directory: [],
      export: ["texts"],
      index: ["archive"],
      links: [],
      pages: ["export"],
      query: ["answers", "archive", "directory", "export", "index", "links", "pages", "texts"],
      texts: [],
    },
  },
  cluster: {
    level: 5,
    modules: {
      custody: ["delivery", "messages"],
      delivery: ["messages"],
      limits: ["messages", "state"],
      membership: ["messages", "ring", "state"],
      messages: [],
      ring: [],
      node: [
        ...["custody", "delivery", "limits", "membership", "messages", "pages", "queries", "ring"],
        ...["slots", "termination"],
      ],
      pages: ["delivery", "messages"],
      queries: ["messages", "ring"],
      slots: ["messages", "ring"],
      state: [],
      termination: ["messages"],
    },
  },
  topology: {
    level: 4,
    modules: {
      items: [],
      connector: ["items"],
      unit: ["items"],
      runtime: ["connector", "items", "unit"],
      description: ["connector", "items", "runtime", "unit"],
      threads: ["connector", "description", "items", "runtime"],
      remote: ["connector", "items"],
      drawing: ["description"],
      control: ["description", "runtime"],
      launch: ["connector", "description", "items", "remote", "runtime", "threads", "unit"],
    },
  },
  rules: {
    level: 3,
    modules: {
      config: ["settings", "filter"],
      settings: [],
      filter: [],
      score: ["filter"],
    },
  },
  formats: {
    level: 2,
    modules: {
      url: [],
      address: ["url"],
      http: ["url"],
      robots: [],
      sitemap: ["charset"],
      html: ["charset", "css", "link"],
      link: [],
      css: [],
      charset: [],
      language: [],
      warc: ["http"],
      selector: ["charset"],
    },
  },
  base: {
    level: 1,
    modules: {
      errors: [],
      text: [],
      package: [],
      units: [],
      bytes: [],
      hash: [],
      fingerprints: [],
      zlib: [],
      kernels: [],
      seams: ["errors"],
      steps: ["errors", "seams"],
      time: ["seams"],
      random: ["seams"],
      folder: ["errors", "text"],
      storage: ["errors", "seams"],
      database: ["errors", "seams", "time"],
      background: ["database", "errors", "seams", "storage", "time"],
      transport: ["errors", "folder", "seams", "text", "time"],
      log: ["bytes", "errors", "seams"],
      runs: ["errors", "fingerprints", "seams", "steps"],
      shares: [],
      telemetry: [],
    },
  },
};

/**
 * The laboratory. Its modules may use anything; in the program only the command line uses them, to
 * serve them to users.
 */
export const LAB = "lab";
export const LAB_MODULES: readonly string[] = [
  "agents",
  "conformance",
  "link",
  "simulator",
  "simweb",
];

/**
 * Files that may touch the world: named one by one, with what they may name. Everything else in
 * `src/` is given the world through the seams.
 */
export const MAY_TOUCH: Readonly<Record<string, readonly World[]>> = {
  "agent/lanes/lane-program.ts": ["clock", "threads"],
  "agent/lanes/node-lanes.ts": ["clock", "threads"],
  "agent/topology/topology-file.ts": ["files"],
  "api/metrics/process-metrics.ts": ["clock", "process"],
  "api/server/http-listener.ts": ["sockets"],
  "api/server/tokens.ts": ["chance"],
  "base/background/task-thread.ts": ["threads"],
  "base/background/thread-background.ts": ["threads"],
  "base/database/sqlite-database.ts": ["files"],
  "base/database/room-probe.ts": ["files"],
  "base/folder/folder-files.ts": ["files"],
  "base/folder/folder-lock.ts": ["files", "process"],
  "base/folder/guarded-file.ts": ["files", "process"],
  "base/folder/read-file.ts": ["files"],
  "base/kernels/kernels-file.ts": ["files"],
  "base/random/fresh-seed.ts": ["chance"],
  "base/storage/disk-calls.ts": ["files", "timers"],
  "base/time/system-clock.ts": ["clock", "timers"],
  "base/transport/mesh/find-server.ts": ["process"],
  "base/transport/mesh/join-token.ts": ["chance"],
  "base/transport/mesh/log-follower.ts": ["files"],
  "base/transport/mesh/own-token.ts": ["files", "process"],
  "base/transport/mesh/server-folder.ts": ["files"],
  "base/transport/mesh/running-server.ts": ["files", "process"],
  "base/transport/mesh/stale-server.ts": ["files", "process"],
  "base/transport/nats/nats-client.ts": ["sockets"],
  "base/transport/tcp-callers.ts": ["sockets"],
  "base/transport/tcp-transport.ts": ["sockets"],
  "cli/agent/child-agent.ts": ["process"],
  "cli/control/api-client.ts": ["sockets"],
  "cli/control/own-machine.ts": ["process", "sockets"],
  "cli/demo/demo-web-thread.ts": ["threads"],
  "cli/demo/demo-web.ts": ["threads"],
  "cli/doctor/this-machine.ts": ["files", "process"],
  "cli/main.ts": ["process"],
  "cli/shell/named-files.ts": ["files", "process"],
  "agent/crawl/machine/process-limits.ts": ["process"],
  "cli/shell/process-signals.ts": ["process", "timers"],
  "doors/warc.ts": ["files"],
  "fetch/client/connections/connection-wire.ts": ["sockets"],
  "fetch/dns/dns-node-lookup.ts": ["sockets"],
  "fetch/files/file-calls.ts": ["files"],
  "fetch/dns/hosts-file-reader.ts": ["files", "process"],
  "fetch/client/connections/http2-connection.ts": ["sockets"],
  "lab/link/slow-link.ts": ["sockets"],
  "lab/simweb/serve/control-port.ts": ["sockets"],
  "lab/simweb/serve/dns-server.ts": ["sockets"],
  "lab/simweb/serve/loopback-listener.ts": ["sockets"],
  "lab/simweb/serve/socket-wire.ts": ["sockets"],
  "library/process-edge.ts": ["files", "process"],
  "rules/filter/atoms/syntax-place.ts": ["process"],
  "store/directory/directory-files.ts": ["files"],
  "store/query/archive-files.ts": ["files"],
  "store/query/unpack-file.ts": ["files"],
  "store/export/open-rows.ts": ["files"],
  "store/export/output/line-sorter.ts": ["files"],
  "store/export/output/part-file.ts": ["files"],
  "store/export/output/part-folder.ts": ["files"],
  "store/export/row-file.ts": ["files"],
  "store/export/row-pipe.ts": ["sockets", "timers"],
  "store/export/run-export.ts": ["files", "process"],
  "topology/threads/node-threads.ts": ["threads"],
  "topology/threads/thread-port.ts": ["threads"],
  "topology/threads/thread-program.ts": ["threads"],
  "topology/launch/run-topology.ts": ["files", "process"],
  "topology/launch/stall.ts": ["process"],
};

/** What the deterministic core must not use directly. */
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
