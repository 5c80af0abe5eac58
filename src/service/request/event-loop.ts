/**
 * `waitForNextIteration` lets requests that arrived together be handled together; `waitForTurn` lets long computations
 * take turns.
 */

let nextIterationPromise: Promise<void> | null = null;

/** Resolves once the event loop has read all input of this iteration. Callers in one iteration share one promise. */
export function waitForNextIteration(): Promise<void> {
  nextIterationPromise ??= new Promise((resolve) => {
    setImmediate(() => {
      nextIterationPromise = null;
      resolve();
    });
  });
  return nextIterationPromise;
}

/** Minimum and maximum duration of a turn, after which the event loop processes other events. */
const MIN_TURN_MS = 1;
const MAX_TURN_MS = 20;

const waitingResolvers: (() => void)[] = [];
let turnMs = MIN_TURN_MS;
let turnStartMs = Date.now();
let turnEndMs = turnStartMs;

/**
 * Lets long computations take turns. Returns undefined while the current turn lasts; otherwise a promise for the caller's
 * next turn. Each iteration of the event loop starts one turn, so that sockets are read between turns. A turn is about as
 * long as the other events between two turns took, so that a busy server still completes its long computations.
 */
export function waitForTurn(): Promise<void> | undefined {
  const now = Date.now();
  if (now - turnStartMs <= turnMs) return undefined;
  return new Promise((resolve) => {
    waitingResolvers.push(resolve);
    turnEndMs = now;
    if (waitingResolvers.length === 1) setImmediate(startNextTurn);
  });
}

function startNextTurn(): void {
  turnStartMs = Date.now();
  turnMs = Math.min(MAX_TURN_MS, Math.max(MIN_TURN_MS, turnStartMs - turnEndMs));
  waitingResolvers.shift()?.();
  if (waitingResolvers.length > 0) setImmediate(startNextTurn);
}
