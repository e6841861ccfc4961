/**
 * The system's hosts file (`/etc/hosts`): lines of an address and its names. Other lines are skipped,
 * as every system does. A name that is on several lines has all their addresses.
 */
import { parseAddress } from "../../formats/address/index.ts";

export class HostsFile {
  readonly #addresses = new Map<string, string[]>();

  constructor(text: string) {
    for (const line of text.split(/\r\n|[\r\n]/)) this.#read(line);
  }

  /** The addresses of a name, in the file's order. */
  addressesOf(name: string): readonly string[] {
    return this.#addresses.get(name) ?? [];
  }

  #read(line: string): void {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    if (parseAddress(address) === null) return;
    for (const written of names) {
      const name = written.toLowerCase().replace(/\.$/, "");
      const known = this.#addresses.get(name);
      if (known === undefined) this.#addresses.set(name, [address]);
      else known.push(address);
    }
  }
}
