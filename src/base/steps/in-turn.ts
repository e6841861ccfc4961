/**
 * The same step for many items, one after the other, through callbacks: the core has no promises. Steps
 * may answer at once or later, and any number of them need no stack.
 */
import { type Acknowledge, type Done, whenDone, withValue } from "../seams/index.ts";

/** Takes one step for each item; the first error ends it. */
export function inTurn<Item>(
  items: Iterable<Item>,
  step: (item: Item, done: Acknowledge) => void,
  done: Acknowledge,
): void {
  const rest = items[Symbol.iterator]();
  const goOn = (): void => {
    for (;;) {
      const next = rest.next();
      if (next.done === true) {
        done(null);
        return;
      }
      let isReturned = false;
      let isAnswered = false;
      step(
        next.value,
        whenDone(done, () => {
          isAnswered = true;
          if (isReturned) goOn();
        }),
      );
      isReturned = true;
      if (!isAnswered) return;
    }
  };
  goOn();
}

/** As `inTurn`, for steps that answer with values: all of them, in the order of the items. */
export function valuesInTurn<Item, Value>(
  items: Iterable<Item>,
  step: (item: Item, done: Done<Value>) => void,
  done: Done<readonly Value[]>,
): void {
  const values: Value[] = [];
  const take = (item: Item, taken: Acknowledge): void =>
    step(
      item,
      withValue(taken, (value) => {
        values.push(value);
        taken(null);
      }),
    );
  inTurn(
    items,
    take,
    whenDone(done, () => done(null, values)),
  );
}
