import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { ApiClient } from "./api-client.ts";
import { placeFor, placeIn } from "./api-place.ts";

const root = mkdtempSync(join(tmpdir(), "trobar-place-"));
after(() => rmSync(root, { recursive: true }));
writeFileSync(join(root, "secret"), "a-secret-of-the-user\n", { mode: 0o600 });
const LOCAL = "http://127.0.0.1:1";

/** A crawl directory with this `api.json`, and a token of its own. */
let count = 0;
function directory(place: unknown): string {
  count += 1;
  const folder = join(root, String(count));
  mkdirSync(folder);
  writeFileSync(join(folder, "api.json"), JSON.stringify(place), { mode: 0o600 });
  writeFileSync(join(folder, "api.token"), "the-token-of-the-crawl\n", { mode: 0o600 });
  return folder;
}

function written(place: object) {
  const found = placeIn(directory(place));
  assert.ok(found !== null);
  return found;
}

test("the token of a directory goes where the directory says", () => {
  const token = "the-token-of-the-crawl";
  for (const url of [LOCAL, "https://crawler.example.org:8443"]) {
    const place = placeFor(written({ url: `${url}/x?y`, token: "api.token" }), null);
    assert.deepEqual(place, { url, token, certificate: null, isOwnMachine: false });
  }
});

test("a token from outside of the directory goes to this machine only", () => {
  const folder = directory({ url: "http://192.0.2.1", token: "link" });
  symlinkSync("../secret", join(folder, "link"));
  const linked = placeIn(folder);
  const outside = written({ url: "http://192.0.2.1", token: join(root, "secret") });
  const climbing = written({ url: "http://192.0.2.1", token: "../secret" });
  for (const place of [linked, outside, climbing]) {
    assert.ok(place !== null);
    const { isOwnMachine, token } = placeFor(place, null);
    assert.deepEqual([isOwnMachine, token], [true, "a-secret-of-the-user"]);
  }
  const own = written({ url: LOCAL, token: "api.token" });
  assert.ok(placeFor(own, "token-of-the-environment").isOwnMachine);
});

test("nothing of the user's is sent where others could have named the place", () => {
  const folder = directory({ url: LOCAL, token: join(root, "secret") });
  chmodSync(join(folder, "api.json"), 0o666);
  const place = placeIn(folder);
  assert.ok(place !== null);
  const refusal = { code: "CONTROL_UNREACHABLE", message: /Others than you .* --api URL/ };
  assert.throws(() => placeFor(place, null), refusal);
  assert.throws(() => placeFor(place, "token-of-the-environment"), refusal);
});

test("what is not a place, and pipes, mean that nothing runs; what is no token is not sent", () => {
  for (const bad of [null, 5, [], {}, { url: LOCAL }, { url: "file:///etc", token: "api.token" }]) {
    assert.equal(placeIn(directory(bad)), null, JSON.stringify(bad));
  }
  const piped = directory({});
  rmSync(join(piped, "api.json"));
  execFileSync("mkfifo", [join(piped, "api.json"), join(piped, "pipe")]);
  assert.equal(placeIn(piped), null);
  const folder = directory({ url: LOCAL, token: "pipe", certificate: "pipe" });
  execFileSync("mkfifo", [join(folder, "pipe")]);
  assert.deepEqual([placeIn(folder)?.token, placeIn(folder)?.certificate], [null, null]);
  const lines = directory({ url: LOCAL, token: "key" });
  writeFileSync(join(lines, "key"), "-----BEGIN KEY-----\nsecret\n-----END KEY-----\n");
  assert.equal(placeIn(lines)?.token, null);
});

test("a client asks no other machine if it must not, and shows no token to ask who is there", async () => {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    response.end('{"status":"ok"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const place = { token: "secret", certificate: null, isOwnMachine: true };
    const client = new ApiClient({ ...place, url: `http://localhost:${port}` });
    await client.greet();
    await client.ask("GET", "/status");
    assert.deepEqual(
      seen.map(({ authorization }) => authorization),
      [undefined, "Bearer secret"],
    );
    for (const url of ["http://192.0.2.1", "http://[2001:db8::1]:5"]) {
      const far = new ApiClient({ ...place, url });
      const refusal = { code: "CONTROL_UNREACHABLE", message: /another machine/ };
      await assert.rejects(far.greet(), refusal);
      await assert.rejects(far.ask("GET", "/status"), refusal);
    }
  } finally {
    server.close();
  }
});

test("an answer that names no error of ours is not taken for one", async () => {
  const bodies = ["5", "null", '{"error":5}', '{"error":{"code":"constructor","message":"x"}}'];
  const server = createServer((...[, response]) => {
    response.writeHead(400).end(bodies.shift());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const place = { token: null, certificate: null, isOwnMachine: true };
  const client = new ApiClient({ ...place, url: `http://127.0.0.1:${port}` });
  for (const body of [...bodies]) {
    await assert.rejects(client.ask("GET", "/"), { code: "CONTROL_UNREACHABLE" }, body);
  }
  server.close();
});
