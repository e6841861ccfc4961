/**
 * A transport for agents whose ids are not the names of their machines: two machines may have the same
 * agent, by mistake. What is sent to an id arrives at all machines that have it; the first reply counts.
 */
import type { AgentId, Answer, Transport } from "../../../src/base/transport/index.ts";

export function namedTransport(
  transport: Transport,
  self: AgentId,
  machines: () => readonly { readonly name: string; readonly id: AgentId }[],
): Transport {
  const idOf = (name: string): AgentId => machines().find((one) => one.name === name)?.id ?? name;
  return {
    self,
    request(to, message, timeoutMs, answered) {
      const names = machines().filter(({ id }) => id === to);
      let left = Math.max(1, names.length);
      const settle = (answer: Answer): void => {
        if (left === 0) return;
        left = answer.kind === "reply" ? 0 : left - 1;
        if (left === 0) answered(answer);
      };
      if (names.length === 0) transport.request(to, message, timeoutMs, settle);
      for (const { name } of names) transport.request(name, message, timeoutMs, settle);
    },
    broadcast: (message) => transport.broadcast(message),
    serve: (kind, listener) =>
      transport.serve(kind, (from, body, respond) => listener(idOf(from), body, respond)),
    close: () => transport.close(),
  };
}
