import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { keyOf, parseUrl } from "../../../formats/url/index.ts";
import { Chance } from "../model/chance.ts";
import { SPELLINGS, type UrlPieces } from "./spellings.ts";
import { relativePath } from "./url-speller.ts";

const PAGE = "http://www.page.test:8080/there/is/a/page.html";
const HOST = "shop.xn--bcher-0-n2a.test";
const path = fc.constantFrom(
  "/",
  "/a/b-1.html",
  "/a/b-1/",
  "/index.php?lang=en&section=x&copy=yes&id=7",
  "/%C3%BCber/x-3.html",
  "/private/open/x-9.html",
  "/a/b-1.html;jsessionid=0123456789ABCDEF0123456789ABCDEF",
  "/?utm_source=feed&utm_medium=link",
);

const pieces: fc.Arbitrary<{ pieces: UrlPieces; meant: string }> = fc
  .tuple(path, fc.constantFrom("absolute", "rooted", "relative"), fc.constantFrom("", ":8080"))
  .map(([target, form, port]) => {
    const none = { scheme: "", user: "", host: "", port: "", path: target, fragment: "" };
    if (form === "absolute") {
      const meant = `http://${HOST}${port}${target}`;
      return { pieces: { ...none, scheme: "http:", host: HOST, port }, meant };
    }
    const meant = `http://www.page.test:8080${target}`;
    const shown = form === "rooted" ? target : relativePath(target, "/there/is/a/");
    return { pieces: { ...none, path: shown }, meant };
  });

test("any two spellings on top of each other leave the key of the URL as it was", () => {
  const spelling = fc.nat(SPELLINGS.length - 1);
  fc.assert(
    fc.property(pieces, spelling, spelling, fc.nat(), (given, first, second, seed) => {
      const { pieces: plain, meant } = given;
      const details = {
        row: new Chance("spelling", "test").at(seed, 0),
        writtenHost: plain.host === "" ? null : "shop.bücher-0.test",
        writtenPath: plain.path.includes("%C3%BC") ? "/über/x-3.html" : null,
        mayEscape: true,
      };
      const once = SPELLINGS[first]?.(plain, details) ?? plain;
      for (const one of [once, SPELLINGS[second]?.(once, details) ?? once]) {
        assert.equal(keyIn(joined(one)), keyIn(meant), JSON.stringify(joined(one)));
      }
    }),
    { numRuns: process.env["TROBAR_FULL"] === "1" ? 100_000 : 5000 },
  );
});

test("a relative path leads back to where it came from", () => {
  const folder = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 4 });
  fc.assert(
    fc.property(path, folder, (target, names) => {
      const base = names.map((name) => `/${name}`).join("");
      const shown = relativePath(target, `${base}/`);
      const { pathname, search } = new URL(shown, `http://x.test${base}/page?x#y`);
      assert.equal(pathname + search, target, shown);
    }),
  );
});

function joined({ scheme, user, host, port, path: target, fragment }: UrlPieces): string {
  return `${scheme}${host === "" ? "" : `//${user}${host}${port}`}${target}${fragment}`;
}

function keyIn(text: string): string {
  const parsed = parseUrl(text, { base: PAGE });
  return parsed.kind === "accepted" ? keyOf(parsed.url) : `refused: ${parsed.reason}`;
}
