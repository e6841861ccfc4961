/** URLs that a lane does not take up, for the log at the desk, which says how many of them it wants. */
import type { Ledger } from "../../topology/roles.ts";
import type { DeskLink } from "../desk-link.ts";

export class LaneRefusals implements NonNullable<Ledger["refusals"]> {
  readonly #desk: Pick<DeskLink, "post">;

  constructor(desk: Pick<DeskLink, "post">) {
    this.#desk = desk;
  }

  note(reason: string, url: string, via: string | null, rule?: () => string | null): void {
    this.#desk.post({ kind: "refusal", reason, url, via, rule: rule?.() ?? null });
  }

  dropped(reason: Parameters<NonNullable<Ledger["refusals"]>["dropped"]>[0], count: number): void {
    this.#desk.post({ kind: "dropped", reason, count });
  }
}
