/** The table of all tagged facts, as filed, of the companies that were chosen when the release was built. */
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { day, dayOrNull, decimal, integerOrNull, text, textOrNull } from './columns.ts';
import { ACCESSION_COLUMN, CIK_COLUMN, defineTable, FILED_COLUMN, FORM_COLUMN, type WithCik } from './declare-table.ts';

/** A fact from the SEC's company facts, without the fields that only facts from tagged reports have. */
type TaggedFact = Omit<Fact, 'classCounts' | 'source'>;

/** Sorted by CIK, taxonomy, concept, unit, end, start, filing date. */
export const FACTS = defineTable<WithCik<TaggedFact>>()({
  name: 'facts',
  key: 'cik',
  columns: [
    CIK_COLUMN,
    text('taxonomy'),
    text('concept'),
    text('unit'),
    dayOrNull('start_date', { field: 'start' }),
    day('end_date', { field: 'end' }),
    decimal('value'),
    ACCESSION_COLUMN,
    FORM_COLUMN,
    FILED_COLUMN,
    textOrNull('frame'),
    integerOrNull('focus_year'),
    textOrNull('focus_period'),
  ],
});
