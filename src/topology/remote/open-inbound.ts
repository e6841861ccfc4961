/**
 * Opening the receiving side: reads its log from the beginning, and so knows how far every stream has got
 * and which items were not taken.
 */
import { CrawlError } from "../../base/errors/index.ts";
import { type FrameBatch, type Log, openLog, type Position } from "../../base/log/index.ts";
import type { Done } from "../../base/seams/index.ts";
import type { ItemType } from "../items/index.ts";
import { decodedItems } from "./decoded-items.ts";
import { type Arrival, decodeRecord } from "./inbound-record.ts";
import { InboundStreams } from "./inbound-streams.ts";
import {
  type FoundInbound,
  type InboundBatch,
  ReceivingConnector,
  type ReceivingOptions,
  type ReceivingPlace,
} from "./receiving-connector.ts";
import { decodePiece } from "./remote-frame.ts";
import { folderOf } from "./remote-place.ts";

export function openReceivingConnector<Item>(
  type: ItemType<Item>,
  options: ReceivingOptions,
  place: ReceivingPlace,
  done: Done<ReceivingConnector<Item>>,
): void {
  const { storage, random, switchboard } = place;
  const { id } = options;
  const name = `${folderOf(id)}/in`;
  const { segmentBytesMax } = options;
  openLog({ storage, random, name, framing: "binary", segmentBytesMax }, (error, opened) => {
    if (error !== null) done(error, undefined);
    else {
      new Recovery(type, opened.log, place).run((failure, found) => {
        if (failure !== null) {
          opened.log.close(() => done(failure, undefined));
          return;
        }
        const connector = new ReceivingConnector(type, options, place, found);
        switchboard.connect(id, (frame, respond) => connector.receive(frame, respond));
        done(null, connector);
      });
    }
  });
}

class Recovery<Item> {
  readonly #type: ItemType<Item>;
  readonly #log: Log;
  readonly #report: ReceivingPlace["report"];
  readonly #streams = new InboundStreams();
  #batches: InboundBatch<Item>[] = [];
  #number = 0;
  #taken = 0;
  #unreadable = 0;
  /**
   * Where batches end that are not what they should be. Those that were taken may be the rest of one
   * whose beginning was dropped with the log's.
   */
  #unread: number[] = [];

  constructor(type: ItemType<Item>, log: Log, { report }: Pick<ReceivingPlace, "report">) {
    this.#type = type;
    this.#log = log;
    this.#report = report;
  }

  run(done: Done<FoundInbound<Item>>): void {
    const reader = this.#log.reader();
    const next = (): void =>
      reader.read((error, batch) => {
        if (error !== null) reader.close(() => done(error, undefined));
        else if (batch.count + batch.damage.length > 0) {
          this.#replay(batch);
          next();
        } else reader.close(() => this.#end(done));
      });
    next();
  }

  #replay(batch: FrameBatch): void {
    for (const { from, to } of batch.damage) this.#report(this.#damaged(to - from));
    for (let index = 0; index < batch.count; index += 1) {
      const record = decodeRecord(batch.payloadOf(index));
      if (record === null) this.#unreadable += 1;
      else if (record.kind === "arrival") this.#arrive(record.arrival, batch.positionOf(index));
      else {
        this.#streams.replayMark(record.mark);
        this.#taken = record.mark.taken;
        this.#number = Math.max(this.#number, this.#taken);
        this.#batches = this.#batches.filter(
          ({ number, items }) => number + items.length > this.#taken,
        );
      }
    }
  }

  #arrive(arrival: Arrival, position: Position): void {
    const piece = decodePiece(arrival.piece);
    if (piece === null) {
      this.#unreadable += 1;
      return;
    }
    const complete = this.#streams.replay(arrival, piece, position);
    if (complete === null) return;
    const { number } = arrival;
    const items = decodedItems(this.#type, complete.bytes, piece.count);
    this.#number = number + piece.count;
    if (items === null) this.#unread.push(this.#number);
    else if (items.length > 0) this.#batches.push({ number, items, position: complete.position });
  }

  #end(done: Done<FoundInbound<Item>>): void {
    this.#unreadable += this.#unread.filter((end) => end > this.#taken).length;
    if (this.#unreadable > 0) {
      done(this.#foreign(), undefined);
      return;
    }
    const [log, streams, number, taken] = [this.#log, this.#streams, this.#number, this.#taken];
    done(null, {
      log,
      streams,
      number,
      taken,
      batches: this.#batches.flatMap((one) => this.#rest(one)),
    });
  }

  /** What was not taken of a batch. */
  #rest(batch: InboundBatch<Item>): InboundBatch<Item>[] {
    const { number, items, position } = batch;
    const rest = items.slice(Math.max(0, this.#taken - number));
    if (rest.length === 0) return [];
    return [{ number: number + items.length - rest.length, items: rest, position }];
  }

  #damaged(bytes: number): CrawlError {
    const message = `Items that arrived and were not taken may be lost: ${bytes} bytes of the log are damaged.`;
    return new CrawlError("TOPOLOGY_ITEM_LOST", message, { bytes });
  }

  #foreign(): CrawlError {
    return new CrawlError(
      "TOPOLOGY_ITEM_MALFORMED",
      `${this.#unreadable} entries in the log of a connector cannot be read as items of type ` +
        `${this.#type.name}. Run the version that wrote them, or give the connector another id.`,
      { type: this.#type.name, entries: this.#unreadable },
    );
  }
}
