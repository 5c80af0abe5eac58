/** What a command is that asks none of the operations, such as `fin data build` and `fin auth login`, and how it runs. */

import type { Example } from '../../ask/command.ts';
import type { ArgumentSpec, GivenOptions, OptionSpec, ParsedArguments } from '../../ask/option-spec.ts';
import type { Connect, ConnectionTarget } from '../../client/connection.ts';
import type { ClientEvent } from '../../client/events.ts';
import { Failure } from '../../contract/failure.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { alternatives, quote } from '../../contract/quote.ts';
import type { GlobalOptions } from '../command-line/global-options.ts';
import type { Io } from '../io.ts';
import type { Ports } from '../ports.ts';
import { printReport, type Report } from '../report.ts';

/** What a utility command is called with. */
export interface UtilityCall {
  readonly args: readonly string[];
  /** By the option's name as declared; absent when not given. */
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly globals: GlobalOptions;
  readonly io: Io;
  readonly ports: Ports;
  readonly connect: Connect;
  /** Where `connect` leads; throws a usage Failure where the settings contradict each other. */
  readonly target: () => ConnectionTarget;
  /** For a command that makes a client of its own: takes its events, for progress and `--stats`. */
  readonly report: (event: ClientEvent) => void;
}

/**
 * `run` prints nothing on stdout itself but by `io.print`, and throws a Failure when it cannot do what
 * was asked. Nothing returned means there is nothing (more) to show.
 */
export interface UtilityCommand {
  /** A paragraph of help beyond its summary, which stands in `command-table.ts`. */
  readonly help?: string;
  readonly args: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  readonly examples: readonly Example[];
  /** It sends no request and reads no profile: options of the service mean nothing to it, and help does not list them. */
  readonly local?: true;
  readonly run: (call: UtilityCall) => Promise<Report | undefined>;
}

/** The text of an option that may be given once; null without it. */
export function optionText({ options }: Pick<UtilityCall, 'options'>, name: string): string | null {
  const given = options[name];
  return typeof given === 'string' ? given : null;
}

interface UtilityContext extends Omit<UtilityCall, 'args' | 'options'> {
  readonly parsed: ParsedArguments;
}

/** The exit code. Throws a usage Failure for an option's value that is not one of its values. */
export async function runUtility(utility: UtilityCommand, { parsed, ...context }: UtilityContext): Promise<number> {
  const options = Object.fromEntries(utility.options.map((spec) => [spec.name, readOption(spec, parsed.options)]));
  const report = await utility.run({ ...context, args: parsed.args, options });
  if (report === undefined) return 0;
  await printReport(report, context.globals, context.io);
  return report.exitCode ?? 0;
}

function readOption({ name, value, values, many }: OptionSpec, given: GivenOptions): UtilityCall['options'][string] {
  const texts = given.get(name);
  if (texts === undefined) return undefined;
  if (value === undefined) return true;
  const unknown = texts.find((text) => values !== undefined && !values.includes(text));
  if (values !== undefined && unknown !== undefined) {
    const suggestion = didYouMean(unknown, values);
    throw new Failure('usage', `--${name} ${quote(unknown)} is not known.${suggestion} Use ${alternatives(values)}.`);
  }
  if (many === true) return texts;
  if (texts.length > 1) throw new Failure('usage', `--${name} was given ${texts.length} times; give it once.`);
  return texts[0];
}

export const JOBS = {
  name: 'jobs',
  value: 'count',
  help: 'Worker threads (default: the number of cores, at most 8)',
} as const;

/** Null without the option. Throws a usage Failure where its value is no number of threads. */
export function readJobs(call: Pick<UtilityCall, 'options'>): number | null {
  const text = optionText(call, 'jobs');
  if (text === null) return null;
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  throw new Failure('usage', `--jobs ${JSON.stringify(text)} is not a whole number from 1 to 99.`);
}
