/** Revision chains: each figure as each filing reported it. All metrics, lineage and revisions are read from these. */
import type { ReportedValue } from '../../figures/revisions/revision-chain.ts';
import { compare } from './row-order.ts';
import { CIK, integer, integerOrNull, type OfCompany, table, text, textOrNull } from './table.ts';

/** In order of cik, then as `byFigureAndRank`. */
export const REPORTED_VALUES = table<OfCompany<ReportedValue>>()({
  name: 'reported_values',
  key: 'cik',
  columns: [
    CIK,
    text('metric_key', 'metricKey'),
    text('unit', 'unit'),
    text('period_kind', 'periodKind'),
    textOrNull('start_date', 'start'),
    text('end_date', 'end'),
    integerOrNull('fiscal_year', 'fiscalYear'),
    textOrNull('fiscal_period', 'fiscalPeriod'),
    integer('revision_rank', 'rank'),
    text('kind', 'kind'),
    text('value', 'value'),
    textOrNull('split_ratio', 'splitRatio'),
    text('taxonomy', 'taxonomy'),
    text('concept', 'concept'),
    text('raw_value', 'rawValue'),
    text('accession_number', 'accession'),
    text('form', 'form'),
    text('filed_at', 'filed'),
    textOrNull('frame', 'frame'),
  ],
});

/** By metric, unit, end, start, rank; a value without a start comes first. */
export function byFigureAndRank(a: ReportedValue, b: ReportedValue): number {
  return (
    compare(a.metricKey, b.metricKey) ||
    compare(a.unit, b.unit) ||
    compare(a.end, b.end) ||
    compare(a.start ?? '', b.start ?? '') ||
    a.rank - b.rank
  );
}
