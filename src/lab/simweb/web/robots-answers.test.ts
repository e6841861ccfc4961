import assert from "node:assert/strict";
import { test } from "node:test";
import { plainRobots } from "../../../../test/support/lab/reference-crawler/robots.ts";
import { ROBOTS_KINDS, type RobotsKind } from "../model/host-model.ts";
import { closesRole, crawlDelaySeconds, hasRobotsText } from "../model/robots-model.ts";
import { robotsAnswer } from "./robots-answers.ts";
import type { WebResponse } from "./synthetic-web.ts";

const TOKEN = "trobar";
/** A path of each role that a robots.txt may close, and of an ordinary page. */
const PATHS = {
  page: "/a/b-1.html",
  private: "/private/x-2.html",
  opened: "/private/open/x-3.html",
  generated: "/tools/x-4.cgi",
  image: "/images/x-5.png",
} as const;

function ask(kind: RobotsKind, content: number, target: string, earlierTries = 0): WebResponse {
  const sitemap = "http://x.test/sitemap.xml";
  const answer = robotsAnswer({ kind, content, target, earlierTries, token: TOKEN, sitemap });
  assert.ok(answer !== null, `${kind} ${target}`);
  return answer;
}

/** The file in the end, as a client gets it that tries again and follows redirects. */
function fileOf(kind: RobotsKind, content: number): WebResponse {
  let answer = ask(kind, content, "/robots.txt", 1);
  for (let hops = 0; hops < 5 && answer.status >= 300 && answer.status < 400; hops += 1) {
    const location = answer.headers.find(([name]) => name === "Location")?.[1] ?? "";
    answer = ask(kind, content, location);
  }
  return answer;
}

for (const kind of ROBOTS_KINDS) {
  test(`a robots.txt of the kind ${kind} says what the model says`, () => {
    for (let content = 0; content < 12; content += 1) {
      const { status, body } = fileOf(kind, content);
      const isRead = status === 200;
      const robots = plainRobots(isRead ? body : new Uint8Array(0), TOKEN);
      for (const [role, path] of Object.entries(PATHS)) {
        const isClosed = closesRole(kind, role as keyof typeof PATHS);
        assert.equal(robots.allows(path), !isClosed, `${role} of ${content}`);
      }
      assert.equal(robots.crawlDelaySeconds, crawlDelaySeconds(kind, content));
      const isListed = robots.sitemaps.includes("http://x.test/sitemap.xml");
      // A long file is cut before it comes to its sitemap.
      if (kind !== "huge") assert.equal(isListed, hasRobotsText(kind) && isRead);
    }
  });
}

test("missing, forbidden and broken files have the statuses that decide what they mean", () => {
  const statusOf = (kind: RobotsKind, content: number) => ask(kind, content, "/robots.txt").status;
  assert.deepEqual([statusOf("missing", 0), statusOf("missing", 1)], [404, 404]);
  assert.deepEqual([statusOf("forbidden", 0), statusOf("forbidden", 1)], [403, 401]);
  assert.deepEqual([statusOf("broken", 0), statusOf("broken", 1)], [500, 503]);
  assert.equal(statusOf("passing", 0), 503);
  assert.equal(ask("passing", 0, "/robots.txt", 1).status, 200);
});

test("a lost robots.txt is never reached, a redirected one after at most four redirects", () => {
  assert.equal(ask("lost", 0, "/robots-999.txt").status, 302);
  for (let content = 0; content < 50; content += 1) {
    assert.equal(fileOf("redirected", content).status, 200);
  }
});

test("a huge robots.txt would close everything, were it read to its end", () => {
  const { body } = ask("huge", 0, "/robots.txt");
  assert.ok(body.length > 600 * 1024);
  const whole = Buffer.from(body).toString();
  assert.ok(whole.lastIndexOf("Disallow: /\n") > 500 * 1024);
  assert.equal(plainRobots(body, TOKEN).allows(PATHS.page), true);
});
