/** A virtual crawl whose units get other settings while it runs, through the control interface. */
import assert from "node:assert/strict";
import {
  crawlVirtually,
  type VirtualCrawl,
  type VirtualCrawlOptions,
} from "../../../test/support/agent/virtual-crawl.ts";
import type { Graph } from "../../../test/support/frontier/graph-crawl.ts";
import { type Answer, Control } from "../../topology/control/index.ts";
import { crawlLibrary } from "./crawl-library.ts";

export interface Change {
  /** After the crawl has begun. */
  readonly atMs: number;
  readonly unit: string;
  /** Written as in a file, by key. */
  readonly values: Readonly<Record<string, string>>;
}

export interface ChangingCrawl extends VirtualCrawl {
  readonly answers: readonly Answer[];
  /** The pages asked for before the first change, and after it. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export async function crawlChanging(
  options: VirtualCrawlOptions,
  ...changes: readonly Change[]
): Promise<ChangingCrawl> {
  const answers: Answer[] = [];
  let changedAtMs = Number.POSITIVE_INFINITY;
  const crawl = await crawlVirtually({
    ...options,
    prepared: (running, kernel) => {
      options.prepared?.(running, kernel);
      const [system, { clock }] = [running.units, kernel];
      const importUnits = () => assert.fail();
      const control = new Control({ system, library: crawlLibrary(), importUnits });
      for (const { atMs, unit: id, values } of changes) {
        clock.after(atMs, () => {
          changedAtMs = Math.min(changedAtMs, clock.nowMs());
          void control.answer({ do: "change", id, values }).then((one) => answers.push(one));
        });
      }
    },
  });
  assert.equal(answers.length, changes.length, "every change was answered");
  const before = crawl.pages.filter((_page, at) => (crawl.askedAtMs[at] ?? 0) < changedAtMs);
  return { ...crawl, answers, before, after: crawl.pages.slice(before.length) };
}

/** Pages of one host, each with a link to the next and to a 404 beside it: `a/1` to `a/2` and `a/1.x`. */
export function chain(host: string, length: number): Graph {
  return Object.fromEntries(
    Array.from({ length }, (_, at) => [
      `${host}/${at}`,
      at + 1 < length ? [`${host}/${at}.x`, `${host}/${at + 1}`] : [],
    ]),
  );
}
