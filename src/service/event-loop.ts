/** Iterations of the event loop: what arrived together is handled together, and long answers take turns. */

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

/** Milliseconds of work after which the loop's other work comes first. */
const TURN_MS = 1;

const waiting: (() => void)[] = [];
let begun = Date.now();

/**
 * Resolves now where this iteration began just now; otherwise in a later one, of which each lets one caller go on. So
 * however many long answers are under way, between two pieces of them the loop reads its sockets.
 */
export function takeTurn(): Promise<void> | undefined {
  if (waiting.length === 0 && Date.now() - begun <= TURN_MS) return undefined;
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(giveTurn);
  });
}

function giveTurn(): void {
  begun = Date.now();
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(giveTurn);
}
