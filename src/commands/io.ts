/** The destination of a command's answer and of its reports. */
export interface OutputTarget {
  /** Writes to stdout; returns when everything is written. */
  print(text: string): void;
  /** Whether output longer than the screen goes to a pager: stdout is a terminal, and --no-pager is not set. */
  readonly pages: boolean;
  /** Shows a complete output, in a pager if it is longer than the screen; without `pages`, the same as `print`. */
  page(text: string): Promise<void>;
  /** Writes one line to stderr; adds the newline, and removes control characters and API keys. */
  log(line: string): void;
}

/** The process from the view of commands. Only `cli.ts` makes one from the real process. */
export interface Io extends OutputTarget {
  /** Shows a progress line that overwrites itself on a terminal, and is not shown elsewhere; null removes it. */
  progress(line: string | null): void;
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  readonly inIsTerminal: boolean;
  /** Columns of the terminal at stdout; null without one. */
  readonly width: number | null;
  /** Whether stdout supports colours. */
  readonly colors: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Returns the stdin stream, for hidden input. */
  input(): NodeJS.ReadStream;
  /** Yields lines of stdin, without line ends. */
  lines(): AsyncIterable<string>;
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
  /**
   * Sets how long the command may continue after a signal, if the usual two seconds are not enough to finish its
   * work.
   */
  setShutdownTimeout(milliseconds: number): void;
}
