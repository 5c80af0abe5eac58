/**
 * Commands that do not ask an operation, such as `fin data build` and `fin auth login`: their definition, and how
 * they run.
 */

import type { Example } from '../../ask/command.ts';
import type { ArgumentSpec, GivenOptions, OptionSpec, ParsedArguments } from '../../ask/option-spec.ts';
import type { Connect, ConnectionTarget } from '../../client/connection.ts';
import type { ClientEvent } from '../../client/events.ts';
import { Failure } from '../../contract/failure.ts';
import { didYouMean } from '../../contract/text/nearest.ts';
import { alternatives, quote } from '../../contract/text/quote.ts';
import type { GlobalOptions } from '../command-line/global-options.ts';
import type { Io } from '../io.ts';
import type { Ports } from '../ports.ts';
import { printReport, type Report } from '../report.ts';

/** The arguments of a utility command. */
export interface UtilityCall {
  readonly args: readonly string[];
  /** By the option's declared name; absent if not given. */
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly globals: GlobalOptions;
  readonly io: Io;
  readonly ports: Ports;
  readonly connect: Connect;
  /** Returns the destination of `connect`; throws a usage Failure for contradictory settings. */
  readonly target: () => ConnectionTarget;
  /** Receives events of a command's own client, for progress and `--stats`. */
  readonly report: (event: ClientEvent) => void;
}

/**
 * `run` prints on stdout only with `io.print`, and throws a Failure if it cannot do its work. Returning undefined
 * means that there is no (further) report.
 */
export interface UtilityCommand {
  /** A paragraph of help in addition to the summary in `command-table.ts`. */
  readonly help?: string;
  readonly args: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  readonly examples: readonly Example[];
  /**
   * The command sends no requests and reads no profile, so that options of the service have no effect and are not in
   * its help.
   */
  readonly local?: true;
  readonly run: (call: UtilityCall) => Promise<Report | undefined>;
}

/** Returns the value of an option that may be given once; null without it. */
export function optionText({ options }: Pick<UtilityCall, 'options'>, name: string): string | null {
  const givenValue = options[name];
  return typeof givenValue === 'string' ? givenValue : null;
}

interface UtilityContext extends Omit<UtilityCall, 'args' | 'options'> {
  readonly parsed: ParsedArguments;
}

/** Returns the exit code. Throws a usage Failure for an invalid option value. */
export async function runUtility(utility: UtilityCommand, { parsed, ...context }: UtilityContext): Promise<number> {
  const options = Object.fromEntries(utility.options.map((spec) => [spec.name, readOption(spec, parsed.options)]));
  const report = await utility.run({ ...context, args: parsed.args, options });
  if (report === undefined) return 0;
  await printReport(report, context.globals, context.io);
  return report.exitCode ?? 0;
}

function readOption(
  { name, value, values, many }: OptionSpec,
  givenOptions: GivenOptions,
): UtilityCall['options'][string] {
  const texts = givenOptions.get(name);
  if (texts === undefined) return undefined;
  if (value === undefined) return true;
  const unknownText = texts.find((text) => values !== undefined && !values.includes(text));
  if (values !== undefined && unknownText !== undefined) {
    const suggestion = didYouMean(unknownText, values);
    throw new Failure(
      'usage',
      `Unknown value ${quote(unknownText)} for --${name}.${suggestion} Use ${alternatives(values)}.`,
    );
  }
  if (many === true) return texts;
  if (texts.length > 1) throw new Failure('usage', `--${name} was given ${texts.length} times; give it once.`);
  return texts[0];
}

export const JOBS = {
  name: 'jobs',
  value: 'count',
  help: 'Number of worker threads (default: the number of cores, at most 8)',
} as const;

/** Null without the option. Throws a usage Failure if its value is not a valid number of threads. */
export function readJobs(call: Pick<UtilityCall, 'options'>): number | null {
  const text = optionText(call, 'jobs');
  if (text === null) return null;
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  throw new Failure('usage', `--jobs ${JSON.stringify(text)} is not a whole number from 1 to 99.`);
}
