/** Tickets as a checkpoint has them: their records, in base64. */
import { TicketWriter, type WaitingTicket } from "../../ticket/index.ts";

const writer = new TicketWriter();

/** Gives the queue records of tickets. */
export function queueRecords(): (ticket: WaitingTicket) => string {
  return (ticket) => {
    writer.tryWrite(ticket, ticket.attempt);
    return textOf(writer, writer.queueFrom);
  };
}

/** Gives the sieve records of tickets, which have their hosts. */
export function sieveRecords(): (ticket: WaitingTicket) => string {
  return (ticket) => {
    writer.tryWrite(ticket, ticket.attempt);
    return textOf(writer, 0);
  };
}

function textOf({ bytes, to }: TicketWriter, from: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("base64");
}
