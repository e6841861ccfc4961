/**
 * Puts arbitrary entries into the outboxes of an agent that is down, among those that are there: some to be
 * sent, to whomever, and some that were acknowledged. The latter name only what the place knows that has
 * acknowledged them, unless that is a disk that is gone (I3).
 */
import { CrawlError } from "../../base/errors/index.ts";
import { type Acknowledge, type Random, whenDone, withValue } from "../../base/seams/index.ts";
import { inTurn } from "../../base/steps/index.ts";
import {
  OUTBOXES,
  openOutboxes,
  openRetainedLog,
  packBlock,
  placeFolder,
  type RetainedLogParts,
  type UrlEntry,
  writeEntries,
} from "../../cluster/delivery/index.ts";
import type { Place } from "../../cluster/messages/index.ts";
import type { Kernel } from "../simulator/index.ts";
import { DELIVERY } from "./sim-agent.ts";
import type { SimMachine } from "./sim-machine.ts";

/** What the outbox of one place gets. */
export interface DrawnOutbox {
  readonly place: Place;
  readonly pending: readonly UrlEntry[];
  readonly retained: readonly UrlEntry[];
}

export interface ScrambleOutboxesParts {
  readonly kernel: Kernel;
  readonly random: Random;
  readonly failed: (error: Error) => void;
}

export function fillOutboxes(
  { disk }: SimMachine,
  drawn: readonly DrawnOutbox[],
  { kernel, random, failed }: ScrambleOutboxesParts,
): void {
  const { clock } = kernel;
  const storage = disk.mount(clock);
  const logs = { storage, clock, random, report: failed };
  const nobody = { request: () => undefined };
  const send = (): void =>
    openOutboxes(
      {
        ...{ ...logs, settings: DELIVERY, fail: failed },
        ...{ transportTo: () => nobody, isReachable: () => false },
      },
      withValue(failed, (outboxes) => {
        for (const { place, pending } of drawn) {
          for (const entry of pending) outboxes.append(place, entry);
        }
        outboxes.whenDurable(() => outboxes.close(whenDone(failed, () => undefined)));
      }),
    );
  inTurn(drawn, (outbox, next) => retain(logs, outbox, next), whenDone(failed, send));
}

function retain(
  logs: Pick<RetainedLogParts, "storage" | "random" | "report">,
  { place, retained }: DrawnOutbox,
  done: Acknowledge,
): void {
  const damaged = (bytes: number): CrawlError =>
    new CrawlError("OUTBOX_DAMAGED", "What was retained is damaged.", { bytes });
  openRetainedLog(
    {
      ...{ ...logs, damaged, segmentBytesMax: DELIVERY.segmentBytesMax },
      folder: placeFolder(OUTBOXES, place),
    },
    withValue(done, (log) => {
      if (retained.length > 0) log.keep(packBlock(retained.length, writeEntries(retained)));
      log.commit(whenDone(done, () => log.close(done)));
    }),
  );
}
