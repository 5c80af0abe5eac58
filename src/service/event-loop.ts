/** Turns of the event loop: what came in together is taken together. */

let current: Promise<void> | null = null;

/** Resolves once all that came in in this turn is in; one promise for all who wait for it. */
export function nextIteration(): Promise<void> {
  current ??= new Promise((resolve) => {
    setImmediate(() => {
      current = null;
      resolve();
    });
  });
  return current;
}
