/** Progress lines for work that takes longer than a second. */
import type { Io } from './io.ts';

const SHOWN_AFTER_MS = 1000;

export interface WaitLine {
  /** Replaces the line with more exact progress; null restores it. */
  readonly progress: Io['progress'];
  /** Shows `line` after one second, with the elapsed time. */
  readonly start: (line: () => string) => void;
  readonly stop: () => void;
}

/** The only progress line of a command: separate lines for limits and for responses would overwrite each other. */
export function waitLine(io: Pick<Io, 'progress' | 'errIsTerminal'>): WaitLine {
  let timer: NodeJS.Timeout | undefined;
  let isReplaced = false;
  return {
    progress: (text) => {
      isReplaced = text !== null;
      io.progress(text);
    },
    start: (line) => {
      if (!io.errIsTerminal) return;
      const begun = Date.now();
      timer = setInterval(() => {
        if (!isReplaced) io.progress(`${line()} (${Math.round((Date.now() - begun) / 1000)} s)`);
      }, SHOWN_AFTER_MS).unref();
    },
    stop: () => {
      if (timer === undefined) return;
      clearInterval(timer);
      io.progress(null);
    },
  };
}

/** Minimum share done; below it the remaining time would be a guess. */
const ESTIMATED_FROM = 0.05;

/** Returns `120 of 190 companies, 63 %, about 12 s left`, the progress of a phase that began at `begun` (epoch ms). */
export function progressText(done: number, total: number, noun: string, begun: number, now = Date.now()): string {
  const counted = `${done} of ${total} ${noun}`;
  if (total === 0) return counted;
  const share = done / total;
  const percent = `${Math.floor(share * 100)} %`;
  if (share < ESTIMATED_FROM || share >= 1) return `${counted}, ${percent}`;
  const leftSeconds = Math.ceil(((now - begun) * (1 - share)) / share / 1000);
  const left = leftSeconds < 90 ? `${leftSeconds} s` : `${Math.ceil(leftSeconds / 60)} min`;
  return `${counted}, ${percent}, about ${left} left`;
}
