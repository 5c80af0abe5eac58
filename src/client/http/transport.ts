/** What carries a request and its response, apart from how: the network implements it, and tests may. */
export interface TransportRequest {
  /** The path with its query, below the base URL. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface TransportResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whole and decoded. */
  readonly body: string;
}

export interface Transport {
  /** Throws a `network` Failure where no whole response came, or a ConnectionError where a retry may help. */
  send(request: TransportRequest): Promise<TransportResponse>;
  close(): Promise<void>;
}
