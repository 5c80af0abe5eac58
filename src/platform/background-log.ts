/**
 * Writes lines to a descriptor without ever waiting for its reader: a reader that is too slow loses lines, and a notice
 * counts them. Loaded only by servers, whose answers must not wait for a reader of the log.
 */
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { readErrorCode } from './files/system-error.ts';

/** Maximum number of bytes that wait for the reader; while more bytes wait, further lines are lost. */
const MAX_WAITING_BYTES = 1_000_000;

/** Maximum time to wait for the reader at the end of the process. */
const MAX_FLUSH_MS = 500;

export type BackgroundLog = ReturnType<typeof openBackgroundLog>;

type LogStream = NodeJS.WriteStream & { readonly fd: number };

/** Accepts text, which waits until the reader takes it; calls `onReady` when no text waits any more. */
interface Sink {
  countWaiting(): number;
  write(text: string): void;
}

/**
 * @param stream stderr of the process: Node.js permits only one stream for the descriptor
 * @param describeLoss returns the notice that the given number of lines were lost
 */
export function openBackgroundLog(stream: LogStream, describeLoss: (lines: number) => string) {
  let lostCount = 0;
  const sink = openSink(stream, reportLoss);

  function reportLoss(): void {
    if (lostCount === 0 || sink.countWaiting() > MAX_WAITING_BYTES / 2) return;
    const text = describeLoss(lostCount);
    lostCount = 0;
    sink.write(text);
  }

  return {
    write(text: string) {
      if (sink.countWaiting() > MAX_WAITING_BYTES) {
        lostCount += 1;
        return;
      }
      reportLoss();
      sink.write(text);
    },
    /** Resolves when all waiting text is written, or after half a second. */
    async flush() {
      const end = Date.now() + MAX_FLUSH_MS;
      while (sink.countWaiting() > 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 10));
    },
  };
}

function openSink(stream: LogStream, onReady: () => void): Sink {
  const { fd } = stream;
  const stat = fstatSync(fd);
  if (stat.isFIFO() || stat.isSocket()) return openStreamSink(stream, onReady);
  // A terminal stops taking text after Ctrl-S.
  const terminal = isatty(fd) ? openTerminal(fd) : null;
  return terminal === null ? openFileSink(fd) : openTerminalSink(terminal, onReady);
}

function openStreamSink(stream: LogStream, onReady: () => void): Sink {
  // Ignored: without a reader, lines are lost.
  stream.on('error', () => {});
  stream.on('drain', onReady);
  return { countWaiting: () => stream.writableLength, write: (text) => void (stream.writable && stream.write(text)) };
}

/** Writes to the file synchronously; lines that do not fit on the disk are lost. */
const openFileSink = (fd: number): Sink => ({
  countWaiting: () => 0,
  write(text) {
    try {
      writeSync(fd, text);
    } catch {}
  },
});

/** Opens the terminal again, so that O_NONBLOCK applies only to the new descriptor; null if it cannot be opened. */
function openTerminal(fd: number): number | null {
  const { O_WRONLY, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;
  try {
    const terminal = openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
    if (isatty(terminal)) return terminal;
    closeSync(terminal);
  } catch {}
  return null;
}

/** Interval in milliseconds at which a stopped terminal is tried again. */
const TERMINAL_POLL_MS = 100;

function openTerminalSink(fd: number, onReady: () => void): Sink {
  let waiting = Buffer.alloc(0);
  let timer: NodeJS.Timeout | undefined;
  const writeWaiting = () => {
    timer = undefined;
    try {
      while (waiting.length > 0) waiting = waiting.subarray(writeSync(fd, waiting));
      onReady();
    } catch (error) {
      if (readErrorCode(error) === 'EAGAIN') timer = setTimeout(writeWaiting, TERMINAL_POLL_MS).unref();
      else waiting = Buffer.alloc(0);
    }
  };
  return {
    countWaiting: () => waiting.length,
    write(text) {
      waiting = Buffer.concat([waiting, Buffer.from(text)]);
      if (timer === undefined) writeWaiting();
    },
  };
}
