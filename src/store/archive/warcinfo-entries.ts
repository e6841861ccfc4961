/**
 * What the first record of every archive file says: who crawled, with what, by which rules. Of the
 * configuration it names the keys that affect which pages are there and what they look like, if
 * they differ from their defaults; nothing that could hold a password or a path of the machine.
 */

import type { Field } from "../../formats/warc/index.ts";
import { CONFIGURATION_SCHEMA, type Configuration } from "../../rules/config/index.ts";

export interface Crawler {
  /** `Trobar/1.2.3`. */
  readonly software: string;
  /** As it is sent. */
  readonly userAgent: string;
}

const TOLD = /^(?:scope|limits\.|politeness\.|url\.|filters\.|parse\.links|fetch\.maxBody)/;

export function warcinfoEntries(configuration: Configuration, crawler: Crawler): Field[] {
  const entries: Field[] = [
    ["software", crawler.software],
    ["format", "WARC File Format 1.1"],
    [
      "conformsTo",
      "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
    ],
    ["isPartOf", configuration.name],
    ["robots", configuration.politeness.robots === "obey" ? "classic" : "ignore"],
    ["http-header-user-agent", crawler.userAgent],
  ];
  if (configuration.contact !== null) entries.push(["operator", configuration.contact]);
  const settings = unusualSettings(configuration);
  if (settings !== "") entries.push(["configuration", settings]);
  return entries;
}

function unusualSettings(configuration: Configuration): string {
  const values = CONFIGURATION_SCHEMA.values(configuration);
  return CONFIGURATION_SCHEMA.keys
    .filter(({ path }) => TOLD.test(path))
    .map(({ path, key }) => ({
      path,
      text: key.type.write(values.get(path)),
      usual: key.type.write(key.default),
    }))
    .filter(({ text, usual }) => text !== usual)
    .map(({ path, text }) => `${path}=${text}`)
    .join("; ");
}
