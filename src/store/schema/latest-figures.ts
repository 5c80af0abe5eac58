/** Figures of the latest periods, derived once during the build because most questions about a company need them. */
import type { AnsweredFigure } from '../../figures/answered-figure.ts';
import { FIGURE } from './reported-values.ts';
import { CIK_COLUMN, integer, table, text, type WithCik } from './table.ts';

/**
 * Sorted by CIK, then as in an answer of `metrics`. Figures as of a day, and of other periods, are derived on demand.
 */
export const LATEST_FIGURES = table<WithCik<AnsweredFigure>>()({
  name: 'latest_figures',
  key: 'cik',
  columns: [
    CIK_COLUMN,
    ...FIGURE,
    text('value_kind', 'valueKind'),
    text('value', 'value'),
    text('confidence', 'confidence'),
    integer('revision_count', 'revisionCount'),
    text('accession_number', 'accession'),
    integer('revision_rank', 'rank'),
    text('kind', 'kind'),
    text('filed_at', 'filed'),
    text('form', 'form'),
  ],
});
