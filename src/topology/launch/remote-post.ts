/**
 * The remote connectors of one process: opens them for topologies, over TCP and with their logs in one
 * directory, and ends them all. Connectors that listen at one address share it; all that send share a
 * transport of their own.
 */
import { CrawlError } from "../../base/errors/index.ts";
import { freshSeed, SeededRandom } from "../../base/random/index.ts";
import type { Acknowledge, Clock, Done, Random, Storage } from "../../base/seams/index.ts";
import { openTcpTransport, type TcpTransport } from "../../base/transport/index.ts";
import type { Connector } from "../connector/index.ts";
import { type ConnectorKind, type RemoteSettings, remoteKind } from "../description/index.ts";
import type { ItemType } from "../items/index.ts";
import { openReceivingConnector, openSendingConnector, Switchboard } from "../remote/index.ts";

export interface RemotePostParts {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly report: (error: CrawlError) => void;
  /** A connector cannot go on. */
  readonly failed: (error: CrawlError) => void;
  /**
   * Keeps other processes away from the storage, from the first connector until the end; throws if one
   * is there. Not needed where the storage is in a folder that is locked already.
   */
  readonly lock?: () => Unlock;
}

export type Unlock = () => void;

/** What a remote connector has beside its ends. */
interface Opened extends Connector<unknown> {
  whenSettled(listener: () => void): void;
  close(done: Acknowledge): void;
}

const SEGMENT_BYTES = 16 * 1024 * 1024;
const MARK_AFTER_MS = 1000;

export class RemotePost {
  /** For the library of the topologies that are to use it. */
  readonly kind: ConnectorKind<RemoteSettings>;
  readonly #parts: RemotePostParts;
  readonly #random: Random = new SeededRandom(freshSeed());
  readonly #connectors = new Map<string, Opened>();
  readonly #opening = new Set<string>();
  readonly #transports = new Map<string, Promise<TcpTransport>>();
  readonly #switchboards = new Map<TcpTransport, Switchboard>();
  #unlock: Unlock | null = null;

  constructor(parts: RemotePostParts) {
    this.#parts = parts;
    this.kind = remoteKind((type, settings, id) => this.#open(type, settings, id));
  }

  /** Resolves when everything that was offered has arrived at the other sides. */
  async drain(): Promise<void> {
    const connectors = [...this.#connectors.values()];
    await Promise.all(
      connectors.map((one) => new Promise<void>((resolve) => one.whenSettled(resolve))),
    );
  }

  /** Makes everything durable and ends; what has not arrived is sent by the next life. */
  async close(): Promise<void> {
    const connectors = [...this.#connectors.values()];
    this.#connectors.clear();
    await Promise.all(connectors.map((one) => this.#end(one)));
    for (const transport of this.#transports.values()) {
      // One that could not listen has told so already.
      await transport.then(
        (opened) => opened.close(),
        () => undefined,
      );
    }
    this.#unlock?.();
    this.#unlock = null;
  }

  async #open(type: ItemType<unknown>, settings: RemoteSettings, id: string): Promise<Opened> {
    if (this.#opening.has(id)) {
      const message = `The topology was not changed: the remote connector ${id} is open already.`;
      throw new CrawlError("TOPOLOGY_REFUSED", message, { connector: id });
    }
    this.#unlock ??= this.#parts.lock?.() ?? null;
    this.#opening.add(id);
    try {
      const transport = await this.#transportAt(settings.listen);
      const opened = await this.#openAt(transport, type, settings, id);
      this.#connectors.set(id, opened);
      return opened;
    } catch (thrown) {
      this.#opening.delete(id);
      throw thrown;
    }
  }

  #openAt(
    transport: TcpTransport,
    type: ItemType<unknown>,
    settings: RemoteSettings,
    id: string,
  ): Promise<Opened> {
    const { to, capacity, senders } = settings;
    const { clock, storage, report, failed: fail } = this.#parts;
    const place = { clock, storage, report, fail, transport, random: this.#random.fork(id) };
    const common = { id, capacity, segmentBytesMax: SEGMENT_BYTES };
    return promised<Opened>((done) => {
      if (to === null) {
        const switchboard = this.#switchboardOf(transport);
        const options = { ...common, senders, markAfterMs: MARK_AFTER_MS };
        openReceivingConnector(type, options, { ...place, switchboard }, done);
      } else {
        const { batch, batchSize, linger, spill, timeout } = settings;
        const limits = { batchItems: batch, batchBytes: batchSize, lingerMs: linger };
        const options = { ...common, ...limits, to, spillBytes: spill, timeoutMs: timeout };
        openSendingConnector(type, options, place, done);
      }
    });
  }

  #transportAt(listenAt: string | null): Promise<TcpTransport> {
    const name = listenAt ?? "";
    const known = this.#transports.get(name);
    if (known !== undefined) return known;
    const self = listenAt ?? `sender-${this.#random.u32()}`;
    const { clock } = this.#parts;
    const opened = promised<TcpTransport>((done) =>
      openTcpTransport({ self, clock, listenAt }, done),
    );
    this.#transports.set(name, opened);
    return opened;
  }

  #switchboardOf(transport: TcpTransport): Switchboard {
    const known = this.#switchboards.get(transport);
    const switchboard = known ?? new Switchboard(transport, this.#parts.report);
    this.#switchboards.set(transport, switchboard);
    return switchboard;
  }

  #end(connector: Opened): Promise<void> {
    return new Promise((resolve) =>
      connector.close((error) => {
        if (error !== null) this.#parts.report(error);
        resolve();
      }),
    );
  }
}

function promised<Value>(start: (done: Done<Value>) => void): Promise<Value> {
  return new Promise((resolve, reject) =>
    start((error, value) => (error === null ? resolve(value) : reject(error))),
  );
}
