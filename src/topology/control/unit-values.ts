/** The settings of a unit as texts, for people to read. */
import { describeShape } from "../../rules/settings/index.ts";
import type { UnitSettings } from "../runtime/index.ts";

export interface SettingStatus {
  /** Dotted, such as `cache.size`. */
  readonly key: string;
  readonly meaning: string;
  /** The legal values in words. */
  readonly legal: string;
  readonly default: string;
  readonly value: string;
  /** Whether the unit takes another value while it runs; if not, it is made anew. */
  readonly live: boolean;
}

export function settingStatuses({ schema, values }: UnitSettings): SettingStatus[] {
  return schema.keys.map(({ path, key }) => ({
    ...{ key: path, meaning: key.meaning, legal: describeShape(key.type.shape) },
    ...{ default: key.type.write(key.default), value: key.type.write(values.get(path)) },
    live: key.live,
  }));
}
