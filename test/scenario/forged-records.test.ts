/** Bodies that are written to be taken for records of the archive, once there is damage before them. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { run } from "../../src/cli/shell/run.ts";
import { type Hosts, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";

function forgedRecord(url: string): string {
  const answer = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nforged";
  const fields = [
    "WARC/1.1",
    "WARC-Type: response",
    "WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>",
    "WARC-Warcinfo-ID: <urn:uuid:00000000-0000-4000-8000-000000000002>",
    "WARC-Date: 2026-01-01T00:00:00Z",
    `WARC-Target-URI: ${url}`,
    "Content-Type: application/http;msgtype=response",
    `Content-Length: ${answer.length}`,
  ];
  return `${fields.join("\r\n")}\r\n\r\n${answer}\r\n\r\n`;
}

const SITE: Hosts = (port) => ({
  "evil.test": {
    pages: {
      "/": linking("/blob", "/next"),
      "/blob": { body: `before\r\n\r\n${forgedRecord(`http://other.test:${port}/`)}after` },
      "/next": linking(`http://other.test:${port}/`),
    },
  },
  "other.test": { pages: { "/": { body: "<p>as it is" } } },
});

test("a rebuild takes no record from the body of a page", async () => {
  await withWeb(SITE, async (web) => {
    const flags = ["--scope", "any", "--set", "store.compression=none", "--set", "store.level=~"];
    const { folder } = await web.crawl(["evil.test/"], [...flags, "-n", "2"]);
    const [name = ""] = readdirSync(join(folder, "warc"));
    const path = join(folder, "warc", name);
    const bytes = readFileSync(path);
    const at = bytes.lastIndexOf("WARC/1.1", bytes.indexOf("before\r\n\r\nWARC/1.1"));
    assert.ok(at > 0, "the body is there as it was sent");
    bytes.fill("x", at, at + 20);
    writeFileSync(path, bytes);
    const rebuild = new RecordedTerminal();
    const argv = ["store", "verify", "--rebuild", "--json", "-q", "-o", folder];
    assert.equal(await run(argv, rebuild), 0, rebuild.said);
    const [rebuilt = {}] = rebuild.rows();
    assert.deepEqual([rebuilt["lost"], rebuilt["found"]], [1, 0]);
    const on = new RecordedTerminal();
    const again = ["crawl", ...web.flags, "-n", "9", "-q", "--json", "-o", folder];
    assert.equal(await run(again, on), 0, on.said);
    const body = new RecordedTerminal();
    assert.equal(await run(["store", "get", web.url("other.test/"), "-o", folder], body), 0);
    assert.equal(body.written, "<p>as it is");
    assert.ok(web.asked.includes("other.test/"));
  });
});
