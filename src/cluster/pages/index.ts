/**
 * Pages that move between agents. In normal running none does: a page stays where it was fetched, and when
 * its host changes hands its new owner only learns who has it. Pages move when an agent leaves (L1), and,
 * with `store.migrate`, after their hosts have moved.
 *
 * `PageShipper` goes through the store of the sender, `PageIntake` writes into that of the receiver; both see
 * a store through the interface `PageStore`. A page that arrived counts as if it had been fetched here: its
 * line, its links and that it is known are one thing (D2). Then custody learns of it (`Custody.stored`): if
 * its host is another's by now, that is told; if several places have it, its owner decides which copy is
 * shown (C1). The sender's copy stays on its disk.
 *
 * Read `page-store.ts`, then `page-shipper.ts`; docs/protocol.md has the rules (L1, C1, D2).
 */
export { PageIntake } from "./page-intake.ts";
export { PageShipper, type ShippingSettings } from "./page-shipper.ts";
export type {
  IsWanted,
  PagePiece,
  PageStore,
  PageWriter,
  PieceOf,
  StoredPage,
} from "./page-store.ts";
