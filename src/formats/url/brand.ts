/** Strings of different meaning get different types, so that they cannot be confused. */
declare const meaning: unique symbol;

export type Brand<Base, Meaning extends string> = Base & { readonly [meaning]: Meaning };
