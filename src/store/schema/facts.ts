/** The table of all tagged facts, as filed, of the companies that were chosen when the release was built. */
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { CIK_COLUMN, defineTable, integerOrNull, text, textOrNull, type WithCik } from './table.ts';

/** A fact from the SEC's company facts, without the fields that only facts from tagged reports have. */
export type TaggedFact = Omit<Fact, 'classCounts' | 'source'>;

/** Sorted by CIK, taxonomy, concept, unit, end, start, filing date. */
export const FACTS = defineTable<WithCik<TaggedFact>>()({
  name: 'facts',
  key: 'cik',
  columns: [
    CIK_COLUMN,
    text('taxonomy', 'taxonomy'),
    text('concept', 'concept'),
    text('unit', 'unit'),
    textOrNull('start_date', 'start'),
    text('end_date', 'end'),
    text('value', 'value'),
    text('accession_number', 'accession'),
    text('form', 'form'),
    text('filed_at', 'filed'),
    textOrNull('frame', 'frame'),
    integerOrNull('focus_year', 'focusYear'),
    textOrNull('focus_period', 'focusPeriod'),
  ],
});
