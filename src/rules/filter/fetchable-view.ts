/** A fetchable URL as filters see it: taken apart when a part is first read, and only once. */
import {
  type FetchableUrl,
  hostOf,
  partsOf,
  portOfScheme,
  registrableDomain,
  type UrlParts,
} from "../../formats/url/index.ts";
import type { UrlView } from "./view.ts";

export class FetchableView implements UrlView {
  readonly href: FetchableUrl;
  #parts: UrlParts | null = null;
  #domain: string | null = null;

  constructor(url: FetchableUrl) {
    this.href = url;
  }

  get scheme(): string {
    return this.#taken().scheme;
  }

  get host(): string {
    return this.#taken().host;
  }

  get port(): number {
    const { port, scheme } = this.#taken();
    if (port !== "") return Number(port.slice(1));
    return portOfScheme(scheme);
  }

  get path(): string {
    return this.#taken().path;
  }

  get query(): string {
    return this.#taken().query.slice(1);
  }

  get domain(): string {
    this.#domain ??= registrableDomain(hostOf(this.href)) ?? this.host;
    return this.#domain;
  }

  #taken(): UrlParts {
    this.#parts ??= partsOf(this.href);
    return this.#parts;
  }
}
