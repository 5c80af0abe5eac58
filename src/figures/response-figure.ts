/**
 * A figure in the form of `metrics` responses, without its inputs; a release stores each company's latest figures in
 * this form.
 */
import type { Decimal } from '../contract/decimal-text.ts';
import { type Figure, type FigureSubject, type FigureValue, findLastInput, toFigureFields } from './derived/figure.ts';
import { findBrokenRelation } from './relations/unconfirmed.ts';
import type { ReportedValue } from './revisions/revision-chain.ts';

export interface ResponseFigure
  extends FigureSubject,
    Pick<ReportedValue, 'accession' | 'rank' | 'kind' | 'filed' | 'form'> {
  readonly valueKind: FigureValue['valueKind'];
  readonly value: Decimal;
  readonly confidence: Decimal;
  readonly revisionCount: number;
  /** The relation that an input of the figure breaks (`relations/unconfirmed.ts`); null if its inputs break none. */
  readonly unconfirmed: string | null;
}

/**
 * Returns the figure with the filing and rank of the reported value that supplies the figure.
 * @param asOf the day of the figure; null for today
 */
export function toResponseFigure(figure: Figure, asOf: string | null): ResponseFigure {
  const { accession, rank, kind, filed, form } = findLastInput(figure);
  const unconfirmed = findBrokenRelation(figure, asOf);
  return { accession, rank, kind, filed, form, unconfirmed, ...toFigureFields(figure) };
}
