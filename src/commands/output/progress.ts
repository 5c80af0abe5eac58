/** Progress lines for work that takes longer than a second. */
import type { Io } from '../command-line/io.ts';

const PROGRESS_DELAY_MS = 1000;

export type ProgressLine = ReturnType<typeof createProgressLine>;

/**
 * Creates the one progress line of a command; separate lines for waits and for responses would overwrite each other.
 */
export function createProgressLine(io: Pick<Io, 'progress' | 'errIsTerminal'>) {
  let timer: NodeJS.Timeout | undefined;
  let isExact = false;
  return {
    /** Shows a text in place of the line of `start`; null shows the line of `start` again. */
    progress: (text: string | null) => {
      isExact = text !== null;
      io.progress(text);
    },
    /** Shows the text that `format` returns, with the elapsed time, from one second after the call. */
    start: (format: () => string) => {
      if (!io.errIsTerminal) return;
      const beginMs = Date.now();
      timer = setInterval(() => {
        if (!isExact) io.progress(`${format()} (${Math.round((Date.now() - beginMs) / 1000)} s)`);
      }, PROGRESS_DELAY_MS).unref();
    },
    stop: () => {
      if (timer === undefined) return;
      clearInterval(timer);
      io.progress(null);
    },
  };
}

/** Minimum fraction of the work that must be done before the remaining time is estimated. */
const MIN_FRACTION_FOR_ESTIMATE = 0.05;

/**
 * Returns the progress of a phase, such as `120 of 190 companies, 63 %, about 12 s left`. Times are epoch milliseconds.
 */
export function formatProgress(done: number, total: number, noun: string, beginTime: number): string {
  const countText = `${done} of ${total} ${noun}`;
  if (total === 0) return countText;
  const fraction = done / total;
  const percent = `${Math.floor(fraction * 100)} %`;
  if (fraction < MIN_FRACTION_FOR_ESTIMATE || fraction >= 1) return `${countText}, ${percent}`;
  const seconds = Math.ceil(((Date.now() - beginTime) * (1 - fraction)) / fraction / 1000);
  const time = seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return `${countText}, ${percent}, about ${time} left`;
}
