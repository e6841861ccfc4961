/**
 * The credentials of hosts, each sent to its own host and to no other. A redirect to another host is
 * a request to another host, so it does not get them. They are sent in the clear only if the user
 * chose that, with an http seed.
 */
import type { Place } from "../exchange/http-target.ts";

export interface HostCredential {
  /** As URLs have it; an IPv6 address without brackets. */
  readonly host: string;
  /** Null for any port of the host. */
  readonly port: number | null;
  /** Value of the `Authorization` header. */
  readonly authorization: string;
  /** Whether it may be sent over http. */
  readonly mayBeClear: boolean;
}

export class HostCredentials {
  readonly #byHost: ReadonlyMap<string, HostCredential[]>;

  constructor(credentials: readonly HostCredential[]) {
    this.#byHost = Map.groupBy(credentials, ({ host }) => host);
  }

  /** A credential for this port takes precedence over one for any port. */
  authorizationFor({ host, port, isSecure }: Place): string | null {
    if (this.#byHost.size === 0) return null;
    const name = host.startsWith("[") ? host.slice(1, -1) : host;
    const fitting = this.#byHost
      .get(name)
      ?.filter((one) => (isSecure || one.mayBeClear) && (one.port ?? port) === port);
    const best = fitting?.find((one) => one.port !== null) ?? fitting?.[0];
    return best?.authorization ?? null;
  }
}
