/** Where a command's answer, and what is reported beside it, comes out. */
export interface OutputTarget {
  /** Writes the answer to stdout, whole before it returns. */
  print(text: string): void;
  /** Whether output longer than the screen goes to a pager: stdout is a terminal, without --no-pager. */
  readonly pages: boolean;
  /** Shows a whole output, in the pager where it is longer than the screen; the same as `print` without `pages`. */
  page(text: string): Promise<void>;
  /** Writes one line to stderr; adds the newline, and removes control characters and API keys. */
  log(line: string): void;
}

/** The process as commands see it. Only `cli.ts` makes one from the real process. */
export interface Io extends OutputTarget {
  /** A progress line that overwrites itself on a terminal and is not shown elsewhere; null ends it. */
  progress(line: string | null): void;
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  readonly inIsTerminal: boolean;
  /** Columns of the terminal behind stdout, or null. */
  readonly width: number | null;
  /** Whether stdout takes colours. */
  readonly colors: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The stream behind stdin, for what is typed unseen. */
  input(): NodeJS.ReadStream;
  /** Lines of stdin, without their ends. */
  lines(): AsyncIterable<string>;
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
  /** Sets how long the command may go on after a signal, where the usual two seconds would cut off what it has begun. */
  setShutdownTimeout(milliseconds: number): void;
}
