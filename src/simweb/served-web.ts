/**
 * A synthetic web at work: its server, its name server and its control port, opened and closed
 * together. The web is made when the port is known, since its URLs hold it.
 */
import type { Clock } from "../seams/index.ts";
import { Control, type CrawlDescription, type TruthReading } from "./control.ts";
import { ControlPort } from "./control-port.ts";
import { DnsServer } from "./dns-server.ts";
import { LoopbackListener } from "./loopback-listener.ts";
import type { SyntheticWeb } from "./synthetic-web.ts";
import type { VerdictRules } from "./verdict-rules.ts";
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
  /** Resolved when somebody asked for the end over the control port. */
  readonly stopAsked: Promise<void>;
  readonly #names: WebNames;
  readonly #options: ServedWebOptions<Web>;
  #dns: DnsServer | null = null;
  #control: ControlPort | null = null;
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
  }

  get port(): number {
    return this.server.port;
  }

  get dnsPort(): number {
    return this.#dns?.port ?? 0;
  }

  get controlPort(): number {
    return this.#control?.port ?? 0;
  }

  /** The truth about a crawl of this web. */
  truthFor(crawl: CrawlDescription): TruthReading {
    return this.#options.truthFor(this.web, crawl);
  }

  async close(): Promise<void> {
    await Promise.all([this.#control?.close(), this.#dns?.close(), this.server.stop()]);
  }

  async #open(): Promise<void> {
    const { clock, dnsPort, controlPort, rules } = this.#options;
    this.#dns = await DnsServer.open({ port: dnsPort, names: this.#names, clock });
    const control = new Control({
      web: this.web,
      log: this.server.log,
      truthFor: (crawl) => this.truthFor(crawl),
      rules,
      stats: () => ({ server: this.server.stats(), names: this.#names.stats() }),
      stop: () => this.#askStop(),
    });
    this.#control = await ControlPort.open(controlPort, control);
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
