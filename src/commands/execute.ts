/** Runs a parsed command. Help does not load this module. */

import type { GivenOptions, OptionSpec, ParsedArguments } from '../ask/command/option-spec.ts';
import type { Connect, Connection, ConnectionTarget } from '../client/connection.ts';
import { findConnectionTarget, openConnection } from '../client/connection.ts';
import type { ClientEvent } from '../client/request/events.ts';
import type { Ports } from '../client/request/ports.ts';
import { failUsage } from '../contract/failure.ts';
import { describeMissingTexts } from '../contract/text/missing-text.ts';
import type { LoadedCommand } from './command-line/command-table.ts';
import type { GlobalOptionValues } from './command-line/global-options.ts';
import { makeInvalidValueFailure, readGlobalOptions } from './command-line/global-options.ts';
import type { Io } from './command-line/io.ts';
import type { UtilityCall, UtilityCommand } from './command-line/utility.ts';
import { printReport } from './output/presentation.ts';
import { createProgressLine } from './output/progress.ts';
import { runQuestion } from './run-question.ts';

/** Runs the command and returns its exit code. Throws the command's Failure. */
export async function executeCommand(command: LoadedCommand, parsed: ParsedArguments, io: Io, ports: Ports) {
  const globals = readGlobalOptions(selectGlobalOptions(command, parsed), io.env);
  // Finds the target on first use, because commands without requests must run even if the settings are unreadable.
  let target: ConnectionTarget | undefined;
  const getTarget = () => {
    target ??= findConnectionTarget(globals, io);
    return target;
  };
  const stats = globals.stats ? (await import('./stats.ts')).startStats() : null;
  const waitLine = createProgressLine(io);
  const report = createEventReporter(globals, { ...io, progress: waitLine.progress });
  const onEvent = (event: ClientEvent) => {
    stats?.count(event);
    report(event);
  };
  const open: Connect = async (log) => openConnection({ target: getTarget(), globals, io, ports, onEvent }, log);
  const { connect, close } = createSharedConnection(open);
  try {
    if (command.kind === 'utility')
      return await runUtility(command.utility, { parsed, globals, io, connect, target: getTarget, report: onEvent });
    const call = { command: command.definition, target: getTarget(), parsed, globals };
    return await runQuestion({ ...call, io, waitLine, connect, stats });
  } finally {
    await close();
    if (stats !== null) io.log(await stats.formatLine(getTarget));
  }
}

/** Returns the parsed global options, without options that the command itself declares under the same name. */
const selectGlobalOptions = ({ options: ownSpecs }: LoadedCommand, { options }: ParsedArguments): GivenOptions =>
  new Map([...options].filter(([name]) => !ownSpecs.some((option) => option.name === name)));

/**
 * Opens one connection for the whole command, and closes it at the end, because open sockets would keep the process
 * alive.
 */
function createSharedConnection(open: Connect): { readonly connect: Connect; readonly close: () => Promise<void> } {
  let opening: Promise<Connection> | undefined;
  return {
    connect: (log) => {
      // Forgets a failed connection, so that a long-running command can connect later, for example after a key was
      // created.
      opening ??= open(log).catch((error) => {
        opening = undefined;
        throw error;
      });
      return opening;
    },
    close: async () => {
      const connection = await opening?.catch(() => undefined);
      await connection?.client.close();
    },
  };
}

/** Shortest wait, in milliseconds, that is logged if stderr is not a terminal. */
const MIN_REPORTED_WAIT_MS = 1000;

/**
 * Reports the client's events. Notices and warnings are log lines, as are all events with --verbose. Other events
 * change a progress line; without a terminal, only the first long wait is logged.
 */
function createEventReporter({ verbose, quiet }: GlobalOptionValues, io: Io): (event: ClientEvent) => void {
  let hasLogged = false;
  const showWait = createProgressReporter(io);
  return (event) => {
    if (event.type === 'notice') {
      if (!quiet) io.log(event.text);
    } else if (event.type === 'incomplete') io.log(`Warning: ${describeEvent(event)}`);
    else if (verbose) io.log(describeEvent(event));
    else if (!quiet && io.errIsTerminal) showWait(event);
    else if (!quiet && !hasLogged && isLongWait(event)) {
      // Without a terminal, a line cannot be overwritten, so only the first long wait is logged.
      hasLogged = true;
      io.log(describeEvent(event));
    }
  };
}

