/**
 * The filters of a configuration: checked by the language they are written in, and narrowed by
 * `--include` and `--exclude`, each of which is an expression or a glob.
 */
import {
  checkFilter,
  FILTER_PLACES,
  FilterError,
  type FilterPlace,
  scheduleExpression,
  understand,
} from "../filter/index.ts";
import type { Location, MistakeList } from "../settings/index.ts";

/** What the flags of the command line add to `filters.schedule`. */
export interface Narrowing {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

const SCHEDULE = "filters.schedule";

/**
 * Checks every filter among the values and puts the narrowed schedule in its place. A filter with
 * mistakes is left as it is; its mistakes are reported.
 */
export function readFilters(
  values: Map<string, unknown>,
  locations: Map<string, Location>,
  reading: {
    readonly narrowing: Narrowing | undefined;
    /** Of protocol modules. */
    readonly schemes: ReadonlySet<string>;
    readonly mistakes: MistakeList;
  },
): void {
  const { narrowing, schemes, mistakes } = reading;
  const modules = values.get("filters.modules");
  const lent = Array.isArray(modules) ? modules : [];
  const check = (text: string, key: string, location: Location, place: FilterPlace): boolean => {
    const problem = problemOf(text, place, lent);
    if (problem === null) return true;
    mistakes.add(() => ({ code: "CONFIG_BAD_VALUE", location, key, value: text, problem }));
    return false;
  };
  let isSound = true;
  for (const [name, place] of Object.entries(FILTER_PLACES)) {
    const text = values.get(`filters.${name}`);
    const location = locations.get(`filters.${name}`) ?? { kind: "default" };
    if (typeof text === "string" && !check(text, `filters.${name}`, location, place)) {
      isSound = false;
    }
  }
  if (narrowing === undefined || narrowing.include.length + narrowing.exclude.length === 0) return;
  // Inclusions last, so that they are named as the source of the schedule if there are any.
  for (const flag of ["exclude", "include"] as const) {
    const location: Location = { kind: "flag", flag: `--${flag}`, ordinal: null };
    for (const given of narrowing[flag]) {
      const { expression, problem } = understand(given, schemes);
      if (problem !== null) {
        isSound = false;
        mistakes.add(() => ({ code: "CONFIG_BAD_VALUE", location, value: given, problem }));
      } else if (!check(expression, SCHEDULE, location, FILTER_PLACES.schedule)) isSound = false;
    }
    if (narrowing[flag].length > 0) locations.set(SCHEDULE, location);
  }
  const schedule = values.get(SCHEDULE);
  const filter = typeof schedule === "string" ? schedule : undefined;
  if (isSound) values.set(SCHEDULE, scheduleExpression({ filter, ...narrowing }));
}

/** What is wrong, each mistake with a caret under its column; null when nothing is. */
function problemOf(text: string, place: FilterPlace, lent: readonly string[]): string | null {
  const mistakes = checkFilter(text, place, lent);
  if (mistakes.length === 0) return null;
  const [, ...lines] = new FilterError(place.name, text, mistakes).message.split("\n");
  return `is not a valid filter here:\n${lines.join("\n")}`;
}
