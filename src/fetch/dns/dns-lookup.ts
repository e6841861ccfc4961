/**
 * The seam below the resolver: one question to name servers, about one name and one family of
 * addresses, or about the name for which it stands. It hides the network. It must not cache: keeping answers, joining and limiting questions
 * is done by the resolver, which is tested in simulated time.
 *
 * Contract: `answered` is called at most once, never inside the call, and may be late: the resolver
 * has its own deadline. `close` drops the questions under way.
 */
export interface AddressLookup {
  ask(name: string, family: AddressFamily, answered: (answer: LookupAnswer) => void): void;
  /** Asks for the next name of a chain of aliases. */
  askAlias(name: string, answered: (answer: AliasAnswer) => void): void;
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

export type AliasAnswer =
  /** The name is an alias of this one, which may be an alias too. */
  | { readonly kind: "alias"; readonly of: string }
  /** The servers say that it is no alias, or that there is no such name. */
  | { readonly kind: "none" }
  /** There was no useful answer; asking again may help. */
  | { readonly kind: "unknown" };

export interface AddressRecord {
  readonly address: string;
  readonly ttlSeconds: number;
}
