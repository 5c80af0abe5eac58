/** The next iteration of the event loop: what arrived together is handled together. */

let pending: Promise<void> | null = null;

/** Resolves once all input of this iteration has been read; one promise for all callers. */
export function nextIteration(): Promise<void> {
  pending ??= new Promise((resolve) => {
    setImmediate(() => {
      pending = null;
      resolve();
    });
  });
  return pending;
}
