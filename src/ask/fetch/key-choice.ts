import type { MetricCatalogEntry } from '../../contract/resources/metrics.ts';

/** The metrics to request if the user named none. */
export interface KeyChoice {
  /**
   * @param catalog the metrics of the service; null for those of this program
   * @returns empty if the service has none of them
   */
  readonly choose: (catalog: readonly MetricCatalogEntry[] | null) => readonly string[];
  /** Name of the selection, to report that the service has none of it: `cash flow statement`. */
  readonly name: string;
}
