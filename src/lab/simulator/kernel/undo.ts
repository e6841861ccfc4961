/** Ends what it was returned for; harmless when called again. */
export type Undo = () => void;

/** An undo that acts at its first call only. */
export function once(act: () => void): Undo {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}
