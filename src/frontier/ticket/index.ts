/**
 * Tickets: URLs with what must be known about them when they are fetched, and their form as bytes.
 *
 * A ticket is offered to the frontier, passes the sieve and waits in its host's queue as bytes
 * (`ticket-record.ts`); the sieve compares tickets by `roleDepth`.
 *
 * Read `ticket.ts` first.
 */
export {
  atBetterDepths,
  type ComparedDepths,
  readDepths,
  requisiteOfDepth,
  roleDepth,
} from "./role-depth.ts";
export type { OfferedTicket, Ticket } from "./ticket.ts";
export {
  depthInRecord,
  fingerprintInRecord,
  highInRecord,
  hostInRecord,
  isEndedRecord,
  isRequisiteRecord,
  politeHost,
  priorityInRecord,
  queueRecordFrom,
  readTicket,
  TicketWriter,
  type WaitingTicket,
} from "./ticket-record.ts";
