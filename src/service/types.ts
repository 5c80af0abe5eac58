/** The shapes that pass between a request as it came in, the service, and its handlers. */
import type { ParameterValues } from '../contract/question/question.ts';
import type { Meta } from '../contract/resources/envelope.ts';
import type { ReleaseReader } from '../release/store/reader.ts';

/** A request, whatever carried it. `target` is path and query as on the wire; header names are in lower case. */
export interface ServiceRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Aborted when the answer is no longer wanted. Looked at only where there is something to stop. */
  readonly signal?: AbortSignal;
}

/** An answer, ready to be carried: header names in lower case. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body in parts that follow one another, text or its UTF-8; none for a 304. */
  readonly body: readonly (string | Buffer)[];
}

export interface Service {
  /**
   * Never rejects: whatever goes wrong becomes a problem.
   * @param requestId the id of the answer, where it has been settled already
   */
  respond(request: ServiceRequest, requestId?: string): Promise<ServiceResponse>;
}

/** What a handler is given: checked parameters with their defaults, and the release to read. */
export interface HandlerRequest {
  readonly release: ReleaseReader;
  readonly parameters: ParameterValues;
  /** Aborted when the answer is no longer wanted; a long handler looks at it. */
  readonly signal: AbortSignal;
}

/** What a handler returns: `data`, and what it adds to the echoes of `meta`, or corrects in them. */
export interface HandlerResult {
  readonly data: unknown;
  readonly meta?: Partial<Meta>;
}

export type Handler = (asked: HandlerRequest) => Promise<HandlerResult>;
