/**
 * Background work: what would block a lane for too long runs on another thread, and its result
 * comes back as an event. The contract is `Background` in `seams`, its suite
 * `lab/conformance/background-suite.ts`; why tasks are named rather than passed: `docs/adr/0008`.
 *
 * A task is an exported constant that says where it can be found: the URL of its module and its
 * name there. `ThreadBackground` keeps a queue. It sends the first order (module, name, input) to
 * the thread, whose program is `task-thread.ts`: that imports the module, runs the task with a
 * `DiskStorage` on the given folder, and posts the output, or the error as plain values, back. Then
 * the next order is sent. Large buffers are moved rather than copied where the task names them.
 *
 * The thread is started when first needed, and again if it died; a task that kills it fails, and
 * the others are not affected. An idle thread does not keep the process alive.
 *
 * Read `thread-background.ts` first. The functions on errors are shared with the simulated
 * background. A task that is to run here:
 *
 *     export const mergeRuns: Task<MergeInput, MergeOutput> = {
 *       module: import.meta.url,
 *       name: "mergeRuns",
 *       run(input, world, done) { … },
 *     };
 */
export { asTaskError, carry, closedError, failedError, rebuild } from "./task-message.ts";
export { ThreadBackground, type ThreadBackgroundOptions } from "./thread-background.ts";
