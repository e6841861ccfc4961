/** Replaces secrets that were sent wherever a request is shown or archived. */
export const REMOVED = "[removed]";