function isLongWait(event: ClientEvent): boolean {
  if (event.type === 'retrying') return event.ms >= MIN_REPORTED_WAIT_MS;
  return event.type === 'waiting' && (event.until === null || event.until - Date.now() >= MIN_REPORTED_WAIT_MS);
}

/** Shows the current wait, with a countdown if its end is known. */
function createProgressReporter(io: Io): (event: ClientEvent) => void {
  let timer: NodeJS.Timeout | undefined;
  return (event) => {
    clearInterval(timer);
    const [line, untilTime] = describeWait(event);
    const showWait = () => {
      const seconds = untilTime === null ? 0 : Math.ceil((untilTime - Date.now()) / 1000);
      io.progress(line === null || seconds <= 0 ? line : `${line} (${seconds} s)`);
    };
    showWait();
    if (untilTime !== null) timer = setInterval(showWait, 1000).unref();
  };
}

function describeWait(event: ClientEvent): readonly [line: string | null, until: number | null] {
  if (event.type === 'retrying') return [`${event.why} Trying again.`, Date.now() + event.ms];
  return event.type === 'waiting' ? [WAIT_TEXTS[event.for], event.until] : [null, null];
}

const WAIT_TEXTS = {
  slot: "Waiting for one of the account's requests to finish.",
  minute: 'Waiting for the next minute: the requests of this minute are used up.',
  pause: 'Waiting: the service requested a pause.',
};

const REUSE_TEXTS = { release: 'same release', 'max-age': 'allowed by --max-age', offline: 'because of --offline' };

function describeEvent(event: ClientEvent): string {
  if (event.type === 'request') {
    const idText = event.requestId === null ? '' : `, request id ${event.requestId}`;
    return `GET ${event.url} ${event.status ?? 'failed'} in ${event.ms} ms${idText}`;
  }
  if (event.type === 'cached')
    return `GET ${event.url} answered from the cache (${formatSeconds(event.age)} old, ${REUSE_TEXTS[event.why]})`;
  if (event.type === 'retrying')
    return `${event.why} Trying again in ${formatSeconds(event.ms)} (retry ${event.attempt}).`;
  if (event.type === 'waiting') return WAIT_TEXTS[event.for];
  if (event.type === 'waited') return `Waited ${formatSeconds(event.ms)}.`;
  if (event.type === 'incomplete') return describeMissingTexts(event.missing);
  if (event.type === 'notice') return event.text;
  return `Remaining requests: ${event.remainders.map(({ name, remaining }) => `${name} ${remaining}`).join(', ')}`;
}

const formatSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

type UtilityContext = Omit<UtilityCall, 'args' | 'options'> & { readonly parsed: ParsedArguments };

/**
 * Runs a utility command, prints its report, and returns the exit code. Throws a usage Failure for an invalid option value.
 */
async function runUtility(utility: UtilityCommand, { parsed, ...context }: UtilityContext): Promise<number> {
  const specs = utility.options ?? [];
  const options = Object.fromEntries(specs.map((spec) => [spec.name, readOption(spec, parsed.options)]));
  const report = await utility.run({ ...context, args: parsed.args, options });
  if (report === undefined) return 0;
  await printReport(report, context.globals, context.io);
  return report.exitCode ?? 0;
}

function readOption({ name, value, values, many }: OptionSpec, options: GivenOptions): UtilityCall['options'][string] {
  const texts = options.get(name);
  if (texts === undefined) return undefined;
  if (value === undefined) return true;
  const unknownText = texts.find((text) => values?.includes(text) === false);
  if (unknownText !== undefined) throw makeInvalidValueFailure(`--${name}`, unknownText, values ?? []);
  if (many === true) return texts;
  if (texts.length > 1) failUsage(`--${name} was given ${texts.length} times; give it once.`);
  return texts[0];
}
