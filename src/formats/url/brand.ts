/** Strings of different meaning get different types, so that one cannot be passed for another. */
declare const meaning: unique symbol;

export type Brand<Base, Meaning extends string> = Base & { readonly [meaning]: Meaning };
