/** Reports what the client does on its way to a response: progress on a terminal, lines with --verbose. */
import type { ClientEvent } from '../../client/events.ts';
import type { GlobalOptions } from '../command-line/global-options.ts';
import type { Io } from '../io.ts';

/** Milliseconds; a shorter wait is not worth a line. */
const REPORTED_WAIT = 1000;

export function eventReporter({ verbose, quiet }: GlobalOptions, io: Io): (event: ClientEvent) => void {
  let reported = false;
  const showProgress = progressReporter(io);
  return (event) => {
    if (event.type === 'notice') {
      if (!quiet) io.log(event.text);
    } else if (verbose) {
      const line = describe(event);
      if (line !== null) io.log(line);
    } else if (!quiet && io.errIsTerminal) {
      showProgress(event);
    } else if (!quiet && !reported && isLong(event)) {
      // Without a terminal no line can be overwritten, so only the first wait is reported.
      reported = true;
      const line = describe(event);
      if (line !== null) io.log(line);
    }
  };
}

function isLong(event: ClientEvent): boolean {
  if (event.type === 'retrying') return event.ms >= REPORTED_WAIT;
  return event.type === 'waiting' && (event.until === null || event.until - Date.now() >= REPORTED_WAIT);
}

/** Shows what is waited for, and counts down to its end where that is known. */
function progressReporter(io: Io): (event: ClientEvent) => void {
  let timer: NodeJS.Timeout | undefined;
  return (event) => {
    clearInterval(timer);
    const [line, until] = waitOf(event);
    const show = () => {
      const left = until === null ? 0 : Math.ceil((until - Date.now()) / 1000);
      io.progress(line === null || left <= 0 ? line : `${line} (${left} s)`);
    };
    show();
    if (until !== null) timer = setInterval(show, 1000).unref();
  };
}

function waitOf(event: ClientEvent): readonly [line: string | null, until: number | null] {
  if (event.type === 'retrying') return [`${event.why} Trying again.`, Date.now() + event.ms];
  return event.type === 'waiting' ? [WAITS[event.for], event.until] : [null, null];
}

const WAITS = {
  slot: "Waiting for one of the account's requests to finish.",
  minute: "Waiting for the next minute: this one's requests are spent.",
  pause: 'Waiting: the service asked for a pause.',
};

function describe(event: ClientEvent): string | null {
  switch (event.type) {
    case 'request':
      return `GET ${event.url} ${event.status ?? 'failed'} in ${event.ms} ms${event.requestId === null ? '' : `, request id ${event.requestId}`}`;
    case 'cached':
      return `GET ${event.url} answered from the cache (${event.why}, ${seconds(event.age)} old)`;
    case 'retrying':
      return `${event.why} Trying again in ${seconds(event.ms)} (${event.attempt}).`;
    case 'waiting':
      return WAITS[event.for];
    case 'waited':
      return `Waited ${seconds(event.ms)}.`;
    case 'remaining':
      return `Remaining: ${event.remainders.map(({ name, remaining }) => `${name} ${remaining}`).join(', ')}`;
    case 'notice':
      return event.text;
  }
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
