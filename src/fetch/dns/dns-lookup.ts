/**
 * The seam below the resolver: one question to name servers, about one name and one family of
 * addresses. It hides the network. It must not cache: keeping answers, joining and limiting questions
 * is done by the resolver, which is tested in simulated time.
 *
 * Contract: `answered` is called at most once, never inside the call, and may be late: the resolver
 * has its own deadline. `close` drops the questions under way.
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
  /** There was no answer in time; asking again may help. */
  | { readonly kind: "timed-out" };

export interface AddressRecord {
  readonly address: string;
  readonly ttlSeconds: number;
}
