/**
 * What commands need of the service half, as interfaces: commands import nothing of it. `src/wiring` implements each
 * port in a file of its own, and `cli.ts` hands them over; a port is loaded when a command first uses it.
 */
import type { LocalService } from '../client/local-client.ts';

export interface Ports {
  readonly localService: () => Promise<LocalServicePort>;
  readonly tickers: () => Promise<TickersPort>;
}

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
  /** What the built-in sample includes, where that is what answers; else null. */
  readonly sample: { readonly companies: number; readonly date: string } | null;
}

/** The securities of the release on this machine, for completion. */
export interface TickersPort {
  /** Empty where there is no release, or it cannot be read. */
  tickers(env: Readonly<Record<string, string | undefined>>): Promise<readonly NamedTicker[]>;
}

export interface NamedTicker {
  readonly ticker: string;
  readonly name: string;
}
