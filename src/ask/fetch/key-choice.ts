import type { MetricCatalogEntry } from '../../contract/resources/metrics.ts';

/** Which metrics to ask for, where the user named none. */
export interface KeyChoice {
  /**
   * @param catalog the metrics of the service; null for this program's own
   * @returns none where the service has none of them
   */
  readonly choose: (catalog: readonly MetricCatalogEntry[] | null) => readonly string[];
  /** What is asked for, to report that the service has none of it: `cash flow statement`. */
  readonly name: string;
}
