/**
 * The transport of one life of a node on the simulated network. It dies with that life: requests
 * stay unanswered, listeners fall silent, replies still owed lead nowhere; messages that it sent
 * before are on their way all the same. A reply to an earlier life finds nobody who waits for it.
 */
import assert from "node:assert/strict";
import type { Timer } from "../../../base/seams/index.ts";
import {
  type AgentId,
  type Answer,
  type Answered,
  assertMessageKind,
  isTooLarge,
  type Listener,
  ListenerTable,
  type Message,
  type MessageKind,
  type Transport,
} from "../../../base/transport/index.ts";
import type { Life } from "../kernel/life.ts";
import type { Trace } from "../kernel/trace.ts";
import type { Undo } from "../kernel/undo.ts";
import { describePacket, type Packet, type Port, type SimNetwork } from "./sim-network.ts";

interface Question {
  readonly answered: Answered;
  readonly timer: Timer;
}

export class SimTransport implements Transport, Port {
  readonly self: AgentId;
  readonly #network: SimNetwork;
  readonly #life: Life;
  readonly #trace: Trace;
  readonly #listeners = new ListenerTable();
  /** Requests of this side that wait for their answer, by number. */
  readonly #questions = new Map<number, Question>();
  /** Requests that a listener has taken and not yet answered, by number. */
  readonly #owed = new Map<number, Packet>();
  readonly #disconnect: Undo;
  #isClosed = false;

  constructor(network: SimNetwork, life: Life, trace: Trace) {
    this.self = life.nodeId;
    this.#network = network;
    this.#life = life;
    this.#trace = trace;
    this.#disconnect = network.connect(this);
    life.onEnd(() => this.#die());
  }

  request(to: AgentId, message: Message, timeoutMs: number, answered: Answered): void {
    assertMessageKind(message.kind);
    assert(timeoutMs > 0, "a request waits for some time");
    if (this.#isClosed) this.#answerSoon(answered, { kind: "closed" });
    else if (isTooLarge(message.body)) this.#answerSoon(answered, { kind: "too-large" });
    else {
      const number = this.#network.nextNumber();
      const timer = this.#life.clock.after(timeoutMs, () =>
        this.#settle(number, { kind: "timed-out" }),
      );
      this.#questions.set(number, { answered, timer });
      this.#send(to, "request", message, number);
    }
  }

  broadcast(message: Message): void {
    assertMessageKind(message.kind);
    assert(!isTooLarge(message.body), "a broadcast is at most MESSAGE_BYTES_MAX long");
    if (this.#isClosed) return;
    const number = this.#network.nextNumber();
    for (const to of this.#network.others(this.self)) this.#send(to, "broadcast", message, number);
  }

  serve(kind: MessageKind, listener: Listener): void {
    this.#listeners.serve(kind, listener);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#disconnect();
    this.#listeners.close();
    for (const { answered, timer } of this.#questions.values()) {
      timer.cancel();
      this.#answerSoon(answered, { kind: "closed" });
    }
    this.#questions.clear();
    for (const packet of this.#owed.values()) this.#network.refuse(packet);
    this.#owed.clear();
  }

  /** The network hands over a packet for this node. */
  arrive(packet: Packet): void {
    this.#life.deliver("arrival", () => {
      if (this.#isClosed) {
        this.#network.refuse(packet);
        return;
      }
      if (this.#trace.isOn) this.#trace.add("<", this.self, describePacket(packet));
      this.#take(packet);
    });
  }

  #take(packet: Packet): void {
    // A copy for each arrival: if a receiver changes the bytes, no other must see it.
    if (packet.purpose === "reply") {
      this.#settle(packet.number, { kind: "reply", body: packet.body.slice() });
      return;
    }
    if (packet.purpose === "unreachable") {
      this.#settle(packet.number, { kind: "unreachable" });
      return;
    }
    const listener = this.#listeners.of(packet.kind);
    if (listener === undefined) {
      this.#network.refuse(packet);
      return;
    }
    if (packet.purpose === "request") this.#owed.set(packet.number, packet);
    listener(packet.from, packet.body.slice(), this.#responder(packet));
  }

  /** Each arrival, a second copy too, may be answered once. */
  #responder(packet: Packet): (body: Uint8Array) => void {
    let hasResponded = packet.purpose === "broadcast";
    return (body) => {
      assert(!isTooLarge(body), "a reply is at most MESSAGE_BYTES_MAX long");
      if (hasResponded || this.#isClosed) return;
      hasResponded = true;
      this.#owed.delete(packet.number);
      this.#send(packet.from, "reply", { kind: packet.kind, body }, packet.number);
    };
  }

  #send(to: AgentId, purpose: Packet["purpose"], message: Message, number: number): void {
    const { kind, body } = message;
    this.#network.send({ from: this.self, to, purpose, kind, number, body });
  }

  #settle(number: number, answer: Answer): void {
    const question = this.#questions.get(number);
    if (question === undefined) return;
    this.#questions.delete(number);
    question.timer.cancel();
    question.answered(answer);
  }

  #answerSoon(answered: Answered, answer: Answer): void {
    this.#life.clock.after(0, () => answered(answer));
  }

  #die(): void {
    this.#isClosed = true;
    this.#disconnect();
    this.#questions.clear();
    this.#owed.clear();
    this.#listeners.close();
  }
}
