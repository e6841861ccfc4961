import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import fc from "fast-check";
import { answerTo, smallWeb } from "../../../../test/support/lab/small-web.ts";
import { GeneratedWeb, PROFILES } from "../index.ts";
import { profileFingerprints, webFingerprint } from "./web-fingerprint.fixture.ts";

test("the same profile and seed give the same web in every process", () => {
  const printed = execFileSync(
    process.execPath,
    ["src/lab/simweb/web/web-fingerprint.fixture.ts"],
    {
      encoding: "utf8",
    },
  );
  assert.equal(printed, profileFingerprints());
  assert.equal(new Set(printed.match(/[0-9a-f]{64}/g)).size, 4);
});

test("another seed gives another web", () => {
  for (const name of ["plain", "hostile"] as const) {
    assert.notEqual(webFingerprint(smallWeb(name, 1)), webFingerprint(smallWeb(name, 2)));
  }
});

test("what was asked before changes nothing but errors that pass", () => {
  const [one, other] = [smallWeb("hostile", 5), smallWeb("hostile", 5)];
  const urls = Array.from({ length: 200 }, (_, index) => {
    const host = index % one.hostCount;
    return one.model.url(host, index % one.model.hosts.size(host));
  });
  const forwards = urls.map((url) => answerTo(one, url));
  const backwards = urls.toReversed().map((url) => answerTo(other, url));
  assert.deepEqual(backwards.toReversed(), forwards);
});

test("a web of ten million pages is there at once and takes little memory", () => {
  const before = process.memoryUsage().rss;
  const web = new GeneratedWeb({ profile: PROFILES.scale, seed: 1 });
  assert.ok(web.model.hosts.pageCount > 9_900_000);
  assert.equal(web.hostCount, 100_000);
  const last = web.model.url(99_999, web.model.hosts.size(99_999) - 1);
  assert.equal(answerTo(web, last).status, 200);
  assert.ok(process.memoryUsage().rss - before < 100 * 2 ** 20);
});

test("nothing that is asked makes a web throw", () => {
  const webs = [smallWeb("hostile", 1), smallWeb("plain", 1)];
  const host = fc.oneof(
    fc.nat(13).map((index) => webs[0]?.hostAt(index).name ?? ""),
    fc.domain(),
    fc.string(),
    fc.constantFrom("", ".", "w3-00000000.maze-0.test", "127.0.0.1", "[::1]"),
  );
  const target = fc.oneof(
    fc.webPath().map((path) => `/${path}`),
    fc.string(),
    fc.string().map((text) => `/${text}`),
    fc.constantFrom(
      "*",
      "/%",
      "/%ff%FE",
      "/..%2f..",
      "/robots-9.txt",
      "/sitemap-1.xml.gz",
      "/?id=-1",
    ),
  );
  const headers = fc.array(fc.tuple(fc.constantFrom("Accept-Encoding", "x"), fc.string()), {
    maxLength: 3,
  });
  fc.assert(
    fc.property(
      fc.constantFrom(...webs),
      host,
      fc.constantFrom("GET", "HEAD", "POST", ""),
      target,
      headers,
      (web, name, method, path, sent) => {
        const request = { host: name, method, target: path, headers: sent, earlierTries: 0 };
        const { status } = web.respond(request);
        assert.ok(Number.isInteger(status) && status >= 200 && status < 600);
        web.hostNamed(name);
      },
    ),
    { numRuns: 2000 },
  );
});

test("a host is known by its name with capitals and with the dot of the root", () => {
  const web = smallWeb("plain", 1);
  const { name } = web.hostAt(3);
  assert.deepEqual(web.hostNamed(`${name.toUpperCase()}.`), web.hostAt(3));
  const plain = answerTo(web, `http://${name}/`);
  assert.deepEqual(answerTo(web, `http://${name.toUpperCase()}./`), plain);
});

test("all spellings of a path get the same answer", () => {
  const web = smallWeb("plain", 1);
  const url = web.model.url(0, 5);
  const spelled = url.replace(
    /[a-z](?=[^/]*$)/,
    (letter) => `%${letter.charCodeAt(0).toString(16)}`,
  );
  assert.notEqual(spelled, url);
  assert.deepEqual(answerTo(web, spelled), answerTo(web, url));
});

test("only GET and HEAD are answered, and only for hosts of this web", () => {
  const web = smallWeb("plain", 1);
  const request = { method: "GET", target: "/", headers: [], earlierTries: 0 };
  const { name } = web.hostAt(0);
  assert.equal(web.respond({ ...request, host: name, method: "POST" }).status, 405);
  assert.equal(web.respond({ ...request, host: "elsewhere.test" }).status, 421);
  assert.equal(web.respond({ ...request, host: name, target: "nonsense" }).status, 400);
  assert.equal(web.respond({ ...request, host: name, target: "/nothing" }).status, 404);
  assert.equal(web.hostNamed("elsewhere.test"), null);
});

test("hosts are on loopback addresses, and several share one", () => {
  const web = smallWeb("hostile", 3, { hosts: { count: 300, pages: 300 } });
  const addresses = Array.from({ length: 300 }, (_, host) => web.hostAt(host).addresses).flat();
  for (const address of addresses) assert.match(address, /^(?:127\.\d+\.\d+\.\d+|::1)$/);
  assert.ok(new Set(addresses).size < addresses.length / 2);
  assert.ok(addresses.includes("::1"));
});

test("a mirror serves every byte of the host it mirrors", () => {
  const web = smallWeb("hostile", 2, { hosts: { mirrors: 0.5, slow: 0, dead: 0, count: 40 } });
  const { hosts } = web.model;
  const mirrors = Array.from({ length: 40 }, (_, host) => host).filter(
    (host) => hosts.contentOf(host) !== host,
  );
  assert.ok(mirrors.length > 5);
  for (const mirror of mirrors) {
    for (let slot = 0; slot < hosts.size(mirror); slot += 1) {
      const [own, original] = [mirror, mirror - 1].map((host) =>
        answerTo(web, web.model.url(host, slot), 9),
      );
      assert.equal(own?.status, original?.status);
      const isPage = own?.status === 200;
      if (isPage) assert.ok(Buffer.compare(own.body, original?.body ?? own.body) === 0);
    }
  }
});
