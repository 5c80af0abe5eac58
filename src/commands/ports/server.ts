/** Answers the interface over HTTP. */
export interface ServerPort {
  /** Throws a usage Failure for a setting or an address that cannot be used, a data Failure for a damaged release. */
  startServer(settings: ServerSettings): Promise<RunningServer>;
}

export interface ServerSettings {
  readonly dataDirectory: string;
  readonly stateDirectory: string;
  readonly host: string;
  readonly port: number;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  /** What clients call this service, where that is not its own address. */
  readonly publicUrl: string | null;
  /** A stamp, `latest`, or null for the release that `fin data use` chose. */
  readonly release: string | null;
  /** Null: no key is required, and nothing is counted. */
  readonly authentication: { readonly limitsFile: string | null; readonly redis: URL | null } | null;
  /** Whether assistants are answered, too, at /mcp. */
  readonly mcp: boolean;
  /** Takes a line of the access log; null: none is written. */
  readonly accessLog: ((line: string) => void) | null;
  readonly onRelease: (stamp: string, isSample: boolean) => void;
  /** `subject`: what it happened to, such as `request 01J…`. */
  readonly onError: (error: unknown, subject: string) => void;
}

export interface RunningServer {
  readonly baseUrl: string;
  readonly hasRelease: boolean;
  /** Whether any key was ever made. */
  readonly hasKeys: boolean;
  /** How long `stop` may take, in milliseconds: requests under way are finished. */
  readonly stopsWithin: number;
  stop(): Promise<void>;
}
