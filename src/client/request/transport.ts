/** The interface by which the client sends requests: `network.ts` and tests implement it. */

interface TransportRequest {
  /** Path and query, below the base URL. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface TransportResponse {
  readonly status: number;
  /** Header values by lowercase name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The complete body, decoded. */
  readonly body: string;
}

export interface Transport {
  /**
   * Sends a request. If no complete response arrives: throws a ConnectionError if a retry may succeed, otherwise a
   * `network` Failure.
   */
  send(request: TransportRequest): Promise<TransportResponse>;
  close(): Promise<void>;
}
