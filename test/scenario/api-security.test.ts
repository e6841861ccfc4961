/**
 * Who may use the API of a crawl, over HTTPS and with tokens of the user's: rows S20, S21 and S23 of the
 * table of threats, on the whole program. What each check decides is in `access.test.ts`.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request as plainRequest } from "node:http";
import { request } from "node:https";
import { join } from "node:path";
import { test } from "node:test";
import { crawlInto, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { CertificateAuthority } from "../support/fetch/certificates.ts";

const TOKEN = "a-token-of-the-user-s-own";
const READ_TOKEN = "a-token-that-may-only-read";

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

test("an API with the user's certificate and tokens lets in whom it should, and keeps a record", async () => {
  const pages = { "/": linking("/1"), "/1": linking() };
  await withWeb(
    () => ({ "a.test": { pages } }),
    async (web) => {
      const folder = join(web.folder, "secured");
      const at = (name: string): string => join(web.folder, name);
      const { cert, key } = CertificateAuthority.selfSigned("localhost");
      for (const [name, text] of [
        ...[
          ["api.crt", cert],
          ["api.key", key],
        ],
        ...[
          ["api.token", `${TOKEN}\n`],
          ["read.token", READ_TOKEN],
        ],
      ] as const) {
        writeFileSync(at(name), text);
      }
      const settings = [
        ...["--set", `api.tls={cert: ${at("api.crt")}, key: ${at("api.key")}}`],
        ...["--set", `api.token=${at("api.token")}`, "--set", `api.readToken=${at("read.token")}`],
      ];
      const flags = [...web.flags, "--ignore-robots", "--delay", "1h", "--json", "--quiet"];
      const ended = crawlInto(folder, [
        "crawl",
        ...flags,
        ...settings,
        "-o",
        folder,
        web.url("a.test/"),
      ]);
      await web.requests(1);
      const place = JSON.parse(readFileSync(join(folder, "api.json"), "utf8"));
      assert.deepEqual(Object.keys(place), ["url", "token", "certificate"]);
      assert.deepEqual([place.token, place.certificate], [at("api.token"), at("api.crt")]);
      const { port } = new URL(place.url);
      const send = async (sent: Sent): Promise<IncomingMessage & { text: string }> => {
        const { method = "GET", path = "/status", token = TOKEN, headers = {}, body } = sent;
        const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
        const asking = request({
          ...{ host: "127.0.0.1", port, method, path: `/api/v1${path}`, agent: false },
          ...{ ca: cert, checkServerIdentity: () => undefined },
          headers: { host: `localhost:${port}`, ...authorization, ...headers },
        }).end(body);
        const [response] = (await once(asking, "response")) as [IncomingMessage];
        let text = "";
        for await (const piece of response) text += String(piece);
        return Object.assign(response, { text });
      };
      const json = { "content-type": "application/json" };
      const pause = { method: "POST", path: "/control", body: '{"action":"pause"}' };
      const statuses: readonly [what: string, sent: Sent, status: number, code?: string][] = [
        ["the owner reads", {}, 200],
        ["the reader reads", { token: READ_TOKEN }, 200],
        ["nobody reads", { token: null }, 401, "API_UNAUTHORIZED"],
        ["a wrong token", { token: "wrong" }, 401, "API_UNAUTHORIZED"],
        ["anybody asks for health", { token: null, path: "/health" }, 200],
        ["nobody learns what there is", { token: null, path: "/nothing" }, 401, "API_UNAUTHORIZED"],
        [
          "the reader changes",
          { ...pause, token: READ_TOKEN, headers: json },
          403,
          "API_FORBIDDEN",
        ],
        ["a form of another site", { ...pause, headers: { "content-type": "text/plain" } }, 415],
        [
          "a page of another site",
          { ...pause, headers: { ...json, origin: "https://evil.example" } },
          403,
        ],
        ["a rebound name", { headers: { host: `evil.example:${port}` } }, 421, "API_BAD_HOST"],
        ["a preflight", { method: "OPTIONS", headers: { origin: "https://evil.example" } }, 403],
        ["the owner changes", { ...pause, headers: json }, 200],
        [
          "a seed with a password and a line end",
          {
            ...{ method: "POST", path: "/seeds", headers: json },
            body: JSON.stringify({ seeds: ["http://me:sesame@b.test/\u2028\r\nforged"] }),
          },
          200,
        ],
      ];
      for (const [what, sent, status, code] of statuses) {
        const { statusCode, text, headers } = await send(sent);
        assert.equal(statusCode, status, `${what}: ${text}`);
        if (status >= 400) {
          const { error } = JSON.parse(text);
          assert.deepEqual(Object.keys(error), ["code", "message", "remedy"], what);
          if (code !== undefined) assert.equal(error.code, code, what);
        }
        for (const name of Object.keys(headers)) {
          assert.ok(!name.startsWith("access-control-"), `${what}: no other site may read this`);
        }
      }
      const clear = plainRequest(`http://127.0.0.1:${port}/api/v1/health`).end();
      await assert.rejects(once(clear, "response"), "in the clear it says nothing");
      const stop = { method: "POST", path: "/control", body: '{"action":"stop","immediate":true}' };
      assert.equal((await send({ ...stop, headers: json })).statusCode, 200);
      assert.equal((await ended).code, 130);
      assert.ok(statSync(at("api.token")).isFile(), "the user's own file stays");
      const log = readFileSync(join(folder, "logs/control.log"), "utf8");
      const lines = log
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      assert.deepEqual(
        lines.map(({ who, did, status }) => `${who} ${did} ${status}`),
        [
          ...["null GET /api/v1/status 401", "null GET /api/v1/status 401"],
          ...["null GET /api/v1/nothing 401", "read POST /api/v1/control 403"],
          ...["write POST /api/v1/control 415", "null POST /api/v1/control 403"],
          ...["null GET /api/v1/status 421", "null OPTIONS /api/v1/status 403"],
          ...["write POST /api/v1/control 200", "write POST /api/v1/seeds 200"],
          "write POST /api/v1/control 200",
        ],
      );
      assert.match(log, /^[\x20-\x7e…\n]*$/);
      assert.equal(lines[8].what, '{"action":"pause"}');
      // No secret is in any file of the crawl.
      for (const name of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        if (!name.isFile()) continue;
        const bytes = readFileSync(join(name.parentPath, name.name));
        for (const secret of [TOKEN, READ_TOKEN, "sesame"]) {
          assert.ok(!bytes.includes(secret), `${secret} is in ${name.name}`);
        }
      }
    },
  );
});
