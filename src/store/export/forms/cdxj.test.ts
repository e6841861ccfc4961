import assert from "node:assert/strict";
import { test } from "node:test";
import { getSurt } from "../../../../test/support/formats/warcio.ts";
import { replayKey } from "./cdxj.ts";

test("a URL is looked up by the key that warcio gives it", () => {
  const urls = [
    "http://example.org/",
    "https://www2.example.org:8443/A/b?z=1&a=%7e&&B",
    "http://a.test/x?",
    "http://[2001:db8::1]:8080/",
    "http://192.0.2.1/Path;x=1",
    "ftp://example.org/file",
    "not a url",
  ];
  for (const url of urls) assert.equal(replayKey(url), getSurt(url), url);
});

test("a host that is called www and nothing else keeps its name", () => {
  assert.equal(replayKey("http://www./"), ",www)/");
  assert.equal(replayKey("http://www2./x"), ",www2)/x");
  assert.equal(replayKey("http://WWW.example.org/A"), "org,example)/a");
});
