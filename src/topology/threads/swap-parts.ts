/**
 * Swaps a connector that is on other threads: each thread swaps its part while the others go on. When all
 * have, producers may fill the whole of the new one. If a thread refuses, those before it swap back.
 */
import type { ConnectorWiring } from "../runtime/index.ts";

/** What a connector is on one thread. */
export interface ConnectorPart {
  swap(wiring: ConnectorWiring): Promise<void>;
  /** Lets producers there use the whole capacity: all parts are of one connector again. */
  widen(): Promise<void>;
}

export async function swapParts(
  parts: readonly ConnectorPart[],
  { before, after }: Readonly<Record<"before" | "after", ConnectorWiring>>,
): Promise<void> {
  const swapped: ConnectorPart[] = [];
  try {
    for (const part of parts) {
      await part.swap(after);
      swapped.push(part);
    }
  } catch (thrown) {
    // If one cannot swap back, all keep the smaller of both capacities, and no item is lost.
    for (const part of swapped) await part.swap(before);
    for (const part of parts) await part.widen();
    throw thrown;
  }
  for (const part of parts) await part.widen();
}
