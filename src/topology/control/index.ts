/**
 * Control: everything that can be seen and changed of a running topology, as data. A request is an
 * object with the name of an operation, an answer says what came of it; both can be written as JSON, so
 * an HTTP interface only has to carry them. Nothing that is asked for stops the topology, however wrong
 * it is: a request that cannot be carried out is answered with a code and a message, which lists all
 * mistakes at once.
 *
 * Read `request.ts` for the operations, then `control.ts`.
 */
export { type Answer, Control, type Controlled } from "./control.ts";
