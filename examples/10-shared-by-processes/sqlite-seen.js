/**
 * A seen test that several processes share: each has a provider of its own, and all of these use one
 * SQLite file, which decides who was first.
 */
import { DatabaseSync } from "node:sqlite";
import { key, provider, value } from "trobar/units";
import { SeenTest } from "../08-seen-test/units.js";

export const sqliteSeen = provider({
  name: "sqlite-seen",
  provides: SeenTest,
  settings: {
    file: key(value.text({ form: "the path of a file", examples: ["seen.db"] }), {
      default: "seen.db",
      meaning: "The file that the processes share.",
    }),
  },
  create(unit) {
    const database = new DatabaseSync(unit.settings.file, { timeout: 60_000 });
    database.exec("create table if not exists seen (url text primary key) without rowid");
    const insert = database.prepare("insert or ignore into seen values (?)");
    return {
      service: { isNew: (url) => insert.run(url).changes === 1 },
      close: () => database.close(),
    };
  },
});
