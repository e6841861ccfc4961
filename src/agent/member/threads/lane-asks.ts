/**
 * What passes between the node of an agent and a lane in a thread of its own, as plain values. What the node
 * asks of a lane goes in batches, each that of one turn, so that a lane never acts on a part of what belongs
 * together. What a lane asks or tells goes with its posts. Both keep their order, and what is asked with an id
 * is answered once.
 */
import type { Fingerprint } from "../../../base/fingerprints/index.ts";
import type { WithheldHosts } from "../../../cluster/custody/index.ts";
import type { UrlEntry } from "../../../cluster/delivery/index.ts";
import type { RingCopy } from "../../../cluster/node/index.ts";
import type { Frontier } from "../../../frontier/front/index.ts";
import type { Ticket } from "../../../frontier/ticket/index.ts";
import type { NumberedPage } from "../../../store/index/index.ts";
import type { CarriedError } from "../../lanes/lane-messages.ts";
import type { Entrance } from "../lane/node-side.ts";
import type { LaneStanding } from "../own-lane.ts";

type RobotsCall = Parameters<Frontier["fetchRobots"]>;
/** A robots.txt that another host redirects to, and how the fetch of it ended. */
export type GuestRobots = RobotsCall[0];
export type RobotsEnd = Parameters<RobotsCall[1]>[0];

/** Why a lane names an entry: `given` belongs to the host that is given away with this id. */
export type EntryReason = "found" | "logged" | "foundAgain" | "nearer" | "given";

export type AskOfLane =
  | { readonly ask: "take" | "again"; readonly entry: UrlEntry }
  /** Answered by whether the page is in the store. */
  | { readonly ask: "end"; readonly id: number; readonly entry: UrlEntry }
  | { readonly ask: "adopt"; readonly host: string; readonly record: Uint8Array }
  /** Answered by the hosts that are here and others'. */
  | { readonly ask: "lost"; readonly id: number }
  /** Answered by the record of the host, after its entries. */
  | { readonly ask: "giveAway"; readonly id: number; readonly host: string }
  /** Answered when all that was asked before is carried out. */
  | { readonly ask: "turn"; readonly id: number }
  | { readonly ask: "withhold"; readonly hosts: WithheldHosts }
  | { readonly ask: "admit" | "recheck" }
  | { readonly ask: "nearer"; readonly page: Fingerprint; readonly depth: number }
  | { readonly ask: "ring"; readonly ring: RingCopy }
  /** Answered by how the fetch ended. */
  | { readonly ask: "fetchRobots"; readonly id: number; readonly robots: GuestRobots }
  /** Answered by the bytes of the page. */
  | {
      readonly ask: "print";
      readonly id: number;
      readonly row: NumberedPage;
      readonly from: string;
      readonly withBody: boolean;
    }
  /** Answered by whether the frontier was told of its end. */
  | {
      readonly ask: "takePage";
      readonly id: number;
      readonly entry: UrlEntry;
      readonly bytes: Uint8Array;
      readonly isKnown: boolean;
    }
  | { readonly ask: "tell" | "forget" | "offerNearer"; readonly entry: UrlEntry }
  /** A visit may begin, or has no token. */
  | { readonly ask: "entered"; readonly id: number; readonly mayBegin: boolean }
  /** What the lane has asked. */
  | ({ readonly ask: "answer" } & CarriedAnswer);

export type CarriedAnswer =
  | { readonly id: number; readonly error: null; readonly value: unknown }
  | { readonly id: number; readonly error: CarriedError };

/** What a lane asks of the node, and what it is answered. */
export interface AskedOfNode {
  has: [Fingerprint, boolean];
  find: [Fingerprint, Ticket | null];
  ofHost: [string, readonly Ticket[]];
  rowOf: [Fingerprint, NumberedPage | null];
  robots: [GuestRobots, RobotsEnd];
}

export type ToldByLane =
  /** A visit waits to begin; it is left when it is over, or given up. */
  | ({ readonly what: "enter"; readonly id: number } & Entrance)
  | { readonly what: "leave"; readonly id: number }
  | { readonly what: "ledTo"; readonly url: string }
  | {
      readonly what: "ask";
      readonly id: number;
      readonly kind: keyof AskedOfNode;
      readonly input: unknown;
    }
  | ({ readonly what: "answer" } & CarriedAnswer)
  /** How the lane stands now; everything that it told before has come before. */
  | { readonly what: "standing"; readonly standing: CarriedStanding };

export interface CarriedStanding extends LaneStanding {
  /** Batches of asks that have come. */
  readonly batches: number;
  /** By the other lanes: batches of links sent to them, and taken from them. */
  readonly ways: readonly {
    readonly lane: number;
    readonly sent: number;
    readonly received: number;
  }[];
}
