/**
 * The remote connectors of one process: opens them for topologies, over TCP and with their logs in one
 * directory, and ends them all. Connectors that listen at one address share it; all that send share a
 * transport of their own.
 */
import { CrawlError, isCrawlError } from "../../base/errors/index.ts";
import { freshSeed, SeededRandom } from "../../base/random/index.ts";
import type { Acknowledge, Clock, Done, Random, Storage } from "../../base/seams/index.ts";
import { openTcpTransport, type TcpTransport } from "../../base/transport/index.ts";
import type { Connector, Retire } from "../connector/index.ts";
import { type ConnectorKind, type RemoteSettings, remoteKind } from "../description/index.ts";
import type { ItemType } from "../items/index.ts";
import {
  type Inherited,
  openReceivingConnector,
  openSendingConnector,
  Switchboard,
} from "../remote/index.ts";

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
  retire?: Retire<unknown>;
  /** Of one that sends: everything before this has arrived; and where it began, if not at the beginning. */
  readonly acknowledged?: number;
  readonly from?: number | null;
  whenSettled(listener: () => void): void;
  close(done: Acknowledge): void;
}

/** What a connector of this process leaves to its successor. */
interface Legacy {
  readonly isClosed: boolean;
  readonly to: string | null;
  readonly acknowledged: number;
  /** Where sending to its receiver began, if that was not at the log's beginning. */
  readonly from: number | null;
}

const SEGMENT_BYTES = 16 * 1024 * 1024;
const MARK_AFTER_MS = 1000;

export class RemotePost {
  /** For the library of the topologies that are to use it. */
  readonly kind: ConnectorKind<RemoteSettings>;
  readonly #parts: RemotePostParts;
  readonly #random: Random = new SeededRandom(freshSeed());
  readonly #connectors = new Map<string, Opened>();
  readonly #legacies = new Map<string, Legacy>();
  /** The transports of open connectors, by the connector. */
  readonly #used = new Map<string, TcpTransport>();
  readonly #opening = new Set<string>();
  readonly #transports = new Map<string, Promise<TcpTransport>>();
  readonly #switchboards = new Map<TcpTransport, Switchboard>();
  /** Called once, when a connector has settled, or another one is open. */
  #listeners: (() => void)[] = [];
  #unlock: Unlock | null = null;

  constructor(parts: RemotePostParts) {
    this.#parts = parts;
    this.kind = remoteKind((type, settings, id) => this.#open(type, settings, id));
  }

  /** Resolves when everything that was offered has arrived at the other sides. */
  async drain(): Promise<void> {
    const settled = new Set<Opened>();
    for (;;) {
      const left = [...this.#connectors.values()].filter((one) => !settled.has(one));
      if (left.length === 0 && this.#legacies.size === 0) return;
      for (const one of left) one.whenSettled(() => this.#tell(() => settled.add(one)));
      // One that is swapped meanwhile never settles: its successor does.
      await new Promise<void>((resolve) => this.#listeners.push(resolve));
    }
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
      this.#used.set(id, transport);
      const opened = await this.#openAt(transport, type, settings, id);
      opened.retire = (isFollowed) => this.#retire(opened, type, settings, { id, isFollowed });
      this.#tell(() => {
        this.#connectors.set(id, opened);
        this.#legacies.delete(id);
      });
      await this.#closeUnused();
      return opened;
    } catch (thrown) {
      this.#opening.delete(id);
      this.#used.delete(id);
      throw thrown;
    }
  }

  async #retire(
    opened: Opened,
    type: ItemType<unknown>,
    settings: RemoteSettings,
    { id, isFollowed }: { readonly id: string; readonly isFollowed: boolean },
  ): Promise<() => Promise<Opened>> {
    const { isClosed, acknowledged = 0, from = null } = opened;
    await this.#end(opened);
    if (isFollowed) this.#legacies.set(id, { isClosed, to: settings.to, acknowledged, from });
    this.#tell(() => this.#connectors.delete(id));
    this.#opening.delete(id);
    this.#used.delete(id);
    if (!isFollowed) await this.#closeUnused();
    return async () => {
      try {
        return await this.#open(type, settings, id);
      } catch (thrown) {
        // There is no connector any more: the topology cannot go on.
        if (isCrawlError(thrown)) this.#parts.failed(thrown);
        throw thrown;
      }
    };
  }

  #tell(change: () => void): void {
    change();
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }

  /** Ends listening where no connector does any more. */
  async #closeUnused(): Promise<void> {
    const used = new Set(this.#used.values());
    for (const [name, opening] of this.#transports) {
      const transport = await opening.catch(() => null);
      if (transport === null || used.has(transport)) continue;
      transport.close();
      this.#transports.delete(name);
      this.#switchboards.delete(transport);
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
        const waits = { spillBytes: spill, timeoutMs: timeout };
        const inherited = inheritedFrom(this.#legacies.get(id), to);
        openSendingConnector(type, { ...common, ...limits, ...waits, to, inherited }, place, done);
      }
    });
  }

  #transportAt(listenAt: string | null): Promise<TcpTransport> {
    const name = listenAt ?? "";
    const known = this.#transports.get(name);
    if (known !== undefined) return known;
    const self = listenAt ?? `sender-${this.#random.u32()}`;
    const { clock, report } = this.#parts;
    const opened = promised<TcpTransport>((done) =>
      openTcpTransport({ self, clock, listenAt, report }, done),
    );
    this.#transports.set(name, opened);
    // One that could not listen may be able to later.
    opened.catch(() => this.#transports.delete(name));
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

/** Another receiver gets what the one before has not acknowledged; the same one knows what it has. */
function inheritedFrom(legacy: Legacy | undefined, to: string): Inherited {
  if (legacy === undefined) return { isClosed: false, from: null };
  return { isClosed: legacy.isClosed, from: legacy.to === to ? legacy.from : legacy.acknowledged };
}

function promised<Value>(start: (done: Done<Value>) => void): Promise<Value> {
  return new Promise((resolve, reject) =>
    start((error, value) => (error === null ? resolve(value) : reject(error))),
  );
}
