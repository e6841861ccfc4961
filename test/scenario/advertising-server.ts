/**
 * A `nats-server` that tells others to reach it where a variable says, so that agents which hear of it from
 * each other, and were not told to join it, reach it over a link too. It is the real one, with a line more in
 * its configuration.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

const ADVERTISING = `#!/bin/sh
if [ "$1" = -c ]; then sed -i 's|^  name: "trobar"$|&\\n  advertise: "'"$LINK_FOR_TEST"'"|' "$2"; fi
PATH="$PATH_FOR_TEST" exec nats-server "$@"
`;

export class AdvertisingServer {
  readonly #folder: string;

  /** Makes the folder. */
  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder);
    writeFileSync(join(folder, "nats-server"), ADVERTISING, { mode: 0o755 });
  }

  /** Of an agent whose server is reached at this address. */
  environment(link: string): Readonly<Record<string, string>> {
    const path = [process.env["PATH"] ?? "", "/usr/sbin", "/usr/local/sbin"].join(delimiter);
    return {
      ...{ LINK_FOR_TEST: link, PATH_FOR_TEST: path },
      PATH: [this.#folder, path].join(delimiter),
    };
  }
}
