import type { Problem } from '../../contract/problems.ts';
import type { Question } from '../../contract/question.ts';
import type { Meta } from '../../contract/resources/envelope.ts';

/** The in-process service, which receives questions and returns answers as values. */
export interface LocalService {
  ask(question: Question, signal: AbortSignal | null): Promise<LocalAnswer>;
  /** Requests a path with its query, as in an HTTP request line. */
  askPath(path: string, signal: AbortSignal | null): Promise<LocalAnswer>;
  close(): Promise<void>;
}

export type LocalAnswer = { readonly data: unknown; readonly meta: Meta } | { readonly problem: Problem };

/** Opens the in-process service for the base URL `local:`. */
export interface LocalServicePort {
  /**
   * Opens the service. Throws a data Failure if no release may be used.
   * @param dataDirectory null if no home directory exists, so that only the built-in sample can answer
   * @param isSampleAllowed false if a service or a profile is configured, because the sample must not hide a missing
   * release
   */
  openLocalService(dataDirectory: string | null, isSampleAllowed: boolean): OpenedService;
}

export interface OpenedService {
  readonly service: LocalService;
  readonly stamp: string;
  /** Returns whether opening the service now would open the same release. */
  readonly isCurrent: () => boolean;
  /**
   * Size and date of the built-in sample if the sample answers; otherwise null. `screened`: number of the sample's
   * companies that are in the screener.
   */
  readonly sample: { readonly companies: number; readonly screened: number; readonly date: string } | null;
}
