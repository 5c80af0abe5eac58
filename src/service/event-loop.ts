/**
 * Coordinates work with iterations of the event loop: requests that arrived together are handled together, and long
 * answers take turns.
 */

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

/** Milliseconds of work after which other work of the event loop runs. */
const TURN_MS = 1;

const waiting: (() => void)[] = [];
let begun = Date.now();

/**
 * Returns undefined if this iteration began less than a millisecond ago; otherwise a promise for a later iteration,
 * each of which resumes one caller. So the event loop reads its sockets between steps of long answers, however many
 * there are.
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
