/** Table of the counts of each company's figures by evidence; the next build compares its own counts with them. */
import type { EvidenceCounts } from '../../figures/evidence/evidence-counts.ts';
import { CIK_COLUMN, defineTable, integer, type WithCik } from './table.ts';

/** Sorted by CIK. */
export const EVIDENCE = defineTable<WithCik<EvidenceCounts>>()({
  name: 'evidence',
  key: 'cik',
  columns: [
    CIK_COLUMN,
    integer('shown', 'shown'),
    integer('unconfirmed', 'unconfirmed'),
    integer('stated', 'stated'),
    integer('withheld', 'withheld'),
    integer('repeated', 'repeated'),
    integer('revised', 'revised'),
    integer('labelled', 'labelled'),
    integer('misplaced', 'misplaced'),
    integer('flows', 'flows'),
    integer('duplicates', 'duplicates'),
  ],
});
