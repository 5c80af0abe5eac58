/** How many companies have a figure of each metric or ratio. */
import { integer, table, text } from './table.ts';

export interface Coverage {
  readonly metricKey: string;
  readonly companyCount: number;
}

export const COVERAGE = table<Coverage>()({
  name: 'coverage',
  key: null,
  columns: [text('metric_key', 'metricKey'), integer('company_count', 'companyCount')],
});
