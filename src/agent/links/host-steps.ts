/**
 * Steps inside a host, where these are limited (`limits.hostDepth`): a link to another host enters that
 * one, which is no step at all; a link inside a host is a step further than its page, and a redirect none.
 */
import { type FetchableUrl, hostOf } from "../../formats/url/index.ts";

/** A page from which steps are taken. */
export interface SteppedFrom {
  readonly url: string;
  readonly hostDepth?: number | undefined;
}

/** What a ticket has of it: nothing where steps are not counted. */
export interface HostSteps {
  readonly hostDepth?: number;
}

const NOT_COUNTED: HostSteps = {};
const ENTERED: HostSteps = { hostDepth: 0 };

export class HostStepCount {
  readonly #isOn: boolean;

  constructor(isOn: boolean) {
    this.#isOn = isOn;
  }

  /** For what leads into a host from nowhere: seeds and what sitemaps list. */
  get entry(): HostSteps {
    return this.#isOn ? ENTERED : NOT_COUNTED;
  }

  /** Of what a page leads to: a link is a step, a redirect none. Null is a page outside of all hosts. */
  to(host: string, from: SteppedFrom | null, step: 0 | 1): HostSteps {
    if (!this.#isOn) return NOT_COUNTED;
    if (from === null || hostOf(from.url as FetchableUrl) !== host) return ENTERED;
    return { hostDepth: (from.hostDepth ?? 0) + step };
  }
}
