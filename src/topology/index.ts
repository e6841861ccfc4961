/**
 * The room of topologies: components, connectors and providers, wired by a declaration. It knows
 * nothing of crawling.
 *
 * - `items`: what connectors carry, with types that exist at run time
 * - `connector`: bounded queues between units
 * - `unit`: components and providers, as their authors declare them
 * - `runtime`: runs a wiring of units, and changes it while it runs
 * - `description`: topologies as files, read and checked as a whole
 * - `threads`: what joins the threads of a topology that runs on several
 * - `remote`: connectors between processes
 * - `launch`: runs such a file in this process
 * - `control`: requests to a running topology, and answers, as data
 * - `drawing`: the graph of a topology as text, JSON, Graphviz, Mermaid and SVG
 *
 * Read `unit/kinds.ts` first: it is what an author of units uses. The crawler is
 * built from it: `src/agent/topology`.
 */
export type {} from "./items/index.ts";
