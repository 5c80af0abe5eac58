/**
 * Table of the figures of each company's latest periods. A build derives these figures in advance, because most
 * requests for a company need them.
 */
import type { ResponseFigure } from '../../figures/response-figure.ts';
import { decimal, integer, text, textOrNull } from './columns.ts';
import { ACCESSION_COLUMN, CIK_COLUMN, defineTable, FILED_COLUMN, FORM_COLUMN, type WithCik } from './declare-table.ts';
import { FIGURE_COLUMNS } from './reported-values.ts';

/**
 * Sorted by CIK, then in the order of the `metrics` response. Figures as of past dates and of other periods are derived
 * on request.
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
    textOrNull('unconfirmed'),
  ],
});
