/**
 * Additions of this project's service to the interface, which allows new fields and endpoints. The OpenAPI document
 * marks each addition; if another service rejects one, the client reports that the service does not offer it.
 */
import { figureOf } from './figures.ts';
import type { OperationId } from './operations.ts';
import type { RawParameters } from './question/question.ts';
import { ADDED_COLUMNS, SCREEN_FILTERS } from './screen-columns.ts';

/** Fields that fin adds to resources of the interface, with descriptions. */
export const ADDED_FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  SecuritySearchHit: {
    last_report: 'Date of the last annual or interim report; only for a company that has no ticker today',
    brand: 'Segment or product in the reports of the company; only if the company was found by its name',
  },
  SecurityProfile: {
    last_report: 'Date of the last annual or interim report',
    gone: 'Whether the company has stopped reporting',
    sic: "Code of the company's industry (Standard Industrial Classification), as the SEC lists it",
    industry: 'Description of the industry code',
  },
  MetricValue: {
    basis_break:
      'True if the value is not comparable with the previous period, because only one of the two periods was restated',
    split_ratio:
      'If split_adjusted is given: ratio of the splits after the filing, as new shares per old share, by which the value was ' +
      'multiplied or divided. Null if it is unknown whether the filing came before a split; the value is then as filed',
  },
  RawConcept: {
    facts:
      'If concept is given: the facts of that concept as filed, newest period first; facts of one period in filing order',
  },
  MetricLineage: {
    fact_source: "Kind of report that the fact was read from, if it is not in the SEC's company facts",
    split_ratio:
      'If split_adjusted is given: the split_ratio of the metric value; metric_value is adjusted by this ratio, raw_value is as filed',
  },
  MetricRevision: {
    adjustment_ratio:
      'If split_adjusted is given: ratio of the splits after the filing, as new shares per old share, by which the values were ' +
      'multiplied or divided. Null if it is unknown whether the filing came before a split; the values are then as filed',
  },
  ScreenRow: {
    last_report: 'In screens of past days: date of the last annual or interim report',
    gone: 'In screens of past days: whether the company has stopped reporting since',
    ...Object.fromEntries(
      [...ADDED_COLUMNS].map((name) => [name, `Only if named in columns: ${figureOf(name)?.label ?? name}`]),
    ),
  },
  SegmentPeriod: {
    basis:
      'Number of the segment definition: 1 is the newest, earlier definitions have higher numbers. Only periods with the same number can be compared',
  },
  Prices: { undated_splits: 'Splits that filings prove but whose exact date is unknown' },
  Problem: {
    unknown_parameters:
      'With status 400: the given parameters that the endpoint does not have; empty if a value is wrong',
  },
  Meta: {
    approximate: 'In a search: true if no ticker and no name matches, and the companies have similar names',
    concept: 'The parameter concept, as given',
    search: 'The parameter search, as given',
    no_longer_reporting: 'In screens of past days: number of companies that have stopped reporting since',
    industry_unknown: 'In screens of industries: number of companies left out because their industry is unknown',
    set_aside_by:
      'With filters on several figures: number of companies without each figure; a company may lack several',
    left_out: 'In screens of industries: number of blank-cheque companies, funds and trusts left out',
  },
};

interface AddedParameter {
  /** A noun phrase to complete "this service does not offer …". */
  readonly description: string;
  /**
   * Field of `meta` in every answer to the parameter; if an answer lacks the field, the service ignored the parameter.
   */
  readonly inMeta?: string;
  /** Values added to a parameter of the interface. */
  readonly values?: readonly string[];
}

const ADDED_FILTERS = SCREEN_FILTERS.filter((name) => ADDED_COLUMNS.has(name));

/** Parameters that fin adds, and values that fin adds to existing parameters, by operation. */
export const ADDED_PARAMETERS: Readonly<Partial<Record<OperationId, Readonly<Record<string, AddedParameter>>>>> = {
  metrics: {
    values: { description: 'values as first reported (values)' },
    split_adjusted: { description: 'split-adjusted figures (split_adjusted)' },
  },
  'raw-concepts': {
    concept: { description: 'tagged facts (concept)', inMeta: 'concept' },
    search: { description: 'searching concepts (search)', inMeta: 'search' },
    as_of: { description: 'tagged facts of a past day (as_of)', inMeta: 'as_of' },
  },
  lineage: {
    values: { description: 'values as first reported (values)' },
    split_adjusted: { description: 'split-adjusted figures (split_adjusted)' },
  },
  filings: {
    since: { description: 'filings since a date (since)' },
    until: { description: 'filings until a date (until)' },
    offset: { description: 'pages of filings (offset)' },
  },
  screen: {
    where: { description: 'filters by figures that fin adds (where)', values: ADDED_FILTERS },
    sort: { description: 'sorting by figures that fin adds (sort)', values: ADDED_FILTERS },
    columns: { description: 'figures that fin adds (columns)', values: [...ADDED_COLUMNS] },
    as_of: { description: 'screens of a past day (as_of)', inMeta: 'as_of' },
    industry: { description: 'industries (industry)', inMeta: 'left_out' },
    sic: { description: 'industries (sic)', inMeta: 'left_out' },
    peers_of: { description: 'the peers of a company (peers_of)', inMeta: 'left_out' },
    split_adjusted: { description: 'split-adjusted figures (split_adjusted)' },
  },
  revisions: {
    fiscal_period: { description: 'half years and nine months (fiscal_period H1 and 9M)', values: ['H1', '9M'] },
    split_adjusted: { description: 'split-adjusted figures (split_adjusted)' },
  },
};

/** Whether the parameter itself is an addition, not only some of its values. */
export function isAddedParameter(id: OperationId, name: string): boolean {
  const addedParameters = ADDED_PARAMETERS[id] ?? {};
  return Object.hasOwn(addedParameters, name) && addedParameters[name]?.values === undefined;
}

/** Returns the additions that a question uses: name of the parameter, and description. */
export function additionsIn(
  id: OperationId,
  givenParameters: RawParameters,
): readonly (readonly [name: string, what: string])[] {
  const addedParameters = ADDED_PARAMETERS[id] ?? {};
  return givenParameters.flatMap(([name, text]) => {
    const addition = Object.hasOwn(addedParameters, name) ? addedParameters[name] : undefined;
    // The text may be a single value, a list of values, or a filter that begins with a value.
    const values = text.toLowerCase().split(/[,:]/);
    const isUsed = addition?.values?.some((value) => values.includes(value.toLowerCase())) ?? addition !== undefined;
    return addition !== undefined && isUsed ? [[name, addition.description] as const] : [];
  });
}

/** Returns the `meta` field that every answer to an added parameter has; null if the parameter has no such field. */
export const metaFieldOf = (id: OperationId, name: string): string | null =>
  ADDED_PARAMETERS[id]?.[name]?.inMeta ?? null;
