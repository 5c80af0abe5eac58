/**
 * Coordinates work with iterations of the event loop: requests that arrived together are handled together, and long
 * answers take turns.
 */

let pendingIteration: Promise<void> | null = null;

/** Resolves once all input of this iteration has been read; one promise for all callers. */
export function waitForNextIteration(): Promise<void> {
  pendingIteration ??= new Promise((resolve) => {
    setImmediate(() => {
      pendingIteration = null;
      resolve();
    });
  });
  return pendingIteration;
}

/** Milliseconds of work after which other work of the event loop runs. */
const MAX_TURN_MS = 1;

const waitingResolvers: (() => void)[] = [];
let turnStartMs = Date.now();

/**
 * Returns undefined if this iteration began less than a millisecond ago; otherwise a promise for a later iteration,
 * each of which resumes one caller. So the event loop reads its sockets between steps of long answers, however many
 * there are.
 */
export function waitForTurn(): Promise<void> | undefined {
  if (waitingResolvers.length === 0 && Date.now() - turnStartMs <= MAX_TURN_MS) return undefined;
  return new Promise((resolve) => {
    waitingResolvers.push(resolve);
    if (waitingResolvers.length === 1) setImmediate(startNextTurn);
  });
}

function startNextTurn(): void {
  turnStartMs = Date.now();
  waitingResolvers.shift()?.();
  if (waitingResolvers.length > 0) setImmediate(startNextTurn);
}
