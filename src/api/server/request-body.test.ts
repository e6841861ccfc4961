import assert from "node:assert/strict";
import { test } from "node:test";
import { MIB } from "../../base/units/index.ts";
import type { HttpRequest } from "./http-listener.ts";
import { readJson } from "./request-body.ts";

/** A request whose body comes in these pieces; `taken` counts those that were asked for. */
function request(pieces: readonly (Uint8Array | string)[], headers: object = {}) {
  const counts = { taken: 0 };
  async function* body(): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) {
      counts.taken += 1;
      yield Buffer.from(piece);
    }
  }
  return { counts, request: Object.assign(body(), { headers }) as unknown as HttpRequest };
}

test("a body is read whole, wherever it is cut", async () => {
  const text = Buffer.from('{"seeds":["http://é.test/"]}');
  const pieces = Array.from(text, (byte) => Uint8Array.of(byte));
  assert.deepEqual(await readJson(request(pieces).request), { seeds: ["http://é.test/"] });
});

test("a body that is too long is refused, announced or not, and not read to its end", async () => {
  const tooLarge = { code: "API_BODY_TOO_LARGE" };
  const announced = request(["{}"], { "content-length": String(MIB + 1) });
  await assert.rejects(readJson(announced.request), tooLarge);
  assert.equal(announced.counts.taken, 0);
  const chunked = request(Array.from({ length: 40 }, () => new Uint8Array(MIB / 4).fill(32)));
  await assert.rejects(readJson(chunked.request), tooLarge);
  assert.equal(chunked.counts.taken, 5);
});

test("what is not JSON in UTF-8 is refused", async () => {
  for (const text of ["", "{", "pause", Uint8Array.of(0x22, 0xff, 0x22)]) {
    await assert.rejects(readJson(request([text]).request), { code: "API_BAD_REQUEST" });
  }
});

function nested(depth: number): string {
  return `${"[".repeat(depth)}${"]".repeat(depth)}`;
}

test("brackets in texts, and many that are not nested, are no depth", async () => {
  const wide = JSON.stringify(Array.from({ length: 1000 }, () => [{}]));
  for (const text of [nested(64), '{"a":"[[[["}', `["${'\\"['.repeat(200)}"]`, wide]) {
    assert.deepEqual(await readJson(request([text]).request), JSON.parse(text));
  }
});

test("what is nested too deep is refused before anything is made of it", async () => {
  const refusal = { code: "API_BAD_REQUEST", message: /nested more than 64 deep/ };
  const afterText = `["\\\\",${nested(64)}]`;
  for (const text of [nested(65), nested(500_000), '{"a":'.repeat(150_000), afterText]) {
    await assert.rejects(readJson(request([text]).request), refusal);
  }
});

test("a caller that goes before its body is whole is refused, which is no fault of the crawl", async () => {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{"action":');
    throw Object.assign(new Error("aborted"), { code: "ECONNRESET" });
  }
  const cut = Object.assign(body(), { headers: {} }) as unknown as HttpRequest;
  const refusal = { code: "API_BAD_REQUEST", message: /ended before it was whole/ };
  await assert.rejects(readJson(cut), refusal);
});
