/** Units such as users write, for tests: they keep what they saw for the test to look at. */
import { type ComponentDefinition, filter } from "../../topology/unit/index.ts";
import { processor } from "../units/processor.ts";
import { Visit } from "./roles.ts";

export const SEEN: string[] = [];

/** Sees every page, and takes a second for each. */
export const slow: ComponentDefinition = processor({
  name: "slow",
  text: true,
  create: (unit) => async (page) => {
    await new Promise<void>((resolve) => void unit.clock.after(1000, resolve));
    const body = await page.body();
    SEEN.push(`${page.url} ${page.status} ${page.parsed?.text.trim()} ${body?.length}`);
  },
});

/** Fails on some pages, beside the line. */
export const failing: ComponentDefinition = processor({
  name: "failing",
  create: () => (page) => {
    if (page.url.endsWith("/x")) throw new Error("planted beside the line");
    SEEN.push(page.url);
  },
});

/** Fails on some pages, in the line. */
export const broken: ComponentDefinition = filter({
  name: "broken",
  input: Visit,
  output: Visit,
  create: () => (visit, emit) => {
    if (visit.errand.ticket.url.endsWith("/x")) throw new Error("planted in the line");
    emit(visit);
  },
});
