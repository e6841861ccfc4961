/**
 * What the user asks for: every rule of a crawl as data, read with all mistakes at once.
 *
 * - `settings`: keys with types, ranges and meanings; knows no key itself.
 * - `config`: the schema of every key of a crawl, and where values come from: files, environment,
 *   flags.
 * - `filter`: the boolean language of filters, its atoms, and atoms of a user's own.
 * - `score`: what orders a crawl by priority: back-links, cash, topic words, a user's module.
 *
 * Start with `config/index.ts`.
 */
export {};
