/**
 * Opens what a node has on disk, around the holdings of its agent: outboxes, inbox and claims; and makes
 * custody and the shipper of pages, which work on them. Nothing of it is replayed or resumed here.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import { type Done, withValue } from "../../base/seams/index.ts";
import { type Claims, Custody, type Holdings, openClaims } from "../custody/index.ts";
import {
  frameTransport,
  type Inbox,
  type Outboxes,
  openInbox,
  openOutboxes,
} from "../delivery/index.ts";
import type { View } from "../membership/index.ts";
import { type Messenger, type Place, samePlace } from "../messages/index.ts";
import { PageShipper, type PageStore } from "../pages/index.ts";
import { type ClusterNodeParts, markOf } from "./node-parts.ts";

/** While custody has this many entries in memory, no more are received. */
const HELD_MAX = 10_000;

/** What there is once the node is open. */
export interface OpenNode {
  readonly outboxes: Outboxes;
  readonly holdings: Holdings;
  readonly custody: Custody;
  readonly inbox: Inbox;
  readonly pages: PageStore;
  readonly shipper: PageShipper;
}

/** What the agent has opened. */
type AgentStores = Pick<OpenNode, "holdings" | "pages">;
type Logs = Pick<OpenNode, "outboxes" | "inbox"> & { readonly claims: Claims };

export interface OpenLogsParts {
  readonly node: ClusterNodeParts;
  readonly messenger: Messenger;
  readonly view: View;
  /** A claim names this place. */
  readonly named: (place: Place) => void;
  /** A place that was given up has told what it holds. */
  readonly announced: (place: Place) => void;
  /** Custody has changed something that others may wait for. */
  readonly changed: () => void;
}

export function openLogs(
  parts: OpenLogsParts,
  stores: AgentStores,
  done: (open: OpenNode) => void,
): void {
  const { node, messenger, view } = parts;
  const { clock, random, storage, settings, agent } = node;
  const failed = (error: CrawlError): void => agent.failed(error);
  const report = (error: CrawlError): void => agent.trouble(error);
  const logs = { clock, random, storage, report, fail: failed };
  let open: OpenNode | null = null;
  openOutboxes(
    {
      ...{ ...logs, settings: settings.delivery },
      transportTo: (place) => frameTransport(messenger, place),
      isReachable: (place) => view.isAlive(place),
    },
    withValue(failed, (outboxes) =>
      openInbox(
        {
          ...{ ...logs, segmentBytesMax: settings.delivery.segmentBytesMax },
          isBusy: () => agent.work.isFull || (open?.custody.held ?? 0) >= HELD_MAX,
          arrived: (entries) => open?.custody.arrived(entries),
        },
        markOf(node).inbox,
        withValue(failed, (inbox) =>
          openNodeClaims(
            node,
            withValue(failed, (claims) => {
              open = assemble(parts, stores, { outboxes, inbox, claims });
              done(open);
            }),
          ),
        ),
      ),
    ),
  );
}

function openNodeClaims(node: ClusterNodeParts, done: Done<Claims>): void {
  const { clock, storage, random, background, settings, agent } = node;
  const [report, fail] = [agent.trouble.bind(agent), agent.failed.bind(agent)];
  const { segmentBytesMax } = settings.delivery;
  const { claimsBytes: memoryBytes, keepsDepths } = settings;
  openClaims(
    {
      ...{ clock, storage, random, background, report, fail },
      ...{ segmentBytesMax, memoryBytes, keepsDepths },
    },
    markOf(node).custody?.claims ?? null,
    done,
  );
}

function assemble(
  { node, messenger, view, named, announced, changed }: OpenLogsParts,
  { holdings, pages }: AgentStores,
  { outboxes, inbox, claims }: Logs,
): OpenNode {
  const { clock, settings, agent } = node;
  const failed = (error: CrawlError): void => agent.failed(error);
  const custody = new Custody({
    ...{ clock, outboxes, holdings, claims, failed, messenger, named, announced, changed },
    ...{ self: () => view.self, view: () => view, timeoutMs: settings.askTimeoutMs },
  });
  const shipper = new PageShipper({
    ...{ clock, messenger, store: pages, settings: settings.shipping, failed },
    otherOwnerOf: (host) => custody.otherOwnerOf(host),
    isStaying: (place) => isInRing(view, place),
  });
  return { outboxes, holdings, custody, inbox, pages, shipper };
}

function isInRing(view: View, place: Place): boolean {
  for (const member of view.members()) {
    if (samePlace(member.place, place)) return member.isInRing;
  }
  return false;
}
