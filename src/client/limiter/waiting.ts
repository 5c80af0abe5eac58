/** Waiting within one process: a place in the row, a sleep that an abort ends, a word about it. */
import type { ClientEvent } from '../events.ts';

export interface Word {
  say(event: ClientEvent): void;
  /** Whether there was anything to wait for. */
  said(): boolean;
}

/** Says each kind of wait once, when it has lasted. */
export function onceAfter(ms: number, report: (event: ClientEvent) => void): Word {
  const first = Date.now();
  const told = new Set<string>();
  let waited = false;
  return {
    say(event) {
      waited = true;
      const kind = event.type === 'waiting' ? event.for : event.type;
      if (Date.now() - first < ms || told.has(kind)) return;
      told.add(kind);
      report(event);
    },
    said: () => waited,
  };
}

/** Lets so many in at a time, in the order they came. */
export function localQueue(size: () => number) {
  const waiting: (() => void)[] = [];
  let inside = 0;
  return {
    enter(signal: AbortSignal | null): Promise<void> {
      if (inside < size()) {
        inside++;
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        const abort = () => {
          waiting.splice(waiting.indexOf(go), 1);
          reject(signal?.reason);
        };
        const go = () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        };
        waiting.push(go);
        signal?.addEventListener('abort', abort, { once: true });
      });
    },
    /** The place goes to the next in the row, so that nobody slips in between. */
    leave(): void {
      const next = waiting.shift();
      if (next === undefined) inside--;
      else next();
    },
  };
}
