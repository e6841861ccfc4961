/** A process whose topologies never end; prints how they are ended all the same. */
import { fileURLToPath } from "node:url";
import { isCrawlError } from "../../base/errors/index.ts";
import { itemType } from "../items/index.ts";
import { general, sink, source } from "../unit/index.ts";
import { runTopology, tryUnit } from "./index.ts";

const Item = itemType<number>("test/item");

const one = source({
  ...{ name: "one", output: Item },
  create: (unit) => ({
    pull(_countMax, emit) {
      emit(1);
      unit.finish();
      return false;
    },
  }),
});

const holding = general({
  ...{ name: "holding", inputs: { input: Item }, outputs: { output: Item } },
  create: (unit) => ({ take: { input: () => unit.hold() } }),
});

const passing = general({
  ...{ name: "passing", inputs: { input: Item, back: Item }, outputs: { output: Item } },
  create: (unit) => ({ take: { input: unit.emit.output, back: () => undefined } }),
});

const ending = sink({
  ...{ name: "ending", input: Item },
  create: () => ({ take: () => undefined, close: () => void process.stdout.write("closed\n") }),
});

export const STALL_PROGRAM: string = fileURLToPath(import.meta.url);

const units = [one, holding, passing, ending];

async function tell(running: Promise<unknown>): Promise<void> {
  try {
    await running;
  } catch (thrown) {
    if (!isCrawlError(thrown)) throw thrown;
    process.stdout.write(`${thrown.code} ${thrown.facts["units"]}\n`);
  }
}

if (process.argv[1] === STALL_PROGRAM) {
  const [held = "", circle = ""] = process.argv.slice(2);
  await tell(runTopology(held, { units }));
  await tell(runTopology(circle, { units }));
  await tell(tryUnit(holding, { inputs: { input: [1] } }));
  await runTopology(held, { units });
}
