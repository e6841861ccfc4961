/** Both sides of a remote connector of numbers, over whatever transport and on whatever disks. */
import type { CrawlError } from "../../../src/base/errors/index.ts";
import type { Clock, Done, Random, Storage } from "../../../src/base/seams/index.ts";
import type { Transport } from "../../../src/base/transport/index.ts";
import { codec, type ItemType, itemType } from "../../../src/topology/items/index.ts";
import {
  openReceivingConnector,
  openSendingConnector,
  type ReceivingConnector,
  type SendingConnector,
  Switchboard,
} from "../../../src/topology/remote/index.ts";

export const Count: ItemType<number> = itemType("test/count", codec.count);

export interface Side {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly random: Random;
  readonly transport: Transport;
  /** For the receiver; made unless given. */
  readonly switchboard?: Switchboard;
  /** Throws unless given. */
  readonly report?: (error: CrawlError) => void;
  /** Throws unless given. */
  readonly fail?: (error: CrawlError) => void;
}

/** The module, or a copy of it with a bug. */
export interface RemoteDoor {
  readonly openSendingConnector: typeof openSendingConnector;
  readonly openReceivingConnector: typeof openReceivingConnector;
  readonly Switchboard: typeof Switchboard;
}

export const REMOTE: RemoteDoor = { openSendingConnector, openReceivingConnector, Switchboard };

type Options<Open extends (...given: never[]) => void> = Partial<Parameters<Open>[1]>;

export function openSender(
  side: Side,
  to: string,
  options: Options<typeof openSendingConnector>,
  done: Done<SendingConnector<number>>,
  door: RemoteDoor = REMOTE,
): void {
  const settings = {
    ...{ id: "numbers", to, capacity: 64, batchItems: 8, batchBytes: 4096, lingerMs: 2 },
    ...{ spillBytes: 1024 * 1024, timeoutMs: 400, segmentBytesMax: 600, ...options },
  };
  door.openSendingConnector(Count, settings, placeOf(side), done);
}

export function openReceiver(
  side: Side,
  options: Options<typeof openReceivingConnector>,
  done: Done<ReceivingConnector<number>>,
  door: RemoteDoor = REMOTE,
): void {
  const place = placeOf(side);
  const { switchboard = new door.Switchboard(side.transport, place.report) } = side;
  const settings = {
    ...{ id: "numbers", capacity: 64, senders: 1, markAfterMs: 1000, segmentBytesMax: 600 },
    ...options,
  };
  door.openReceivingConnector(Count, settings, { ...place, switchboard }, done);
}

function placeOf({ report = raise, fail = raise, ...side }: Side) {
  return { ...side, report, fail };
}

function raise(error: CrawlError): never {
  throw error;
}
