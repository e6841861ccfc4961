/**
 * The library's door. The crawl itself comes with a later step; today it exports the seams and the
 * contract of protocol modules.
 */
export type { ColumnType, Schema, TableShape, Value } from "./base/database/index.ts";
export * from "./base/seams/index.ts";
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
} from "./base/transport/index.ts";
export type {
  Protocol,
  ProtocolAnswer,
  ProtocolBody,
  ProtocolOptions,
  ProtocolRequest,
} from "./fetch/protocols/index.ts";
