/**
 * Puts one connector in the place of another while the components at its ends are suspended. A connector
 * in memory hands its items over. One that keeps them in a log ends, and its successor opens the log; if
 * that fails, the old one is opened again. Whatever goes wrong, there is a connector with all items.
 */
import type { Connector, Retire } from "../../connector/index.ts";
import { refused } from "../units/refusal.ts";

export interface Exchange {
  readonly id: string;
  readonly before: Connector<unknown>;
  /** Whether components here take items out of it. */
  readonly isTaken: boolean;
  /** Opens the successor. */
  readonly open: () => Connector<unknown> | Promise<Connector<unknown>>;
  /** Connects the ends to another connector. */
  readonly put: (connector: Connector<unknown>) => void;
  readonly whileSuspended: (change: () => Promise<void>) => Promise<void>;
}

export async function exchangeConnector(exchange: Exchange): Promise<void> {
  const { retire } = exchange.before;
  if (retire === undefined) await exchangeItems(exchange);
  else await exchange.whileSuspended(() => exchangeLog(exchange, retire));
}

async function exchangeItems(exchange: Exchange): Promise<void> {
  const { before, put } = exchange;
  const after = await exchange.open();
  try {
    refuseMisfit(exchange, after);
    await exchange.whileSuspended(async () => {
      carryOver(before, after);
      put(after);
      // One that goes on with the lanes of the old is closed as they are.
      if (before.isClosed && !after.isClosed) after.openInlet().close();
    });
  } catch (thrown) {
    await after.retire?.(false);
    throw thrown;
  }
}

/** Whether it is closed is in the log too. */
async function exchangeLog(exchange: Exchange, retire: Retire<unknown>): Promise<void> {
  const reopen = await retire(true);
  let after: Connector<unknown>;
  try {
    after = await openFitting(exchange);
  } catch (thrown) {
    exchange.put(await reopen());
    throw thrown;
  }
  exchange.put(after);
}

async function openFitting(exchange: Exchange): Promise<Connector<unknown>> {
  const { id, before } = exchange;
  const after = await exchange.open();
  try {
    refuseMisfit(exchange, after);
    if (after.retire === undefined || after.leadsOut !== before.leadsOut) {
      const direction = before.leadsOut === true ? "sends" : "receives";
      throw refused(
        `${id} keeps its items in a log, which only a connector that ${direction} opens`,
      );
    }
    return after;
  } catch (thrown) {
    await after.retire?.(true);
    throw thrown;
  }
}

function refuseMisfit({ id, before, isTaken }: Exchange, after: Connector<unknown>): void {
  if (after.type.name !== before.type.name) {
    throw refused(`${id} carries ${before.type.name}, not ${after.type.name}`);
  }
  if (after.isTee !== before.isTee) {
    throw refused(`${id} and its successor must both be tees, or neither`);
  }
  if (after.leadsOut === true && isTaken) {
    throw refused(
      `components of this process take items out of ${id}, and its successor sends them away`,
    );
  }
}

/** The items stay where they are if the successor cannot take them. */
function carryOver(before: Connector<unknown>, after: Connector<unknown>): void {
  const items = before.handOver();
  try {
    after.takeOver(items);
  } catch (thrown) {
    before.takeOver(items);
    throw thrown;
  }
}
