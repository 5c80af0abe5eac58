import type { LocalService } from './local-client.ts';

/** This program as its own service, for the base URL `local:`. */
export interface LocalServicePort {
  /**
   * Throws a data Failure when there is no release that may answer.
   * @param dataDirectory null when no home directory is known: then only the built-in sample can answer
   * @param sampleAllowed false when a service or a profile is configured: its absence must not go unnoticed
   */
  openLocal(dataDirectory: string | null, sampleAllowed: boolean): OpenedService;
}

export interface OpenedService {
  readonly service: LocalService;
  readonly stamp: string;
  /** Whether it is still the release that would be opened now. */
  readonly isCurrent: () => boolean;
  /** What the built-in sample includes, where that is what answers; else null. The screener has some of the companies. */
  readonly sample: { readonly companies: number; readonly screened: number; readonly date: string } | null;
}
