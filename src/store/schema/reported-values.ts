/**
 * Tables of figures from companies' filings: reported values, stock splits for which filings are evidence, figures of
 * the latest periods, facts and their number per concept, and counts of figures by evidence.
 */
import type { RawConceptSummary } from '../../edgar/facts/company-facts.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import type { EvidenceCounts } from '../../figures/relations/evidence-counts.ts';
import type { ResponseFigure } from '../../figures/response-figure.ts';
import type { ReportedValue } from '../../figures/revisions/revision-chain.ts';
import type { Split } from '../../figures/shares/splits.ts';
import { day, decimal, integer, text } from './columns.ts';
import { ACCESSION_COLUMN, CIK_COLUMN, defineTable, FILED_COLUMN, FORM_COLUMN, type WithCik } from './declare-table.ts';

/** Columns that identify a figure: metric, unit and period. */
export const FIGURE_COLUMNS = [
  text('metric_key', 'Key of the metric; fin catalog lists the keys'),
  text('unit', 'Unit of measure, such as USD, USD/shares or shares'),
  text('period_kind', 'annual, quarter, half or nine_month (amounts of a period), or instant (balances of a day)'),
  day('start_date?', 'First day of the period; null for balances', { field: 'start' }),
  day('end_date', 'Last day of the period', { field: 'end' }),
  integer('fiscal_year?', 'Fiscal year of the period'),
  text('fiscal_period?', 'Fiscal period: FY, Q1 to Q4, H1 (half year) or 9M (nine months)'),
] as const;

/** Sorted by CIK, then by `compareByFigureAndRank`. */
export const REPORTED_VALUES = defineTable<WithCik<ReportedValue>>()({
  name: 'reported_values',
  typed: {
    name: 'figures',
    about:
      'Every value of a metric that a filing reported, restated values included. ' +
      'Values that no later filing replaces: stands_from IS NOT NULL AND stands_until IS NULL. Values as of a day: stands_from <= day AND ' +
      '(stands_until > day OR stands_until IS NULL). Derived figures, such as ratios and fourth quarters, are not included: see the table screen, or fin metrics.',
    order: 'group of consecutive CIKs, then metric_key, cik, unit, end_date, start_date, revision_rank',
    sortedBy: 'metric_key',
  },
  key: 'cik',
  columns: [
    CIK_COLUMN,
    ...FIGURE_COLUMNS,
    integer(
      'revision_rank',
      'Position of the value among all values reported for this metric and period, in filing order, from 1',
      { field: 'rank' },
    ),
    text(
      'kind',
      'first (first report); same (reported again, unchanged); revised (changed); re_expressed (adjusted for a stock split); reinstated (another row for a value that became current again)',
    ),
    decimal('value', 'Value, exact'),
    decimal('split_ratio?', 'New shares per old share, if the value was adjusted for a split'),
    text('taxonomy', 'Taxonomy of the XBRL concept, such as us-gaap'),
    text('concept', 'XBRL concept that the filing used as a tag'),
    decimal('raw_value', 'Value as tagged in the filing, with its original sign'),
    ACCESSION_COLUMN,
    FORM_COLUMN,
    FILED_COLUMN,
    text('frame?'),
    day(
      'contradicted_on?',
      'First day on which other filings showed that the value is wrong; null for nearly all values',
    ),
    text(
      'unconfirmed?',
      'Relation to other stated amounts that the value breaks, such as assets = liabilities + equity; null for nearly all values',
    ),
    day('unconfirmed_on?', 'First day on which filings showed that the relation is broken'),
    day('filed_start_date?', { field: 'filedStart' }),
    day('filed_end_date?', { field: 'filedEnd' }),
    text('class_counts?'),
    text('fact_source?', { field: 'source' }),
  ],
});

/** Stock splits for which filings are evidence. Sorted by CIK, then effective date. */
export const SPLITS = defineTable<WithCik<Split>>()({
  name: 'splits',
  typed: {
    about:
      'Stock splits that filings prove. effective_date is taken from the prices in the release; if it is null, the split ' +
      'took effect after old_basis_until and no later than new_basis_from.',
    order: 'cik, then the day of the split',
  },
  key: 'cik',
  columns: [
    CIK_COLUMN,
    decimal('ratio', 'New shares per old share'),
    day('effective_date', { field: 'effective' }),
    ACCESSION_COLUMN,
    day('old_basis_until?', 'Last day that filings show to be before the split', { field: 'after' }),
    day('new_basis_from?', 'First day that filings show to be after the split', { field: 'until' }),
    text('proven_on?', { field: 'proven' }),
  ],
});

/** Number of facts that a company reported per XBRL concept and unit. Sorted by CIK, taxonomy, concept, unit. */
export const RAW_CONCEPTS = defineTable<WithCik<RawConceptSummary>>()({
  name: 'raw_concepts',
  key: 'cik',
  columns: [
    CIK_COLUMN,
    text('taxonomy'),
    text('concept'),
    text('unit'),
    integer('fact_count'),
    day('earliest_end_date?', { field: 'earliestEnd' }),
    day('latest_end_date?', { field: 'latestEnd' }),
  ],
});

/**
 * Figures of each company's latest periods, which a build derives in advance, because most requests need them. Figures
 * as of past dates and of other periods are derived on request. Sorted by CIK, then in the order of the `metrics`
 * response.
 */
export const LATEST_FIGURES = defineTable<WithCik<ResponseFigure>>()({
  name: 'latest_figures',
  key: 'cik',
  columns: [
    CIK_COLUMN,
    ...FIGURE_COLUMNS,
    text('value_kind'),
    decimal('value'),
    text('confidence'),
    integer('revision_count'),
    ACCESSION_COLUMN,
    integer('revision_rank', { field: 'rank' }),
    text('kind'),
    FILED_COLUMN,
    FORM_COLUMN,
    text('unconfirmed?'),
  ],
});

/** A fact from the SEC's company facts, without the fields that only facts from tagged reports have. */
type TaggedFact = Omit<Fact, 'classCounts' | 'source'>;

/**
 * All tagged facts, as filed, of the companies that were chosen when the release was built. Sorted by CIK, taxonomy,
 * concept, unit, end, start, filing date.
 */
export const FACTS = defineTable<WithCik<TaggedFact>>()({
  name: 'facts',
  key: 'cik',
  columns: [
    CIK_COLUMN,
    text('taxonomy'),
    text('concept'),
    text('unit'),
    day('start_date?', { field: 'start' }),
    day('end_date', { field: 'end' }),
    decimal('value'),
    ACCESSION_COLUMN,
    FORM_COLUMN,
    FILED_COLUMN,
    text('frame?'),
    integer('focus_year?'),
    text('focus_period?'),
  ],
});

/** Counts of each company's figures by evidence, with which the next build compares its own. Sorted by CIK. */
export const EVIDENCE = defineTable<WithCik<EvidenceCounts>>()({
  name: 'evidence',
  key: 'cik',
  columns: [
    CIK_COLUMN,
    integer('shown'),
    integer('unconfirmed'),
    integer('stated'),
    integer('withheld'),
    integer('repeated'),
    integer('revised'),
    integer('labelled'),
    integer('misplaced'),
    integer('flows'),
    integer('duplicates'),
  ],
});
