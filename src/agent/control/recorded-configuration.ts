/**
 * The configuration as the crawl directory records it, which is that with which the next run goes on.
 * What users change while the crawl runs is recorded too.
 */
import type { Configuration } from "../../rules/config/index.ts";

export class RecordedConfiguration {
  #configuration: Configuration;
  readonly #write: (configuration: Configuration) => void;

  /** `write` makes it durable, or throws. */
  constructor(configuration: Configuration, write: (configuration: Configuration) => void) {
    this.#configuration = configuration;
    this.#write = write;
  }

  get configuration(): Configuration {
    return this.#configuration;
  }

  /** Throws `DIRECTORY_FAILED`, and changes nothing, if it cannot be written. */
  change(changed: Configuration): void {
    this.#write(changed);
    this.#configuration = changed;
  }
}
