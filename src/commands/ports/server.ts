/** Serves the HTTP API. */
export interface ServerStarter {
  /**
   * Starts the server. Throws a usage Failure for an invalid setting or address, a data Failure if the chosen release
   * is missing or damaged.
   */
  startServer(settings: ServerSettings): Promise<RunningServer>;
}

export interface ServerSettings {
  readonly dataDirectory: string;
  readonly stateDirectory: string;
  readonly host: string;
  readonly port: number;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  /** Base URL that clients use, if it differs from the listening address (for example behind a proxy). */
  readonly publicUrl: string | null;
  /** A release stamp; `latest` for the newest release; null for the release chosen by `fin data use`. */
  readonly release: string | null;
  /** Settings of authentication. If null, no key is required, and requests are not counted. */
  readonly authentication: { readonly limitsFile: string | null; readonly redis: URL | null } | null;
  /** Whether to answer assistants at /mcp. */
  readonly mcp: boolean;
  /** Receives each line of the access log; null disables the log. */
  readonly accessLog: ((line: string) => void) | null;
  readonly onRelease: (stamp: string, isSample: boolean) => void;
  /**
   * Receives unexpected errors; `subject` names what failed: a request, such as `request 01J…`, or another part of the
   * server, such as `counters`.
   */
  readonly onError: (error: unknown, subject: string) => void;
}

export interface RunningServer {
  readonly baseUrl: string;
  readonly hasRelease: boolean;
  /** Whether any API key was ever created. */
  readonly hasKeys: boolean;
  /** Maximum duration of `stop` in milliseconds, during which running requests are completed. */
  readonly maxStopMs: number;
  stop(): Promise<void>;
}
