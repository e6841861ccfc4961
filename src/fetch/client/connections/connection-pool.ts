/**
 * The connections of a fetcher: a limited number in use, and a limited number idle, waiting for the
 * next fetch from the same place. An idle one is closed when its time is up, when its host's visit
 * ends (`closeIdle`), or when there are too many: then the one that has been idle longest is closed.
 */

import type { Deadlines, Watched } from "../exchange/http-deadlines.ts";
import { isSamePlace, type Place } from "../exchange/http-target.ts";
import type { Connection, ConnectionHome } from "./connection.ts";
import type { Caller, Dialer, Dialing } from "./connection-dialer.ts";

export interface PoolOptions {
  readonly dialer: Dialer;
  readonly deadlines: Deadlines;
  readonly nowMs: () => number;
  /** In use, including those being opened. */
  readonly connectionsMax: number;
  /** Idle, in addition to those in use. */
  readonly idleMax: number;
  /** 0 closes every connection after its first exchange. */
  readonly keepAliveMs: number;
}

/** We close an idle connection this long before the server would. */
const BEFORE_SERVER_MS = 500;

export class ConnectionPool implements ConnectionHome {
  readonly #options: PoolOptions;
  readonly #byHost = new Map<string, Idle[]>();
  /** All of them, the one that has been idle longest first. */
  readonly #idle = new Map<Connection, Idle>();
  #keepAliveMs: number;
  #connectionsMax: number;
  #idleMax: number;
  #count = 0;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#keepAliveMs = options.keepAliveMs;
    this.#connectionsMax = options.connectionsMax;
    this.#idleMax = options.idleMax;
  }

  /** For connections that become idle from now on; 0 closes those that are. */
  set keepAliveMs(keepAliveMs: number) {
    this.#keepAliveMs = keepAliveMs;
    if (keepAliveMs === 0) this.closeOldest(Number.POSITIVE_INFINITY);
  }

  /** Those in use beyond it end with their exchanges. */
  set connectionsMax(connectionsMax: number) {
    this.#connectionsMax = connectionsMax;
  }

  /** Those that are idle beyond it are closed, the longest idle first. */
  set idleMax(idleMax: number) {
    this.#idleMax = idleMax;
    this.closeOldest(this.#idle.size - idleMax);
  }

  /** Open, being opened, or idle. */
  get count(): number {
    return this.#count;
  }

  get idleCount(): number {
    return this.#idle.size;
  }

  /** An idle connection to this place, which then belongs to the caller. */
  take(place: Place): Connection | null {
    const idles = this.#byHost.get(place.host);
    if (idles === undefined) return null;
    for (let index = idles.length - 1; index >= 0; index--) {
      const connection = idles[index]?.connection;
      if (connection === undefined || !isSamePlace(connection.place, place)) continue;
      this.#forget(connection);
      return connection;
    }
    return null;
  }

  /** Opens a connection; null when as many as allowed are in use. */
  open(place: Place, caller: Caller): Dialing | null {
    if (this.#count - this.#idle.size >= this.#connectionsMax) return null;
    const dialing = this.#options.dialer.dial(place, this, caller);
    // A dialing that fails calls back later, so nothing has been given back yet.
    this.#count++;
    return dialing;
  }

  released(connection: Connection, keepAliveMs: number | null): void {
    const limitMs = Math.min(
      this.#keepAliveMs,
      (keepAliveMs ?? Number.POSITIVE_INFINITY) - BEFORE_SERVER_MS,
    );
    if (limitMs <= 0) {
      connection.close();
      return;
    }
    const idle = new Idle(connection);
    this.#idle.set(connection, idle);
    const idles = this.#byHost.get(connection.place.host);
    if (idles === undefined) this.#byHost.set(connection.place.host, [idle]);
    else idles.push(idle);
    this.#options.deadlines.watch(idle, this.#options.nowMs() + limitMs);
    if (this.#idle.size > this.#idleMax) this.#closeOldest();
  }

  lost(connection: Connection | null): void {
    this.#count--;
    if (connection !== null) this.#forget(connection);
  }

  /** Closes the idle connections to a host, when its visit is over. */
  closeIdle(host: string): void {
    for (const { connection } of [...(this.#byHost.get(host) ?? [])]) connection.close();
  }

  /** Closes up to `count` idle connections, the longest idle first, to free descriptors. */
  closeOldest(count: number): void {
    for (let left = count; left > 0 && this.#closeOldest(); left--);
  }

  #closeOldest(): boolean {
    for (const connection of this.#idle.keys()) {
      connection.close();
      return true;
    }
    return false;
  }

  #forget(connection: Connection): void {
    const idle = this.#idle.get(connection);
    if (idle === undefined) return;
    this.#idle.delete(connection);
    this.#options.deadlines.forget(idle);
    const { host } = connection.place;
    const idles = this.#byHost.get(host) ?? [];
    if (idles.length === 1) this.#byHost.delete(host);
    else idles.splice(idles.indexOf(idle), 1);
  }
}

class Idle implements Watched {
  readonly connection: Connection;
  dueAtMs = 0;
  sequence = 0;
  place = -1;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  wake(): void {
    this.connection.close();
  }
}
