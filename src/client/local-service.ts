import type { LocalService } from './local-client.ts';

/** The in-process service for the base URL `local:`. */
export interface LocalServicePort {
  /**
   * Throws a data Failure if no release may be used.
   * @param dataDirectory null if there is no home directory: then only the built-in sample can answer
   * @param isSampleAllowed false if a service or a profile is configured: its absence must not be hidden
   */
  openLocal(dataDirectory: string | null, isSampleAllowed: boolean): OpenedService;
}

export interface OpenedService {
  readonly service: LocalService;
  readonly stamp: string;
  /** Whether it is still the release that would be opened now. */
  readonly isCurrent: () => boolean;
  /** The content of the built-in sample if it answers; otherwise null. The screener has some of its companies. */
  readonly sample: { readonly companies: number; readonly screened: number; readonly date: string } | null;
}
