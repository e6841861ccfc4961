/** The flags of `trobar simweb`. They stand alone, so that help needs nothing of the web itself. */
import { type Flag, JSON_FLAG } from "../shell/flag-table.ts";

export const SIMWEB_FLAGS: readonly Flag[] = [
  {
    long: "profile",
    value: "NAME",
    meaning: "plain, realistic (the default), hostile or scale",
  },
  { long: "seed", value: "S", meaning: "which web of that kind: the same seed, the same web" },
  { long: "hosts", value: "N", meaning: "how many hosts" },
  { long: "pages", value: "N", meaning: "how many URLs they have in all" },
  {
    long: "feature",
    value: "NAME=WEIGHT",
    meaning: "change one number of the profile, such as traps.calendars=0.1 (repeatable)",
  },
  { long: "port", value: "N", meaning: "port of the web; 0 (the default) takes any" },
  { long: "dns-port", value: "N", meaning: "port of its name server" },
  { long: "control-port", value: "N", meaning: "port of verdict, figures and log" },
  {
    long: "judge",
    value: "JSON",
    meaning: 'the crawl that is judged: {"crawl": {…}, "rules": {…}}',
  },
  JSON_FLAG,
];
