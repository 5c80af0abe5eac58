import type { MetricCatalogEntry } from '../../contract/resources/metrics.ts';

/** Chooses the metrics to request if the user named none. */
export interface KeyChoice {
  /**
   * Returns the metric keys to request; empty if the service has none of the metrics.
   * @param catalog the service's metrics; null to use the metrics that this program knows
   */
  readonly choose: (catalog: readonly MetricCatalogEntry[] | null) => readonly string[];
  /** Name of the selection for error messages, such as `cash flow statement`. */
  readonly name: string;
}
