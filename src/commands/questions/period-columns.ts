/** Which values stand in one column of a statement: those of one period, and the balance at its end. */
import { compareText } from '../../contract/compare-text.ts';
import type { MetricValue } from '../../contract/resources/metrics.ts';
import { fiscalLabel } from './shared/period-label.ts';

export interface PeriodColumn {
  readonly label: string;
  readonly end: string;
  /** Made for what found its place in its period taken. */
  readonly extra: boolean;
  readonly values: ReadonlySet<MetricValue>;
}

interface Draft {
  readonly label: string;
  readonly end: string;
  readonly extra: boolean;
  readonly start: string;
  readonly values: Set<MetricValue>;
  /** Metric and unit of what stands in it already. */
  readonly taken: Set<string>;
}

/**
 * Newest end first; of periods with one end the shorter first. No value is left out: one that finds its
 * place taken (a company that changed its year end, a cover date of its own) gets a column of its own.
 */
export function columnsOf(data: readonly MetricValue[]): PeriodColumn[] {
  const drafts: Draft[] = [];
  const durations = data.filter((row) => row.start_date != null);
  const instants = data.filter((row) => row.start_date == null);
  for (const row of durations) {
    place(drafts, row, (draft) => draft.end === row.end_date && draft.start === row.start_date) ||
      place(drafts, row, (draft) => draft.label === fiscalLabel(row)) ||
      open(drafts, row);
  }
  for (const row of instants) {
    const label = fiscalLabel(row);
    const year = row.fiscal_year;
    place(drafts, row, (draft) => draft.end === row.end_date) ||
      place(drafts, row, (draft) => draft.label === label) ||
      // A balance at the year's end is the fourth quarter's too.
      place(drafts, row, (draft) => row.fiscal_period === 'FY' && draft.label === `Q4 ${year}`) ||
      open(drafts, row);
  }
  return drafts.sort((a, b) => (a.end === b.end ? compareText(b.start, a.start) : compareText(b.end, a.end)));
}

function place(drafts: readonly Draft[], row: MetricValue, fits: (draft: Draft) => boolean): boolean {
  const key = `${row.metric_key} ${row.unit}`;
  const draft = drafts.find((candidate) => fits(candidate) && !candidate.taken.has(key));
  draft?.values.add(row);
  draft?.taken.add(key);
  return draft !== undefined;
}

function open(drafts: Draft[], row: MetricValue): void {
  const label = fiscalLabel(row) ?? row.end_date;
  const again = drafts.some((draft) => draft.label === label);
  drafts.push({
    label: again ? row.end_date : label,
    extra: again,
    end: row.end_date,
    start: row.start_date ?? '',
    values: new Set([row]),
    taken: new Set([`${row.metric_key} ${row.unit}`]),
  });
}
