/**
 * Transports: how agents, and the lanes of one agent, reach each other. The contract is `Transport`
 * in `transport.ts`, its suite `lab/conformance/transport-suite.ts`. `TcpTransport` connects processes
 * of one machine, `NatsTransport` those of several machines, over NATS servers. `mesh` starts and watches
 * such a server for each agent; the servers find each other.
 *
 * `InProcessTransport` connects parties in one thread. They share an `InProcessHub`, which knows
 * who is connected and holds the queue that all messages pass through. Each message arrives once
 * and in order, but callers must not rely on that: other transports promise less.
 *
 * Words of this module:
 * - *kind*: what a message is about; each kind has one listener
 * - *hub*: where the transports of one process meet
 * - *route*: a connection between two NATS servers
 *
 * Read `transport.ts` first, then `in-process-transport.ts`; for meshes `mesh/mesh.ts`.
 */
export { InProcessHub } from "./in-process-hub.ts";
export { InProcessTransport } from "./in-process-transport.ts";
export { ListenerTable } from "./listener-table.ts";
export {
  findServer,
  HOW_TO_INSTALL,
  isNewEnough,
  SERVER_VERSION_MIN,
} from "./mesh/find-server.ts";
export { makeToken, parseToken, printToken } from "./mesh/join-token.ts";
export type { Mesh, MeshEvent } from "./mesh/mesh.ts";
export { type MeshOptions, openMesh } from "./mesh/open-mesh.ts";
export { openNatsTransport } from "./nats/open-nats-transport.ts";
export type { ServedTransport } from "./nats/served-transport.ts";
export { openTcpTransport, type TcpTransport } from "./tcp-transport.ts";
export {
  type AgentId,
  type Answer,
  type Answered,
  assertMessageKind,
  isTooLarge,
  type Listener,
  MESSAGE_BYTES_MAX,
  type Message,
  type MessageKind,
  type Transport,
} from "./transport.ts";
