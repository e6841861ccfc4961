/** A resolver behind a barrier: what it throws is a failure of the host that was asked for. */
import { faultOf, isInternalFault } from "../../base/errors/index.ts";
import type { Clock } from "../../base/seams/index.ts";
import type { Resolution, Resolver } from "../../fetch/dns/index.ts";
import type { HostName } from "../../formats/url/index.ts";
import type { Faults } from "./faults.ts";

export class GuardedResolver implements Resolver {
  readonly #resolver: Resolver;
  readonly #clock: Clock;
  readonly #faults: Faults;

  constructor(resolver: Resolver, clock: Clock, faults: Faults) {
    this.#resolver = resolver;
    this.#clock = clock;
    this.#faults = faults;
  }

  resolve(host: HostName, done: (resolution: Resolution) => void): void {
    let isOver = false;
    const end = (resolution: Resolution): void => {
      if (isOver) return;
      isOver = true;
      if (resolution.kind === "failed" && isInternalFault(resolution.error)) {
        this.#faults.note(resolution.error, host);
      }
      done(resolution);
    };
    try {
      this.#resolver.resolve(host, end);
    } catch (thrown) {
      const unit = { code: "INTERNAL_RESOLVE", what: `the resolution of ${host}` } as const;
      const error = faultOf(thrown, { ...unit, isOver });
      this.#clock.after(0, () => end({ kind: "failed", error }));
    }
  }

  close(): void {
    this.#resolver.close();
  }
}
