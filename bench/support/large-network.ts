/**
 * A network for clusters of a thousand agents: every message arrives, a millisecond after it was sent. A
 * broadcast is one event, however many receive it. Messages and their bytes are counted where they are
 * received, by kind.
 */
import type {
  AgentId,
  Answered,
  Listener,
  Message,
  Transport,
} from "../../src/base/transport/index.ts";
import type { Kernel } from "../../src/lab/simulator/index.ts";

interface Port {
  readonly listeners: Map<string, Listener>;
  isOpen: boolean;
  readonly isCounted: boolean;
}

interface OpenRequest {
  readonly overAtMs: number;
  readonly answered: Answered;
}

export interface Traffic {
  messages: number;
  bytes: number;
}

const WAY_MS = 1;
const SWEEP_MS = 250;

export class LargeNetwork {
  readonly #kernel: Kernel;
  readonly #ports = new Map<AgentId, Port>();
  readonly #open = new Set<OpenRequest>();
  readonly #received = new Map<string, Traffic>();

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    const sweep = (): void => {
      this.#sweep();
      kernel.schedule(SWEEP_MS, sweep);
    };
    sweep();
  }

  /** What was received since this was last asked, by kind. */
  received(): ReadonlyMap<string, Traffic> {
    const received = new Map(this.#received);
    this.#received.clear();
    return received;
  }

  /** `isCounted`: what it receives is. */
  join(self: AgentId, isCounted = true): Transport {
    const port: Port = { listeners: new Map(), isOpen: true, isCounted };
    this.#ports.set(self, port);
    return {
      self,
      request: (to, message, timeoutMs, answered) =>
        this.#request(self, to, { message, timeoutMs, answered }),
      broadcast: (message) => this.#broadcast(self, message),
      serve: (kind, listener) => void port.listeners.set(kind, listener),
      close: () => {
        port.isOpen = false;
      },
    };
  }

  #broadcast(from: AgentId, message: Message): void {
    this.#kernel.schedule(WAY_MS, () => {
      for (const [to, port] of this.#ports) {
        if (to !== from && port.isOpen) this.#deliver(port, from, message, () => undefined);
      }
    });
  }

  #request(
    from: AgentId,
    to: AgentId,
    asked: {
      readonly message: Message;
      readonly timeoutMs: number;
      readonly answered: Answered;
    },
  ): void {
    const { message, timeoutMs, answered } = asked;
    const request: OpenRequest = { overAtMs: this.#kernel.nowMs + timeoutMs, answered };
    this.#open.add(request);
    this.#kernel.schedule(WAY_MS, () => {
      const port = this.#ports.get(to);
      if (port?.isOpen !== true) return;
      this.#deliver(port, from, message, (body) =>
        this.#kernel.schedule(WAY_MS, () => {
          if (!this.#open.delete(request)) return;
          if (this.#ports.get(from)?.isCounted === true) this.#count({ kind: message.kind, body });
          answered({ kind: "reply", body });
        }),
      );
    });
  }

  #deliver(
    { listeners, isCounted }: Port,
    from: AgentId,
    message: Message,
    respond: (body: Uint8Array) => void,
  ): void {
    if (isCounted) this.#count(message);
    listeners.get(message.kind)?.(from, message.body, respond);
  }

  #count({ kind, body }: Message): void {
    const traffic = this.#received.get(kind) ?? { messages: 0, bytes: 0 };
    this.#received.set(kind, traffic);
    traffic.messages += 1;
    traffic.bytes += body.byteLength;
  }

  #sweep(): void {
    for (const request of this.#open) {
      if (this.#kernel.nowMs < request.overAtMs) continue;
      this.#open.delete(request);
      request.answered({ kind: "timed-out" });
    }
  }
}
