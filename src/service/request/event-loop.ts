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

/** Maximum duration of a turn, after which the event loop processes other events. */
const MAX_TURN_MS = 1;

const waitingResolvers: (() => void)[] = [];
let turnStartMs = Date.now();

/**
 * Lets long computations take turns of about MAX_TURN_MS. Returns undefined while the current turn lasts; otherwise a
 * promise for the caller's next turn. Each iteration of the event loop starts one turn, so that sockets are read
 * between turns.
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
