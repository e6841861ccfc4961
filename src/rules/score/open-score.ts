/** Makes the score that `frontier.score` names: one of ours, or a user's module. */
import { CrawlError } from "../../base/errors/index.ts";
import { thrownReason } from "../../base/text/index.ts";
import type { ImportModule } from "../filter/index.ts";
import { BackLinks } from "./back-links.ts";
import { Cash } from "./cash.ts";
import type { Score } from "./score.ts";
import { TopicWords } from "./topic-words.ts";
import { UserScore } from "./user-score.ts";

export interface OpenScoreOptions {
  /** `frontier.topic`. */
  readonly topic: readonly string[];
  readonly importModule: ImportModule;
  /** Told when a user's score does not keep its contract. */
  readonly onFailure: (error: CrawlError) => void;
}

/** Rejects with `SCORE_INVALID` when a module cannot be used. */
export async function openScore(name: string, options: OpenScoreOptions): Promise<Score> {
  switch (name) {
    case "backlinks":
      return new BackLinks();
    case "cash":
      return new Cash();
    case "topic":
      return new TopicWords(options.topic);
    default:
      return await loadScore(name, options);
  }
}

async function loadScore(module: string, options: OpenScoreOptions): Promise<Score> {
  const { importModule, topic, onFailure } = options;
  let score: unknown;
  try {
    const { createScore } = await importModule(module);
    if (typeof createScore !== "function") throw new Error("it exports no function createScore");
    score = await createScore({ topic });
  } catch (error) {
    throw invalid(module, thrownReason(error), error);
  }
  if (!isScore(score)) {
    throw invalid(module, "what createScore returned has no method priorityOf(link)");
  }
  return new UserScore(score, { module, onFailure });
}

function isScore(value: unknown): value is Score {
  if (typeof value !== "object" || value === null) return false;
  const { priorityOf, pageFetched } = value as Record<keyof Score, unknown>;
  const isOptional = pageFetched === undefined || typeof pageFetched === "function";
  return typeof priorityOf === "function" && isOptional;
}

function invalid(module: string, reason: string, cause?: unknown): CrawlError {
  const message =
    `frontier.score names the module ${module}, which cannot be used: ${firstLine(reason)}. ` +
    "A score is a module that exports createScore({ topic }), which returns an object with " +
    "priorityOf(link); docs/traversal.md has an example.";
  return new CrawlError("SCORE_INVALID", message, { module }, cause);
}

function firstLine(text: string): string {
  return (text.split("\n", 1)[0] ?? text).replace(/ imported from .*|\.$/, "");
}
