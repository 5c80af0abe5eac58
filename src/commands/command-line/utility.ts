/**
 * The type of utility commands, and how they run. A utility command is any command that is not a question, such as `fin
 * data build`.
 */

import type { Examples } from '../../ask/command/command.ts';
import type { ArgumentSpec, OptionSpec } from '../../ask/command/option-spec.ts';
import type { Connect, ConnectionTarget } from '../../client/connection.ts';
import type { ClientEvent } from '../../client/request/events.ts';
import { failUsage } from '../../contract/failure.ts';
import type { Block } from '../../result/blocks.ts';
import type { FlatRows } from '../../result/rows.ts';
import type { GlobalOptionValues } from './global-options.ts';
import type { Io } from './io.ts';

/** The output of a utility command or of `--plan`. */
export interface Report {
  /** The document printed by `--json`; plain JSON values. */
  readonly json: unknown;
  readonly rows: FlatRows;
  readonly view: readonly Block[];
  /** The exit code, if a command shows its report but ends with a code other than 0. */
  readonly exitCode?: number;
}

/** Arguments of a utility command's `run`. */
export interface UtilityCall {
  readonly args: readonly string[];
  /**
   * Option values by name: text, texts of a repeatable option, or true for a flag; absent if the option was not given.
   */
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly globals: GlobalOptionValues;
  readonly io: Io;
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
  readonly args?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  readonly examples: Examples;
  /** True if the command sends no requests and reads no profile; completion then omits the service's options. */
  readonly local?: true;
  readonly run: (call: UtilityCall) => Promise<Report | undefined>;
}

/** Returns the value of an option that may be given once; null if it was not given. */
export function findOptionText({ options }: Pick<UtilityCall, 'options'>, option: string): string | null {
  const value = options[option];
  return typeof value === 'string' ? value : null;
}

/** Argument that names a release of this machine. */
export const STAMP_ARGUMENT = {
  name: 'stamp',
  help: 'Stamp of the release, or the first characters of the stamp (default: the release in use)',
  optional: true,
} as const;

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
  failUsage(`--jobs ${JSON.stringify(text)} is not a whole number from 1 to 99.`);
}
