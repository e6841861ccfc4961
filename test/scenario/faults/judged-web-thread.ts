/**
 * The program of the thread that serves a judged web. It has a thread of its own, so that it answers in time
 * whatever the test does meanwhile.
 */
import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { SystemClock } from "../../../src/base/time/index.ts";
import { archiveVerdict } from "../../../src/cli/demo/archive-verdict.ts";
import { openGeneratedWeb } from "../../../src/lab/simweb/index.ts";
import type { JudgedWebFacts, WebAnswer, WebPlan, WebQuestion } from "./judged-web.ts";

const { profile, seed, crawl } = workerData as WebPlan;
const clock = new SystemClock();
const served = await openGeneratedWeb({ profile, seed, clock });
const { web, dnsPort, server } = served;
const watchers = new Set<() => void>();
let pages = 0;

const respond = web.respond.bind(web);
web.respond = (request) => {
  if (request.target !== "/robots.txt") pages += 1;
  for (const look of watchers) look();
  return respond(request);
};

const [first = ""] = web.seeds();
const truth = truthNow();
say({ number: 0, answer: { dnsPort, seed: first, due: truth.dueCount } satisfies JudgedWebFacts });

parentPort?.on("message", (question: WebQuestion) => {
  void answerTo(question).then((answer) => say({ number: question.number, answer }));
});

async function answerTo(question: WebQuestion): Promise<WebAnswer["answer"]> {
  switch (question.what) {
    case "now":
      return clock.nowMs();
    case "pages":
      return await asked(question.count);
    case "strike": {
      const { blow } = question;
      await asked(blow.pages);
      await setTimeout(blow.laterMs);
      for (const id of blow.processes) process.kill(id, blow.signal);
      return pages;
    }
    case "requests":
      return Array.from(server.log.entries(), ({ host, target, isRobots, startMs, endMs }) => {
        return { place: host + target, key: truth.keyOf(host, target), isRobots, startMs, endMs };
      });
    case "judgement": {
      const reading = served.judge({ ...crawl, seeds: [first] }, question.rules);
      assert.ok(reading.ok, JSON.stringify(reading));
      const archive = await archiveVerdict(question.folder, web, truth);
      return { verdict: reading.verdict, archive };
    }
  }
}

function truthNow(): Parameters<typeof archiveVerdict>[2] {
  const reading = served.truthFor({ ...crawl, seeds: [first] });
  assert.ok(reading.ok, JSON.stringify(reading));
  return reading.truth;
}

/** Resolves when pages were asked for this often. */
function asked(count: number): Promise<number> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (pages < count) return;
      watchers.delete(look);
      resolve(pages);
    };
    watchers.add(look);
    look();
  });
}

function say(answer: WebAnswer): void {
  parentPort?.postMessage(answer);
}
