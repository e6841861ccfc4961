/**
 * The connections of the API, never more than a few. Anybody on the machine can open them and stay
 * silent, so when all places are taken, the connection that has shown no token for longest is cut, and
 * the owner of the crawl always gets in.
 */

/** What is used of a socket. */
export interface Connection {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  once(event: "close", listener: () => void): unknown;
  destroy(): unknown;
}

export class Connections {
  readonly #max: number;
  /** Those that have shown no token yet, by where they came from; the oldest first. */
  readonly #strangers = new Map<string, Connection>();
  readonly #known = new Map<string, Connection>();

  constructor(max: number) {
    this.#max = max;
  }

  get count(): number {
    return this.#strangers.size + this.#known.size;
  }

  /** A connection was made; another may be cut for it, or it is cut itself. */
  add(connection: Connection): void {
    const name = nameOf(connection);
    this.#strangers.set(name, connection);
    connection.once("close", () => {
      for (const all of [this.#strangers, this.#known]) {
        if (all.get(name) === connection) all.delete(name);
      }
    });
    if (this.count <= this.#max) return;
    for (const [oldest, stranger] of this.#strangers) {
      this.#strangers.delete(oldest);
      stranger.destroy();
      return;
    }
  }

  /** A token of ours came over it. With TLS it is another object than the one that was added. */
  trust(connection: Pick<Connection, "remoteAddress" | "remotePort">): void {
    const name = nameOf(connection);
    const stranger = this.#strangers.get(name);
    if (stranger === undefined) return;
    this.#strangers.delete(name);
    this.#known.set(name, stranger);
  }

  /** Cuts all of them, also those that have not even begun to speak TLS. */
  cut(): void {
    for (const all of [this.#strangers, this.#known]) {
      for (const connection of all.values()) connection.destroy();
    }
  }
}

function nameOf({
  remoteAddress,
  remotePort,
}: Pick<Connection, "remoteAddress" | "remotePort">): string {
  return `${remoteAddress} ${remotePort}`;
}
