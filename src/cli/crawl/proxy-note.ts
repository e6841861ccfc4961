import type { Configuration } from "../../rules/config/index.ts";

/** Programs that take a proxy from the environment are many; here it is a setting. */
export function proxyNote(
  { fetch }: Configuration,
  environment: Readonly<Record<string, string | undefined>>,
): string | null {
  if (fetch.proxy !== null) return null;
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [
    name,
    name.toLowerCase(),
  ]);
  const set = names.filter((name) => (environment[name] ?? "") !== "");
  if (set.length === 0) return null;
  return `${set.join(", ")} in the environment: not used; \`--set fetch.proxy=URL\` crawls through a proxy`;
}
