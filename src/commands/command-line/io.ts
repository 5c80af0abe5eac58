/** Destination of a command's answer and messages. */
export interface OutputTarget {
  /** Writes text to stdout. */
  print(text: string): void;
  /** Whether output longer than the screen goes to a pager: stdout is a terminal, and --no-pager is not set. */
  readonly usesPager: boolean;
  /** Shows a complete output, in a pager if it is longer than the screen; if `usesPager` is false, same as `print`. */
  page(text: string): Promise<void>;
  /** Writes one line to stderr. Appends the newline, and removes control characters and API keys. */
  log(line: string): void;
}

/** The process as commands see it. Only `cli.ts` creates an Io for the real process. */
export interface Io extends OutputTarget {
  /** Shows a progress line that overwrites itself; null removes it. Without a terminal, shows nothing. */
  progress(line: string | null): void;
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  readonly inIsTerminal: boolean;
  /** Width of the stdout terminal in columns; null without a terminal. */
  readonly width: number | null;
  /** Whether stdout supports colours. */
  readonly colors: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Returns the stdin stream, from which hidden input is read. */
  input(): NodeJS.ReadStream;
  /** Yields the lines of stdin without line endings. */
  lines(): AsyncIterable<string>;
  /** Makes `log` never wait for a reader of stderr: a reader that is too slow loses lines, which a notice counts. */
  startBackgroundLog(): Promise<void>;
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
  /**
   * Sets how long the command may run after a signal, if it needs more than the usual two seconds to finish its work.
   */
  setShutdownTimeout(milliseconds: number): void;
}
