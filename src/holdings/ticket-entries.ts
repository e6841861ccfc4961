/** Tickets of the frontier as entries of the cluster, and back. */
import type { UrlEntry } from "../cluster/delivery/index.ts";
import type { Place } from "../cluster/messages/index.ts";
import { hostOf } from "../formats/url/index.ts";
import {
  hostInRecord,
  politeHost,
  queueRecordFrom,
  readTicket,
  type Ticket,
  TicketWriter,
} from "../frontier/ticket/index.ts";

const writer = new TicketWriter();

export function entryOf(ticket: Ticket, holders: readonly Place[] = []): UrlEntry {
  const { high, low, depth, url } = ticket;
  writer.tryWrite(ticket, 0);
  const record = writer.bytes.slice(0, writer.to);
  return { kind: "url", host: politeHost(hostOf(url)), high, low, depth, holders, record };
}

/** Its depth is that of the entry. */
export function ticketIn({ record, depth }: UrlEntry): Ticket {
  const bytes = Buffer.from(record.buffer, record.byteOffset, record.byteLength);
  const from = queueRecordFrom(bytes, 0);
  const { attempt: _none, ...ticket } = readTicket(
    hostInRecord(bytes, 0),
    bytes,
    from,
    bytes.length,
  );
  return { ...ticket, depth };
}
