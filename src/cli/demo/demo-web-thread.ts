/**
 * The program of the thread that serves the demonstration's web. It has a thread of its own, so
 * that the crawler is measured and not how the two share a thread.
 */
import { parentPort, workerData } from "node:worker_threads";
import { SystemClock } from "../../base/time/index.ts";
import { openGeneratedWeb } from "../../lab/simweb/index.ts";
import { archiveVerdict } from "./archive-verdict.ts";
import type { DemoJudgement, DemoQuestion, DemoWebFacts, DemoWebPlan } from "./demo-web.ts";

const { profile, seed } = workerData as DemoWebPlan;
const served = await openGeneratedWeb({ profile, seed, clock: new SystemClock() });
const { web, dnsPort } = served;
const facts: DemoWebFacts = {
  dnsPort,
  hosts: web.hostCount,
  urls: web.model.hosts.pageCount,
  seed: web.seeds()[0] ?? "",
};
parentPort?.postMessage(facts);
parentPort?.once("message", (question: DemoQuestion) => {
  void judge(question)
    .then((judgement) => parentPort?.postMessage(judgement))
    .finally(() => served.close());
});

async function judge({ crawl, rules, folder }: DemoQuestion): Promise<DemoJudgement> {
  const truth = served.truthFor(crawl);
  const reading = served.judge(crawl, rules);
  if (!truth.ok || !reading.ok) throw new Error("the demonstration describes its crawl wrongly");
  const archive = await archiveVerdict(folder, web, truth.truth);
  return { verdict: reading.verdict, archive };
}
