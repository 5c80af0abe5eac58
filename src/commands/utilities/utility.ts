/**
 * The type of utility commands, and how they run. A utility command is any command that is not a question, such as `fin
 * data build`.
 */

import type { Example } from '../../ask/command.ts';
import type { ArgumentSpec, GivenOptions, OptionSpec, ParsedArguments } from '../../ask/option-spec.ts';
import type { Connect, ConnectionTarget } from '../../client/connection.ts';
import type { ClientEvent } from '../../client/events.ts';
import { Failure } from '../../contract/failure.ts';
import { didYouMean } from '../../contract/text/nearest.ts';
import { formatAlternatives, quote } from '../../contract/text/quote.ts';
import type { GlobalOptionValues } from '../command-line/global-options.ts';
import type { Io } from '../io.ts';
import type { Ports } from '../ports.ts';
import { printReport, type Report } from '../report.ts';

/** Arguments of a utility command's `run`. */
export interface UtilityCall {
  readonly args: readonly string[];
  /**
   * Option values by name: text, texts of a repeatable option, or true for a flag; absent if the option was not given.
   */
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly globals: GlobalOptionValues;
  readonly io: Io;
  readonly ports: Ports;
  readonly connect: Connect;
  /** Returns the target that `connect` uses. Throws a usage Failure for contradictory settings. */
  readonly target: () => ConnectionTarget;
  /** Receives events of a client that the command created itself, for progress and `--stats`. */
  readonly report: (event: ClientEvent) => void;
}

/**
 * A utility command. `run` throws a Failure if the command fails, and returns undefined if there is no report to print.
 * Output to stdout must use `io.print`.
 */
export interface UtilityCommand {
  /** Text that help shows after the command's options. */
  readonly help?: string;
  readonly args: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  readonly examples: readonly Example[];
  /** True if the command sends no requests and reads no profile; help then omits the service's options. */
  readonly local?: true;
  readonly run: (call: UtilityCall) => Promise<Report | undefined>;
}

/** Returns the value of an option that may be given once; null if it was not given. */
export function findOptionText({ options }: Pick<UtilityCall, 'options'>, optionName: string): string | null {
  const givenValue = options[optionName];
  return typeof givenValue === 'string' ? givenValue : null;
}

interface UtilityContext extends Omit<UtilityCall, 'args' | 'options'> {
  readonly parsed: ParsedArguments;
}

/**
 * Runs the command, prints its report, and returns the exit code. Throws a usage Failure for an invalid option value.
 */
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
      `Unknown value ${quote(unknownText)} for --${name}.${suggestion} Use ${formatAlternatives(values)}.`,
    );
  }
  if (many === true) return texts;
  if (texts.length > 1) throw new Failure('usage', `--${name} was given ${texts.length} times; give it once.`);
  return texts[0];
}

export const JOBS_OPTION = {
  name: 'jobs',
  value: 'count',
  help: 'Number of worker threads (default: the number of cores, at most 8)',
} as const;

/**
 * Returns the value of --jobs; null if the option was not given. Throws a usage Failure for an invalid number of
 * threads.
 */
export function readJobCount(call: Pick<UtilityCall, 'options'>): number | null {
  const text = findOptionText(call, 'jobs');
  if (text === null) return null;
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  throw new Failure('usage', `--jobs ${JSON.stringify(text)} is not a whole number from 1 to 99.`);
}
