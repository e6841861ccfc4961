/** What several lanes report, as if it were of one. */
import type { FrontierStatus, MemoryHolder } from "../../frontier/front/index.ts";
import { CrawlCounts, type SavedCounts } from "../crawl/counting/crawl-counts.ts";

export function summedCounts(all: readonly SavedCounts[]): CrawlCounts {
  const counts = new CrawlCounts();
  for (const { numbers, status, errors, refused } of all) {
    for (const [name, count] of Object.entries(numbers)) {
      counts[name as keyof typeof numbers] += count;
    }
    counts.status.addAll(status);
    counts.errors.addAll(errors);
    counts.refused.addAll(refused);
  }
  return counts;
}

export function summedStatus(all: readonly FrontierStatus[]): FrontierStatus {
  const numbers = all.map(({ allowances, ...status }) => status);
  return {
    ...(summed(numbers) as FrontierStatus),
    allowances: all.flatMap(({ allowances }) => allowances),
  };
}

/** What holds memory besides the frontiers: here, and in the lanes. */
export function summedHolders(
  own: ReadonlyMap<string, MemoryHolder>,
  lanes: readonly { readonly memory: Readonly<Record<string, number>> }[],
): ReadonlyMap<string, MemoryHolder> {
  const memory = summed(lanes.map((lane) => lane.memory)) as Record<string, number>;
  const theirs = Object.entries(memory).map(
    ([owner, bytes]) => [owner, { memoryBytes: bytes }] as const,
  );
  return new Map([...own, ...theirs]);
}

type Values = Readonly<Record<string, unknown>>;

/** Numbers are added, groups of numbers too; of anything else the first counts. */
function summed(all: readonly object[]): object {
  const sum: Record<string, unknown> = {};
  for (const one of all) {
    for (const [name, value] of Object.entries(one as Values)) {
      const before = sum[name];
      if (before === undefined) sum[name] = value;
      else if (typeof value === "number") sum[name] = Number(before) + value;
      else if (typeof value === "object" && value !== null) {
        sum[name] = summed([(before ?? {}) as object, value]);
      }
    }
  }
  return sum;
}
