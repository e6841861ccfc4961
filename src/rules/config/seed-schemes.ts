/**
 * Seeds of schemes that are not built in need a protocol module. It is named by another key, so they
 * are checked when all keys have been read; each mistake is told at the seed.
 */
import { describeShape, type MistakeList, type Setting } from "../settings/index.ts";
import { CONFIGURATION_SCHEMA } from "./configuration-schema.ts";
import { seedSchemeProblem } from "./network-types.ts";

/** `settings` are those of all sources; `schemes` have a protocol module. */
export function checkSeedSchemes(
  settings: readonly Setting[],
  schemes: ReadonlySet<string>,
  mistakes: MistakeList,
): void {
  const seeds = CONFIGURATION_SCHEMA.find("seeds");
  for (const { key, value } of settings) {
    if (key !== "seeds" || seeds === undefined || value.kind === "tree") continue;
    const read = seeds.key.type.read(value, () => undefined);
    // A list with another mistake has been reported.
    if (!Array.isArray(read)) continue;
    for (const [index, seed] of read.entries()) {
      const problem = seedSchemeProblem(seed, schemes);
      if (problem === null) continue;
      const location = (value.kind === "list" ? value.items[index] : value)?.location;
      mistakes.add(() => ({
        code: "CONFIG_BAD_VALUE",
        location: location ?? value.location,
        key,
        value: seed,
        problem,
        legal: `${describeShape(seeds.key.type.shape)}, or another scheme with a module in fetch.protocols`,
      }));
    }
  }
}
