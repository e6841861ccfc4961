/** The frontier of an agent among others: what leads to hosts of others goes there, and work is counted. */
import type { Errand, Frontier } from "../../../frontier/front/index.ts";
import type { Ticket } from "../../../frontier/ticket/index.ts";
import { RoutedFrontier, type Routing } from "../../lanes/router/routed-frontier.ts";

export class MemberFrontier extends RoutedFrontier {
  /** Grows with every URL that is offered and every errand that is begun. */
  changes = 0;

  constructor(own: Frontier, routing: Routing) {
    super(own, routing);
  }

  override offer(ticket: Ticket): void {
    this.changes += 1;
    super.offer(ticket);
  }

  override acquire(wantsVisits?: boolean): Errand | null {
    const errand = super.acquire(wantsVisits);
    if (errand !== null) this.changes += 1;
    return errand;
  }
}
