/**
 * Loaded into the processes of a whole test run before anything else: the test runner does not follow each
 * promise. That took a tenth of the processor time, and three quarters where a test makes many.
 *
 * It follows them to tell which test an error belongs to that nobody has caught. The run still fails, but
 * such an error is told of the file; run alone, the file says which test it was.
 */
import hooks, { type HookCallbacks } from "node:async_hooks";

const { createHook } = hooks;
hooks.createHook = (given: HookCallbacks) => {
  const withoutPromises = { ...given, trackPromises: false };
  return createHook(withoutPromises);
};
