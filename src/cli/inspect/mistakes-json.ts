/** Mistakes as JSON, `{"mistakes": […]}`, for commands that are asked for JSON. */
import { withoutCredentials } from "../../base/text/index.ts";
import { type ConfigMistake, describeLocation } from "../../rules/settings/index.ts";

export function mistakesJson(mistakes: readonly ConfigMistake[]): string {
  const list = mistakes.map(({ code, location, key, value, problem, legal, nearest }) => ({
    code,
    location: describeLocation(location),
    key,
    value: shown(value),
    problem,
    legal,
    nearest,
  }));
  return `${JSON.stringify({ mistakes: list }, null, 2)}\n`;
}

/** A value without users and passwords of URLs. */
export function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown);
  return typeof value === "string" ? withoutCredentials(value) : value;
}
