/** Commands beside the nineteen: `fin data build`, `fin serve`, `fin auth login` and their like. */
import type { ClientEvent } from '../../client/events.ts';
import type { Block } from '../../output/blocks.ts';
import type { Rows } from '../../output/rows.ts';
import type { Example } from '../command.ts';
import type { GlobalOptions } from '../command-line/global-options.ts';
import type { ArgumentSpec, OptionSpec } from '../command-line/option-spec.ts';
import type { Connect } from '../connection/connection.ts';
import type { Io } from '../io.ts';
import type { Ports } from '../ports.ts';

/** What a utility command is called with. */
export interface UtilityCall {
  readonly args: readonly string[];
  /** By the option's name as declared; absent when not given. */
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly globals: GlobalOptions;
  readonly io: Io;
  readonly ports: Ports;
  readonly connect: Connect;
  /** For a command that makes a client of its own: tells what goes on, and counts what it costs. */
  readonly report: (event: ClientEvent) => void;
}

/** What a utility command answers: printed by the shared machinery in the format asked for. */
export interface Report {
  /** The document for `--json`, of plain JSON values. */
  readonly json: unknown;
  readonly rows: Rows;
  readonly view: readonly Block[];
  /** The exit code, where it is not 0 although the command has something to show. */
  readonly exitCode?: number;
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
