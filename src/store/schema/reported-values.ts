/**
 * Tables of data from companies' filings: reported values, splits that filings prove, and number of facts per concept.
 */

import type { RawConceptSummary } from '../../edgar/facts/company-facts.ts';
import type { ReportedValue } from '../../figures/revisions/revision-chain.ts';
import type { Split } from '../../figures/shares/splits.ts';
import { CIK_COLUMN, defineTable, integer, integerOrNull, text, textOrNull, type WithCik } from './table.ts';

/** Columns that identify a figure: metric, unit and period. */
export const FIGURE_COLUMNS = [
  text('metric_key', 'metricKey'),
  text('unit', 'unit'),
  text('period_kind', 'periodKind'),
  textOrNull('start_date', 'start'),
  text('end_date', 'end'),
  integerOrNull('fiscal_year', 'fiscalYear'),
  textOrNull('fiscal_period', 'fiscalPeriod'),
] as const;

/** Sorted by CIK, then by `compareByFigureAndRank`. */
export const REPORTED_VALUES = defineTable<WithCik<ReportedValue>>()({
  name: 'reported_values',
  key: 'cik',
  columns: [
    CIK_COLUMN,
    ...FIGURE_COLUMNS,
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
    textOrNull('contradicted_on', 'contradictedOn'),
    textOrNull('unconfirmed', 'unconfirmed'),
    textOrNull('unconfirmed_on', 'unconfirmedOn'),
    textOrNull('filed_start_date', 'filedStart'),
    textOrNull('filed_end_date', 'filedEnd'),
    textOrNull('class_counts', 'classCounts'),
    textOrNull('fact_source', 'source'),
  ],
});

/** Stock splits that filings prove. Sorted by CIK, then effective date. */
export const SPLITS = defineTable<WithCik<Split>>()({
  name: 'splits',
  key: 'cik',
  columns: [
    CIK_COLUMN,
    text('ratio', 'ratio'),
    text('effective_date', 'effective'),
    text('accession_number', 'accession'),
    textOrNull('old_basis_until', 'after'),
    textOrNull('new_basis_from', 'until'),
    textOrNull('proven_on', 'proven'),
  ],
});

/** Number of facts that a company reported per XBRL concept and unit. Sorted by CIK, taxonomy, concept, unit. */
export const RAW_CONCEPTS = defineTable<WithCik<RawConceptSummary>>()({
  name: 'raw_concepts',
  key: 'cik',
  columns: [
    CIK_COLUMN,
    text('taxonomy', 'taxonomy'),
    text('concept', 'concept'),
    text('unit', 'unit'),
    integer('fact_count', 'factCount'),
    textOrNull('earliest_end_date', 'earliestEnd'),
    textOrNull('latest_end_date', 'latestEnd'),
  ],
});
