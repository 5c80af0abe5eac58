/** Table of the counts of each company's figures by evidence; the next build compares its own counts with them. */
import type { EvidenceCounts } from '../../figures/relations/evidence-counts.ts';
import { integer } from './columns.ts';
import { CIK_COLUMN, defineTable, type WithCik } from './declare-table.ts';

/** Sorted by CIK. */
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
