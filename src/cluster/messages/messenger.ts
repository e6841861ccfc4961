/**
 * Messages between agents over a transport: each goes out with its sender's name, and comes in only if
 * it is for this crawl, can be read, and was not sent by a life of its sender that is over. What is
 * dropped is counted by reason and never answered, as if it had been lost on the way.
 *
 * The messenger knows the form of messages. Who is known, and which life of it counts, is known by the
 * gate, which membership attaches; before that nothing passes.
 */
import assert from "node:assert/strict";
import type { Clock } from "../../base/seams/index.ts";
import {
  type AgentId,
  type Answer,
  isTooLarge,
  type MessageKind,
  type Transport,
} from "../../base/transport/index.ts";
import type { Codec } from "../../topology/items/index.ts";
import { open, type Sender, seal } from "./envelope.ts";
import type { MessageType } from "./message-type.ts";
import { type Place, samePlace } from "./place.ts";

/**
 * Why a message was not taken: nobody listens here (yet, or any more), another crawl, another major
 * version, bytes that cannot be read, a life of its sender that is over, another capacity than its
 * sender once had, more senders than a cluster has, another agent than the transport has it from, a reply
 * from another place than was asked; or why one was not sent: it is longer than a message may be.
 */
export type DropReason =
  | "closed"
  | "crawl"
  | "version"
  | "malformed"
  | "stale"
  | "capacity"
  | "crowded"
  | "forged"
  | "place"
  | "too-large";

/** What decides which messages pass. */
export interface MessageGate {
  /** How this agent signs messages of a kind; null while it must not send any. */
  self(kind: MessageKind): Sender | null;
  /** Null to take a message of this sender. */
  refuses(sender: Sender, kind: MessageKind): DropReason | null;
  /** Told of each message of another major version. */
  hearsOther(from: AgentId, major: number): void;
}

/** `none`: no reply that counts. The request may have been carried out all the same. */
export type Replied<Reply> =
  | { readonly kind: "reply"; readonly from: Sender; readonly body: Reply }
  | { readonly kind: "none"; readonly why: DropReason | Exclude<Answer["kind"], "reply"> };

/**
 * `respond` may be called now or later; only the first call counts, and for a message that was told to
 * all it has no effect.
 */
export type ServeMessage<Body, Reply> = (
  from: Sender,
  body: Body,
  respond: (reply: Reply) => void,
) => void;

export class Messenger {
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #dropped = new Map<DropReason, number>();
  #gate: MessageGate | null = null;
  #sent = 0;

  constructor(transport: Transport, clock: Clock) {
    this.#transport = transport;
    this.#clock = clock;
  }

  get self(): AgentId {
    return this.#transport.self;
  }

  /** How many messages were dropped, by reason. */
  get dropped(): ReadonlyMap<DropReason, number> {
    return this.#dropped;
  }

  /** How many messages this agent has sent, answers among them. */
  get sent(): number {
    return this.#sent;
  }

  /** From now on this decides which messages pass; once. */
  attach(gate: MessageGate): void {
    assert(this.#gate === null, "a messenger has one gate");
    this.#gate = gate;
  }

  /** Sends to every agent that can be reached; nothing is sent while this one must be silent. */
  tell<Body>(type: MessageType<Body, unknown>, body: Body): void {
    const self = this.#gate?.self(type.kind) ?? null;
    if (self === null) return;
    const sealed = this.#sealed(self, body, type.body);
    if (sealed === null) return;
    this.#sent += 1;
    this.#transport.broadcast({ kind: type.kind, body: sealed });
  }

  /**
   * Asks one place; a reply from another place of the same agent does not count. `answered` is called
   * once, never inside this call.
   */
  ask<Body, Reply>(
    place: Place,
    type: MessageType<Body, Reply>,
    question: Question<Body>,
    answered: (replied: Replied<Reply>) => void,
  ): void {
    const isAsked = ({ place: from }: Sender): boolean => samePlace(from, place);
    this.#ask(place.id, type, question, (reply) => {
      answered(this.#judged(reply, type, isAsked));
    });
  }

  /** As `ask`, where any place of the agent may reply. */
  askAgent<Body, Reply>(
    id: AgentId,
    type: MessageType<Body, Reply>,
    question: Question<Body>,
    answered: (replied: Replied<Reply>) => void,
  ): void {
    const isAsked = ({ place }: Sender): boolean => place.id === id;
    this.#ask(id, type, question, (reply) => answered(this.#judged(reply, type, isAsked)));
  }

  /** Takes the messages of one kind; one listener for each, for good. */
  serve<Body, Reply>(type: MessageType<Body, Reply>, listener: ServeMessage<Body, Reply>): void {
    this.#transport.serve(type.kind, (from, bytes, respond) => {
      const message = this.#take(bytes, type.kind, type.body, from);
      if (typeof message === "string") return;
      listener(message.from, message.body, (reply) => {
        const self = this.#gate?.self(type.kind) ?? null;
        const sealed = self === null ? null : this.#sealed(self, reply, type.reply);
        if (sealed === null) return;
        this.#sent += 1;
        respond(sealed);
      });
    });
  }

  #ask<Body>(
    id: AgentId,
    { kind, body }: MessageType<Body, unknown>,
    question: Question<Body>,
    answered: (answer: Answer) => void,
  ): void {
    const self = this.#gate?.self(kind) ?? null;
    if (self === null) this.#clock.after(0, () => answered({ kind: "closed" }));
    else {
      const message = { kind, body: seal(self, question.body, body) };
      this.#sent += 1;
      this.#transport.request(id, message, question.timeoutMs, answered);
    }
  }

  #judged<Reply>(
    answer: Answer,
    { kind, reply }: MessageType<never, Reply> | MessageType<unknown, Reply>,
    isAsked: (from: Sender) => boolean,
  ): Replied<Reply> {
    if (answer.kind !== "reply") return { kind: "none", why: answer.kind };
    const message = this.#take(answer.body, kind, reply, null);
    if (typeof message === "string") return { kind: "none", why: message };
    if (!isAsked(message.from)) return { kind: "none", why: this.#drop("place") };
    return { kind: "reply", ...message };
  }

  /** `from`: whom the transport has it from; null if it does not say. */
  #take<Body>(
    bytes: Uint8Array,
    kind: MessageKind,
    bodyCodec: Codec<Body>,
    from: AgentId | null,
  ): { readonly from: Sender; readonly body: Body } | DropReason {
    const opened = open(bytes);
    if (opened === "malformed") return this.#drop(opened);
    if (typeof opened === "number") {
      if (from !== null) this.#gate?.hearsOther(from, opened);
      return this.#drop("version");
    }
    const body = opened.body(bodyCodec);
    if (body === null) return this.#drop("malformed");
    if (from !== null && opened.sender.place.id !== from) return this.#drop("forged");
    const refusal = this.#gate === null ? "closed" : this.#gate.refuses(opened.sender, kind);
    if (refusal !== null) return this.#drop(refusal);
    return { from: opened.sender, body: body.value };
  }

  /** Null for what others have made too long: it must not end this process. */
  #sealed<Body>(self: Sender, body: Body, bodyCodec: Codec<Body>): Uint8Array | null {
    const sealed = seal(self, body, bodyCodec);
    if (!isTooLarge(sealed)) return sealed;
    this.#drop("too-large");
    return null;
  }

  #drop(reason: DropReason): DropReason {
    this.#dropped.set(reason, (this.#dropped.get(reason) ?? 0) + 1);
    return reason;
  }
}

/** What is asked, and how long an answer is waited for. */
export interface Question<Body> {
  readonly body: Body;
  readonly timeoutMs: number;
}
