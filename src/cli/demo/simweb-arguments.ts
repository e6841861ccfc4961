/** What the command line of `trobar simweb` says: a profile with its changes, a seed, the ports. */

import {
  PROFILE_SCHEMA,
  PROFILES,
  type Profile,
  type ProfileName,
} from "../../lab/simweb/index.ts";
import {
  addUnknownKey,
  key,
  type MistakeList,
  readLayers,
  Schema,
  type Setting,
  value,
} from "../../rules/settings/index.ts";
import type { CommandLine } from "../shell/arguments.ts";
import { flagLocation, flagSetting, readFlags, settingsOfFlags } from "../shell/flags-only.ts";
import { SIMWEB_FLAGS } from "./simweb-flags.ts";

/** What a flag sets under its own name. */
interface SimwebSettings {
  readonly profile: ProfileName;
  readonly seed: string;
  readonly port: number;
  readonly dnsPort: number;
  readonly controlPort: number;
}

export interface SimwebArguments extends Omit<SimwebSettings, "profile"> {
  readonly profileName: ProfileName;
  readonly profile: Profile;
  readonly judge: SimwebJudge;
  readonly isJson: boolean;
}

/** What `--judge` says, as it was sent; the web checks the names in it. */
export interface SimwebJudge {
  readonly crawl: Readonly<Record<string, unknown>>;
  readonly rules: Readonly<Record<string, unknown>>;
}

const PROFILE_NAMES = Object.keys(PROFILES) as readonly ProfileName[];
const SEED = { form: "any text", examples: ["412"] };
const PORT = value.count({ min: 0, max: 65_535 });

const SETTINGS = new Schema<SimwebSettings>({
  profile: key(value.choice(...PROFILE_NAMES), { default: "realistic", meaning: "Kind of web." }),
  seed: key(value.text(SEED), { default: "1", meaning: "Which web of that kind." }),
  port: key(PORT, { default: 0, meaning: "Port of the web." }),
  dnsPort: key(PORT, { default: 0, meaning: "Port of the name server." }),
  controlPort: key(PORT, { default: 0, meaning: "Port of verdict, figures and log." }),
});

const KEY_OF_FLAG: ReadonlyMap<string, string> = new Map([
  ["profile", "profile"],
  ["seed", "seed"],
  ["port", "port"],
  ["dns-port", "dnsPort"],
  ["control-port", "controlPort"],
]);

const FEATURE_OF_FLAG: ReadonlyMap<string, string> = new Map([
  ["hosts", "hosts.count"],
  ["pages", "hosts.pages"],
]);

/** Throws one error that lists every mistake. */
export function readSimwebArguments(args: readonly string[]): SimwebArguments {
  return readFlags(args, SIMWEB_FLAGS, (line, found) => {
    const settings = settingsOfFlags(line, SETTINGS, (flag) => KEY_OF_FLAG.get(flag), found);
    return {
      ...settings,
      profileName: settings.profile,
      profile: readProfile(line, PROFILES[settings.profile], found),
      judge: readJudge(line, found),
      isJson: line.uses.some(({ flag }) => flag.long === "json"),
    };
  });
}

function readProfile({ uses }: CommandLine, base: Profile, mistakes: MistakeList): Profile {
  const settings = uses.flatMap(({ flag, text }): Setting[] => {
    const path = FEATURE_OF_FLAG.get(flag.long);
    if (path !== undefined && text !== null) return [flagSetting(path, text, flag.long)];
    return flag.long === "feature" && text !== null ? featureSetting(text, mistakes) : [];
  });
  const { values } = readLayers([{ settings, lastWins: true }], PROFILE_SCHEMA, mistakes);
  return PROFILE_SCHEMA.build(new Map([...PROFILE_SCHEMA.values(base), ...values]));
}

/** The setting that `NAME=WEIGHT` makes. */
function featureSetting(text: string, mistakes: MistakeList): Setting[] {
  const equals = text.indexOf("=");
  const path = text.slice(0, Math.max(0, equals));
  const location = flagLocation("feature");
  if (equals < 1) {
    const problem = "is not of the form NAME=WEIGHT";
    mistakes.add(() => ({ code: "USAGE_BAD_FLAG_VALUE", location, value: text, problem }));
    return [];
  }
  if (PROFILE_SCHEMA.find(path) === undefined) {
    const nearest = (): string | null => PROFILE_SCHEMA.nearest(path);
    addUnknownKey({ path, location, nearest }, mistakes);
    return [];
  }
  return [flagSetting(path, text.slice(equals + 1), "feature")];
}

function readJudge({ uses }: CommandLine, mistakes: MistakeList): SimwebJudge {
  const text = uses.findLast(({ flag }) => flag.long === "judge")?.text ?? "{}";
  const given = parseObject(text);
  const { crawl = {}, rules = {}, ...others } = given ?? {};
  const isRight = given !== null && Object.keys(others).length === 0;
  if (isRight && isObject(crawl) && isObject(rules)) return { crawl, rules };
  mistakes.add(() => ({
    code: "USAGE_BAD_FLAG_VALUE",
    location: flagLocation("judge"),
    value: text,
    problem: "does not say what to judge by",
    legal: '{"crawl": {…}, "rules": {…}}, as JSON',
  }));
  return { crawl: {}, rules: {} };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

function isObject(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === "object" && given !== null && !Array.isArray(given);
}
