/** Answers the interface over HTTP. */
export interface ServerPort {
  /** Throws a usage Failure for an invalid setting or address, a data Failure for a damaged release. */
  startServer(settings: ServerSettings): Promise<RunningServer>;
}

export interface ServerSettings {
  readonly dataDirectory: string;
  readonly stateDirectory: string;
  readonly host: string;
  readonly port: number;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  /** The address by which clients reach this service, if it is not its own. */
  readonly publicUrl: string | null;
  /** A stamp, `latest`, or null for the release that `fin data use` chose. */
  readonly release: string | null;
  /** Null: keys are not required, and requests are not counted. */
  readonly authentication: { readonly limitsFile: string | null; readonly redis: URL | null } | null;
  /** Whether to answer assistants at /mcp. */
  readonly mcp: boolean;
  /** Receives a line of the access log; null for no log. */
  readonly accessLog: ((line: string) => void) | null;
  readonly onRelease: (stamp: string, isSample: boolean) => void;
  /** `subject`: what the error concerns, such as `request 01J…`. */
  readonly onError: (error: unknown, subject: string) => void;
}

export interface RunningServer {
  readonly baseUrl: string;
  readonly hasRelease: boolean;
  /** Whether a key has ever been created. */
  readonly hasKeys: boolean;
  /** Maximum duration of `stop` in milliseconds, in which running requests are completed. */
  readonly stopsWithin: number;
  stop(): Promise<void>;
}
