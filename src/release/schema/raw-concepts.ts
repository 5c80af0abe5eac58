/** How many facts a company reported of each XBRL concept and unit. */
import type { RawConceptCount } from '../../edgar/facts/company-facts.ts';
import { CIK, integer, type OfCompany, table, text, textOrNull } from './table.ts';

/** In order of cik, then taxonomy, concept, unit. */
export const RAW_CONCEPTS = table<OfCompany<RawConceptCount>>()({
  name: 'raw_concepts',
  key: 'cik',
  columns: [
    CIK,
    text('taxonomy', 'taxonomy'),
    text('concept', 'concept'),
    text('unit', 'unit'),
    integer('fact_count', 'factCount'),
    textOrNull('earliest_end_date', 'earliestEnd'),
    textOrNull('latest_end_date', 'latestEnd'),
  ],
});
