/**
 * A synthetic web at work: its server, its name server and its control port, opened and closed
 * together. The web is made when the port is known, since its URLs hold it.
 */
import type { Clock } from "../../../base/seams/index.ts";
import type { VerdictRules } from "../verdict/verdict-rules.ts";
import type { SyntheticWeb } from "../web/synthetic-web.ts";
import {
  Control,
  type CrawlDescription,
  type TruthReading,
  type VerdictReading,
} from "./control.ts";
import { ControlPort } from "./control-port.ts";
import { DnsServer } from "./dns-server.ts";
import { LoopbackListener } from "./loopback-listener.ts";
import { WebNames } from "./web-names.ts";
import { WebServer } from "./web-server.ts";

export interface ServedWebOptions<Web extends SyntheticWeb> {
  readonly clock: Clock;
  /** Ports; 0 takes a free one. */
  readonly port: number;
  readonly dnsPort: number;
  readonly controlPort: number;
  readonly makeWeb: (port: number) => Web;
  readonly truthFor: (web: Web, crawl: CrawlDescription) => TruthReading;
  readonly rules: VerdictRules;
}

/** Hosts whose addresses are listened on from the start, for clients that ask no name server. */
const EAGER_HOSTS = 1000;

export class ServedWeb<Web extends SyntheticWeb> {
  readonly web: Web;
  readonly server: WebServer;
  /** Resolves when the control port was asked to stop. */
  readonly stopAsked: Promise<void>;
  readonly #names: WebNames;
  readonly #options: ServedWebOptions<Web>;
  #dns: DnsServer | null = null;
  #controlPort: ControlPort | null = null;
  readonly #control: Control;
  #askStop: () => void = () => {};

  static async open<Web extends SyntheticWeb>(
    options: ServedWebOptions<Web>,
  ): Promise<ServedWeb<Web>> {
    const listener = await LoopbackListener.open(options.port);
    const served = new ServedWeb(options, listener);
    try {
      await served.#open();
    } catch (error) {
      await served.close();
      throw error;
    }
    return served;
  }

  private constructor(options: ServedWebOptions<Web>, listener: LoopbackListener) {
    const { clock } = options;
    this.#options = options;
    this.web = options.makeWeb(listener.port);
    const { web } = this;
    this.server = new WebServer({ web, listener, clock });
    const { server } = this;
    this.#names = new WebNames({
      web,
      clock,
      listenOn: (addresses, done) => server.listenOn(addresses, done),
    });
    this.stopAsked = new Promise((resolve) => {
      this.#askStop = resolve;
    });
    this.#control = new Control({
      web,
      log: server.log,
      truthFor: (crawl) => this.truthFor(crawl),
      rules: options.rules,
      stats: () => ({ server: server.stats(), names: this.#names.stats() }),
      stop: () => this.#askStop(),
    });
  }

  get port(): number {
    return this.server.port;
  }

  get dnsPort(): number {
    return this.#dns?.port ?? 0;
  }

  get controlPort(): number {
    return this.#controlPort?.port ?? 0;
  }

  /** The truth about a crawl of this web. */
  truthFor(crawl: CrawlDescription): TruthReading {
    return this.#options.truthFor(this.web, crawl);
  }

  /** The verdict on what was fetched so far; see the control port for the two descriptions. */
  judge(crawl: CrawlDescription = {}, rules: CrawlDescription = {}): VerdictReading {
    return this.#control.judge(crawl, rules);
  }

  async close(): Promise<void> {
    await Promise.all([this.#controlPort?.close(), this.#dns?.close(), this.server.stop()]);
  }

  async #open(): Promise<void> {
    const { clock, dnsPort, controlPort } = this.#options;
    this.#dns = await DnsServer.open({ port: dnsPort, names: this.#names, clock });
    this.#controlPort = await ControlPort.open(controlPort, this.#control);
    await this.#listenAhead();
  }

  /** The addresses of a small web, and of the first hosts of a large one. */
  async #listenAhead(): Promise<void> {
    const addresses = new Set<string>();
    for (let index = 0; index < Math.min(EAGER_HOSTS, this.web.hostCount); index += 1) {
      for (const address of this.web.hostAt(index).addresses) addresses.add(address);
    }
    await new Promise((resolve) => this.server.listenOn([...addresses], resolve));
  }
}
