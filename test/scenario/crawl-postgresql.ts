/** Example 18 against a real server, which listens on a socket in a temporary folder only. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../src/cli/shell/run.ts";
import { linking, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";

/** Where Debian puts the programs of a server. */
function serverProgram(name: string): string {
  const [version = ""] = readdirSync("/usr/lib/postgresql").sort().reverse();
  return join("/usr/lib/postgresql", version, "bin", name);
}

/** A server refuses to run as root. */
const SERVER_USER = process.getuid?.() === 0 ? idOf("-u") : undefined;
const SERVER_GROUP = process.getuid?.() === 0 ? idOf("-g") : undefined;

function idOf(flag: string): number | undefined {
  try {
    return Number(execFileSync("id", [flag, "postgres"], { stdio: ["ignore", "pipe", "ignore"] }));
  } catch {
    return undefined;
  }
}

export async function crawlIntoPostgresql(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "trobar-postgresql-"));
  const user = SERVER_USER === undefined ? {} : { uid: SERVER_USER, gid: SERVER_GROUP ?? 0 };
  if (SERVER_USER !== undefined) chownSync(folder, SERVER_USER, SERVER_GROUP ?? 0);
  const data = join(folder, "data");
  const call = (name: string, ...args: string[]) =>
    execFileSync(serverProgram(name), args, { ...user, cwd: folder, stdio: "ignore" });
  const options = `-c listen_addresses= -c unix_socket_directories=${folder} -c fsync=off`;
  try {
    call("initdb", "-D", data, "-U", "crawler", "--auth=trust", "--no-sync");
    call("pg_ctl", "-D", data, "-w", "-l", join(folder, "log"), "-o", options, "start");
    await crawlInto(`postgresql://crawler@localhost/postgres?host=${folder}`);
  } finally {
    // Nothing is left running, whatever failed: also a server that was slow to start.
    if (existsSync(join(data, "postmaster.pid"))) {
      call("pg_ctl", "-D", data, "-m", "immediate", "stop");
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

async function crawlInto(database: string): Promise<void> {
  const names = Array.from({ length: 120 }, (_, at) => `/${at}`);
  const same = { body: "<title>nul\0</title><p>the same" };
  const pages = Object.fromEntries(names.map((name) => [name, { body: `<p>page ${name}` }]));
  const hosts = () => ({
    "a.test": { pages: { ...pages, "/": linking(...names, "/x", "/y"), "/x": same, "/y": same } },
  });
  process.env["DATABASE_URL"] = database;
  const { default: pg } = await import(CLIENT);
  const client = new pg.Client({ connectionString: database });
  // A connection that the end of the server breaks is no reason to crash.
  client.on("error", () => undefined);
  try {
    await client.connect();
    // The second crawl delivers every page again.
    await withWeb(hosts, async (web) => {
      for (const out of ["first", "second"]) {
        const terminal = new RecordedTerminal();
        const kind = "store.kind=./examples/18-postgresql-store/store.js";
        const flags = [...web.flags, "-q", "-o", join(web.folder, out), "--set", kind];
        const code = await run(["crawl", ...flags, web.url("a.test/")], terminal);
        assert.equal(code, 0, terminal.said);
        const { rows } = await client.query(
          "select count(*)::int as pages, count(body)::int as bodies, count(*) filter (where duplicate = 'payload')::int as same from pages",
        );
        assert.deepEqual(rows, [{ pages: 123, bodies: 122, same: 1 }]);
      }
      const { rows } = await client.query("select body from pages where url = $1", [
        web.url("a.test/7"),
      ]);
      assert.equal(rows[0].body.toString(), "<p>page /7");
    });
  } finally {
    await client.end();
    delete process.env["DATABASE_URL"];
  }
}

/** Its types are another package, so it is loaded by name. */
const CLIENT: string = "pg";
