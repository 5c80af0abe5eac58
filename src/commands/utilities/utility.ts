/** What a command is that asks none of the operations, such as `fin data build` and `fin auth login`. */
import type { ClientEvent } from '../../client/events.ts';
import type { Example } from '../command.ts';
import type { GlobalOptions } from '../command-line/global-options.ts';
import type { ArgumentSpec, OptionSpec } from '../command-line/option-spec.ts';
import type { Connect } from '../connection.ts';
import type { Io } from '../io.ts';
import type { Ports } from '../ports.ts';
import type { Report } from '../report.ts';

/** What a utility command is called with. */
export interface UtilityCall {
  readonly args: readonly string[];
  /** By the option's name as declared; absent when not given. */
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly globals: GlobalOptions;
  readonly io: Io;
  readonly ports: Ports;
  readonly connect: Connect;
  /** For a command that makes a client of its own: takes its events, for progress and `--stats`. */
  readonly report: (event: ClientEvent) => void;
}

/**
 * `run` prints nothing on stdout itself but by `io.out`, and throws a Failure when it cannot do what
 * was asked. Nothing returned means there is nothing (more) to show.
 */
export interface UtilityCommand {
  /** The words after `fin`: `serve`, `data build`. */
  readonly name: string;
  readonly summary: string;
  readonly help?: string;
  readonly args: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  readonly examples: readonly Example[];
  readonly run: (call: UtilityCall) => Promise<Report | undefined>;
}

/** The text of an option that may be given once; null without it. */
export function optionText({ options }: Pick<UtilityCall, 'options'>, name: string): string | null {
  const given = options[name];
  return typeof given === 'string' ? given : null;
}
