/**
 * Lets work wait for iterations of the event loop, so that requests that arrived together are handled together, and
 * long computations take turns.
 */

let pendingIteration: Promise<void> | null = null;

/** Resolves once the event loop has read all input of this iteration. Callers in one iteration share one promise. */
export function waitForNextIteration(): Promise<void> {
  pendingIteration ??= new Promise((resolve) => {
    setImmediate(() => {
      pendingIteration = null;
      resolve();
    });
  });
  return pendingIteration;
}

/** Maximum duration of a turn, after which the event loop processes other events. */
const MAX_TURN_MS = 1;

const waitingResolvers: (() => void)[] = [];
let turnStartMs = Date.now();

/**
 * Returns undefined if the current turn is at most MAX_TURN_MS old; otherwise a promise for the caller's next turn.
 * Each iteration of the event loop gives one caller a turn, so that sockets are read between the steps of long
 * computations. A caller within its turn does not wait, because waiting takes as long as a short step.
 */
export function waitForTurn(): Promise<void> | undefined {
  if (Date.now() - turnStartMs <= MAX_TURN_MS) return undefined;
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
