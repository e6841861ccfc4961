import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, bodiesOf, revisit, withArchives } from "../../../test/support/store/archives.ts";
import { sha1, sha1Digest } from "../../formats/warc/index.ts";

const FIRST = sha1Digest(Buffer.from("first"));
const HEX = `sha1:${Buffer.from(sha1(Buffer.from("first"))).toString("hex")}`;
const REFERS = { "WARC-Refers-To-Target-URI": "http://a.test/p" };

/** The bodies of the captures in an archive of these records. */
async function read(...records: readonly Buffer[]): Promise<string[]> {
  let bodies: string[] = [];
  await withArchives(async (rig) => {
    const view = await rig.open([rig.file("x.warc", Buffer.concat(records))]);
    bodies = await bodiesOf(view);
    await view.close();
  });
  return bodies;
}

test("a revisit has the body with its digest, not the latest one of the URL it names", async () => {
  for (const digest of [FIRST, FIRST.toLowerCase(), HEX]) {
    const found = await read(
      answer("p", "first", { "WARC-Payload-Digest": FIRST }),
      revisit("p", { ...REFERS, "WARC-Payload-Digest": digest }),
      answer("p", "second"),
    );
    assert.deepEqual(found, ["p: first", "p: first", "p: second"], digest);
  }
});

test("a body with another digest is not given, and the reason is", async () => {
  const absent = { ...REFERS, "WARC-Payload-Digest": FIRST };
  const [, found] = await read(answer("p", "second"), revisit("q", absent));
  assert.equal(
    found,
    "q: (its body is that of http://a.test/p: the body there has another digest)",
  );
  const strange = { ...REFERS, "WARC-Payload-Digest": "crc:12" };
  const [, unknown] = await read(answer("p", "second"), revisit("q", strange));
  assert.match(unknown ?? "", /another digest/);
  const same = await read(
    answer("p", "second", { "WARC-Payload-Digest": "crc:12" }),
    revisit("q", strange),
  );
  assert.deepEqual(same, ["p: second", "q: second"], "digests that we cannot check are compared");
});

test("without a digest the date decides, and without both only what is older", async () => {
  const dated = (second: number): Record<string, string> => ({
    "WARC-Date": `2026-01-01T00:00:0${second}Z`,
  });
  const found = await read(
    answer("p", "first", dated(1)),
    answer("p", "second", dated(2)),
    revisit("q", { ...REFERS, ...dated(3), "WARC-Refers-To-Date": "2026-01-01T00:00:01Z" }),
    revisit("r", { ...REFERS, ...dated(3), "WARC-Refers-To-Date": "2026-01-01T00:00:09Z" }),
    revisit("s", { ...REFERS, ...dated(3) }),
    revisit("t", { ...REFERS, ...dated(1) }),
  );
  assert.deepEqual(found.slice(2), [
    "q: first",
    "r: (its body is that of http://a.test/p: the body there has another date)",
    "s: second",
    "t: (its body is that of http://a.test/p: the body there is newer)",
  ]);
});

test("revisits of revisits are followed, in circles and to nowhere too", async () => {
  const refersTo = (name: string) => ({ "WARC-Refers-To-Target-URI": `http://a.test/${name}` });
  const found = await read(
    answer("p", "first"),
    revisit("q", refersTo("p")),
    revisit("r", refersTo("q")),
    revisit("x", refersTo("y")),
    revisit("y", refersTo("x")),
    revisit("self", refersTo("self")),
    revisit("lost", refersTo("nowhere")),
    revisit("mute", {}),
    revisit("odd", { "WARC-Refers-To-Target-URI": "\x01 not a URL" }),
  );
  const circle = "revisits that refer to each other have no body";
  assert.deepEqual(found.slice(1), [
    ...["q: first", "r: first"],
    `x: (its body is that of http://a.test/y: ${circle})`,
    `y: (its body is that of http://a.test/x: ${circle})`,
    `self: (its body is that of http://a.test/self: ${circle})`,
    "lost: (its body is that of http://a.test/nowhere: which is not there)",
    `mute: (its body is that of http://a.test/mute: ${circle})`,
    found.at(-1),
  ]);
  assert.match(found.at(-1) ?? "", /^odd: \(its body is that of .*which is not there\)$/);
  const long = Array.from({ length: 30 }, (_, at) => revisit(`n${at}`, refersTo(`n${at + 1}`)));
  const [start] = await read(...long, answer("n30", "far"));
  assert.match(start ?? "", /too many revisits follow each other/);
});
