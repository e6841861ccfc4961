/** Stands wherever a request is shown or archived in the place of a secret that was sent. */
export const REMOVED = "[removed]";
