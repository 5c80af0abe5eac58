/**
 * Parameters that fin's service adds to those in the specification of the HTTP API. The OpenAPI document marks each
 * addition; if another service rejects an added parameter, the client reports that the service does not offer the
 * parameter.
 */
import type { OperationId } from './operations.ts';
import type { RawParameters } from './question.ts';
import { ADDED_COLUMNS, FILTER_COLUMNS } from './screen-columns.ts';

interface ParameterAddition {
  /** Noun phrase that completes the sentence "this service does not offer …". */
  readonly description: string;
  /**
   * Field that `meta` has in every answer to a request with the parameter. If an answer lacks the field, the service
   * ignored the parameter.
   */
  readonly metaField?: string;
  /** Values added to a parameter of the HTTP API. */
  readonly values?: readonly string[];
}

const ADDED_FILTER_COLUMNS = FILTER_COLUMNS.filter((name) => ADDED_COLUMNS.has(name));

/** Parameters that fin adds, and values that fin adds to existing parameters, by operation. */
export const ADDED_PARAMETERS: Readonly<Partial<Record<OperationId, Readonly<Record<string, ParameterAddition>>>>> = {
  metrics: {
    values: { description: 'values as first reported (values)' },
    split_adjusted: { description: 'split-adjusted figures (split_adjusted)' },
  },
  'raw-concepts': {
    concept: { description: 'tagged facts (concept)', metaField: 'concept' },
    search: { description: 'a search for concepts (search)', metaField: 'search' },
    as_of: { description: 'tagged facts filed by a date (as_of)', metaField: 'as_of' },
  },
  lineage: {
    values: { description: 'values as first reported (values)' },
    split_adjusted: { description: 'split-adjusted figures (split_adjusted)' },
  },
  filings: {
    since: { description: 'filings since a date (since)' },
    until: { description: 'filings until a date (until)' },
    offset: { description: 'lists of filings in several pages (offset)' },
  },
  day: { forms: { description: 'lists of 13D and S-1 filings of a day (forms)', metaField: 'forms' } },
  holders: { quarter: { description: 'the holders of an earlier quarter (quarter)', metaField: 'quarter' } },
  manager: { quarter: { description: "a manager's report for an earlier quarter (quarter)", metaField: 'quarter' } },
  screen: {
    where: { description: 'filters by figures that only fin offers (where)', values: ADDED_FILTER_COLUMNS },
    sort: { description: 'sorting by figures that only fin offers (sort)', values: ADDED_FILTER_COLUMNS },
    columns: { description: 'figures that only fin offers (columns)', values: [...ADDED_COLUMNS] },
    as_of: { description: 'screens as of a past date (as_of)', metaField: 'as_of' },
    industry: { description: 'screens by industry (industry)', metaField: 'left_out' },
    sic: { description: 'screens by industry code (sic)', metaField: 'left_out' },
    peers_of: { description: 'the peers of a company (peers_of)', metaField: 'left_out' },
    split_adjusted: { description: 'split-adjusted figures (split_adjusted)' },
    set_aside_by: { description: 'counts by figure (set_aside_by)' },
    missing_by: { description: 'counts of missing figures (missing_by)' },
  },
  revisions: {
    fiscal_period: { description: 'half years and nine months (fiscal_period H1 and 9M)', values: ['H1', '9M'] },
    split_adjusted: { description: 'split-adjusted figures (split_adjusted)' },
  },
};

/** Whether the parameter itself is an addition, not only some of its values. */
export function isAddedParameter(id: OperationId, name: string): boolean {
  const additions = ADDED_PARAMETERS[id] ?? {};
  return Object.hasOwn(additions, name) && additions[name]?.values === undefined;
}

/** Returns the additions that a question uses: the name of each parameter, and the description of its addition. */
export function findUsedAdditions(id: OperationId, pairs: RawParameters) {
  const additions = ADDED_PARAMETERS[id] ?? {};
  return pairs.flatMap(([name, text]) => {
    const addition = Object.hasOwn(additions, name) ? additions[name] : undefined;
    // The text is a value, a list of values, or a filter that begins with a value, such as ebitda:gt:0.
    const words = text.toLowerCase().split(/[,:]/);
    const isUsed = addition?.values?.some((value) => words.includes(value.toLowerCase())) ?? addition !== undefined;
    return addition !== undefined && isUsed ? [[name, addition.description] as const] : [];
  });
}

/** Returns the name of the `meta` field that shows that the service applied an added parameter; else null. */
export const findMetaField = (id: OperationId, name: string) => ADDED_PARAMETERS[id]?.[name]?.metaField ?? null;
