/** The command itself, on this machine, with a name server on loopback. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { RecordedTerminal } from "../../../test/support/cli/recorded-terminal.ts";
import { openNameServer } from "../../../test/support/fetch/name-server.ts";
import { TableWeb } from "../../../test/support/lab/table-web.ts";
import { doctor } from "./doctor.ts";

const HOSTS = { "a.test": { pages: {}, addresses: ["192.0.2.1"] } };

test("this machine is examined, and nothing is left behind", async () => {
  await using server = await openNameServer(new TableWeb(HOSTS));
  const folder = mkdtempSync(join(tmpdir(), "trobar-doctor-"));
  const servers = `dns.servers=[127.0.0.1:${server.port}]`;
  const args = ["http://a.test/", "-o", join(folder, "new", "crawl"), "--set", servers];
  const json = new RecordedTerminal();
  const code = await doctor([...args, "--json"], json);
  const { fit, checks } = JSON.parse(json.written) as {
    readonly fit: boolean;
    readonly checks: readonly { readonly name: string; readonly fitness: string }[];
  };
  assert.equal(code, fit ? 0 : 1);
  assert.deepEqual(
    checks.map(({ name }) => name),
    [
      ...["versions", "cores", "memory", "limits", "disk space", "file system", "disk speed"],
      ...["clock", `dns 127.0.0.1:${server.port}`, "nats-server"],
    ],
  );
  assert.equal(checks.find(({ name }) => name.startsWith("dns"))?.fitness, "good");
  assert.deepEqual(readdirSync(folder), []);
  rmSync(folder, { recursive: true });
});

test("a host that cannot be found makes it unfit, in words and by the exit code", async () => {
  await using server = await openNameServer(new TableWeb(HOSTS));
  const terminal = new RecordedTerminal();
  const servers = `dns.servers=[127.0.0.1:${server.port}]`;
  const code = await doctor(["http://gone.test/", "--set", servers], terminal);
  assert.equal(code, 1);
  assert.match(terminal.written, /^BAD {2}.*no address of gone\.test$/m);
  assert.match(terminal.written, /This machine is not fit for a crawl/);
});

test("mistakes in the configuration are told as for a crawl", async () => {
  await assert.rejects(
    doctor(["--set", "fetch.concurrency=0"], new RecordedTerminal()),
    ({ code }: { code?: string }) => code === "CONFIG_INVALID",
  );
});

test("every word that is not a URL is told of, and what doctor takes instead", async () => {
  await assert.rejects(
    doctor(["machine", "--set", "fetch.retries=x", "disk"], new RecordedTerminal()),
    ({ message }: Error) => {
      assert.match(message, /3 mistakes/);
      for (const word of ["machine", "disk"]) assert.ok(message.includes(`"${word}" is not`), word);
      assert.match(message, /legal: no word, or URLs of sites/);
      assert.doesNotMatch(message, /seeds/);
      return true;
    },
  );
});
