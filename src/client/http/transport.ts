/** Transports a request and its response; implemented by the network, and by tests. */
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
  /** Complete and decoded. */
  readonly body: string;
}

export interface Transport {
  /** Throws a `network` Failure if there is no complete response, or a ConnectionError if a retry may help. */
  send(request: TransportRequest): Promise<TransportResponse>;
  close(): Promise<void>;
}
