import assert from "node:assert/strict";
import { test } from "node:test";
import type { Done } from "../../base/seams/index.ts";
import type { Frontier } from "../../frontier/front/index.ts";
import { RobotsErrands } from "./robots-errands.ts";

type Asked = Parameters<Frontier["fetchRobots"]>;
type RobotsEnd = Parameters<Asked[1]>[0];
type Carried = Parameters<Done<string>>;

const ROBOTS = {
  ...{ origin: "https://a.example", url: "https://www.a.example/robots.txt", redirects: 1 },
} as Asked[0];

/** Errands of an agent that calls itself, with this end of each fetch; null if the host is not here. */
function errandsWith(end: RobotsEnd | null): {
  readonly asked: (Asked[0] | string)[];
  readonly ends: RobotsEnd[];
  readonly refused: string[];
} {
  const asked: (Asked[0] | string)[] = [];
  const ends: RobotsEnd[] = [];
  const refused: string[] = [];
  const errands: RobotsErrands = new RobotsErrands({
    node: {
      isHere: () => end !== null,
      queries: {
        callOwner: (_id, host, call, done) => {
          asked.push(host);
          carryOut(call, (...[error, text]: Carried) => {
            if (error === null) done(text);
            else refused.push(error.code);
          });
        },
      },
    },
    fetchRobots: (robots, done) => {
      asked.push(robots);
      if (end !== null) done(end);
    },
  });
  const carryOut = errands.carryOut(() => assert.fail("another call"));
  errands.ask(ROBOTS, (found) => ends.push(found));
  return { asked, ends, refused };
}

test("the owner of the host is called, and how the fetch ended comes back as it was", () => {
  const ends: readonly RobotsEnd[] = [
    { kind: "redirected", to: "https://b.example/robots.txt" } as RobotsEnd,
    {
      ...{ kind: "ended", attempt: { kind: "answered", status: 200 }, retryAfterMs: null },
      bytes: Buffer.from("User-agent: *\nDisallow: /\u00e9"),
    },
    {
      ...{ kind: "ended", attempt: { kind: "answered", status: 503 }, retryAfterMs: 5000 },
      bytes: null,
    },
    {
      ...{ kind: "ended", attempt: { kind: "failed" }, bytes: null, retryAfterMs: null },
      code: "DNS_NOT_FOUND",
    },
  ];
  for (const end of ends) {
    const { asked, ends: found } = errandsWith(end);
    assert.deepEqual(asked, ["www.a.example", ROBOTS]);
    assert.deepEqual(found, [end]);
  }
});

test("whoever does not have the host refuses", () => {
  const { ends, refused } = errandsWith(null);
  assert.deepEqual([ends, refused], [[], ["CONTROL_NOT_FOUND"]]);
});

test("other calls are for others, and what cannot be read is refused or counts as a failure", () => {
  const others: string[] = [];
  const texts = ["", "5", '{"kind":"ended"}', '{"kind":"redirected","to":"no url"}', "{"];
  for (const text of texts) {
    const ends: RobotsEnd[] = [];
    const errands = new RobotsErrands({
      node: {
        isHere: () => true,
        queries: { callOwner: (_id, _host, _call, done) => done(text) },
      },
      fetchRobots: () => assert.fail("nothing is fetched"),
    });
    errands.ask(ROBOTS, (end) => ends.push(end));
    assert.deepEqual(
      ends.map((end) => end.kind === "ended" && end.attempt.kind),
      ["failed"],
      text,
    );
    const refused: (string | undefined)[] = [];
    const carryOut = errands.carryOut(({ what }) => void others.push(what));
    carryOut({ what: "robots", argument: text }, (...[error]: Carried) => {
      refused.push(error?.code);
    });
    assert.deepEqual(refused, ["CONTROL_NOT_FOUND"]);
    carryOut({ what: "retry", argument: text }, () => undefined);
  }
  assert.deepEqual(others, Array(texts.length).fill("retry"));
});
