/**
 * The seam below the resolver: one question about one name and one family of addresses, put to
 * name servers. What it hides is the network; what it must not do is remember, since keeping,
 * joining and bounding questions is the resolver's work, which is tested in simulated time.
 *
 * Contract: `answered` is called once, never inside the call, and may be late or missing: the
 * resolver has a deadline of its own. `close` drops what is being asked.
 */
export interface AddressLookup {
  ask(name: string, family: AddressFamily, answered: (answer: LookupAnswer) => void): void;
  close(): void;
}

export type AddressFamily = 4 | 6;

export type LookupAnswer =
  /** Every record of the answer, in any order, at least one. */
  | { readonly kind: "found"; readonly records: readonly AddressRecord[] }
  /** The servers say that there is no such name, or that it has no address of this family. */
  | { readonly kind: "not-found" }
  /** A server failed, refused, could not be reached or sent nonsense. */
  | { readonly kind: "failed"; readonly reason: string }
  /** Nobody answered for a while; asking again may help. */
  | { readonly kind: "timed-out" };

export interface AddressRecord {
  readonly address: string;
  readonly ttlSeconds: number;
}
