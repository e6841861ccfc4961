/**
 * The ground floor: nothing here knows about the web.
 *
 * - `errors`: one error class and one table of codes. `text`, `units`: text that is safe to show;
 *   sizes and durations as people write them.
 * - `seams`: the seven interfaces through which everything else sees the world. Their real
 *   implementations are `time`, `random`, `storage`, `database`, `background` and `transport`; the
 *   fetcher's is in the room `fetch`.
 * - `log`: the one append log, framed, checksummed, cut at the first torn frame.
 * - `runs`: sorted files of fingerprints on disk, merged in the background.
 * - `zlib`: compression in both directions, step by step. `kernels`: loops over bytes that are
 *   compiled to WebAssembly.
 * - `bytes`: memory that grows with what is put into it.
 * - `hash`: SipHash and what is made of it. `fingerprints`: tables in memory with fingerprints as
 *   keys. `shares`: who goes first when slots are short.
 *
 * Start with `seams/index.ts`: code that takes these interfaces as arguments also runs under the
 * simulator.
 */
export {};
