import assert from "node:assert/strict";
import { test } from "node:test";
import { configured } from "../../../test/support/rules/configured.ts";
import { proxyNote } from "./proxy-note.ts";

test("a proxy in the environment is not used, and the note about it hides its credentials", () => {
  const environment = { https_proxy: "http://me:secret@proxy.example:3128", HTTP_PROXY: "" };
  const note = proxyNote(configured(), environment);
  assert.match(note ?? "", /^https_proxy .*fetch\.proxy/);
  assert.doesNotMatch(note ?? "", /secret|HTTP_PROXY/);
  assert.equal(proxyNote(configured(), {}), null);
  const proxied = configured("fetch.proxy=http://proxy.example:3128");
  assert.equal(proxyNote(proxied, environment), null);
});
