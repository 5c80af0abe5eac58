/**
 * A figure in the form of `metrics` responses, without its inputs; a release stores each company's latest figures in
 * this form.
 */
import type { Decimal } from '../contract/decimal-text.ts';
import {
  type Figure,
  type FigureSubject,
  type FigureValue,
  findLastFiledValue,
  toFigureFields,
} from './derived/figure.ts';
import type { ReportedValue } from './revisions/revision-chain.ts';

export interface ResponseFigure
  extends FigureSubject,
    Pick<ReportedValue, 'accession' | 'rank' | 'kind' | 'filed' | 'form'> {
  readonly valueKind: FigureValue['valueKind'];
  readonly value: Decimal;
  readonly confidence: Decimal;
  readonly revisionCount: number;
}

/** Returns the figure with the filing and rank of the reported value that supplies the figure. */
export function toResponseFigure(figure: Figure): ResponseFigure {
  const { accession, rank, kind, filed, form } = findLastFiledValue(figure);
  return { accession, rank, kind, filed, form, ...toFigureFields(figure) };
}
