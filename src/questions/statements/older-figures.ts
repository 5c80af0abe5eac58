/**
 * Finds figures that the company no longer reports: their latest values are from far earlier periods than other
 * figures.
 */
import type { MetricValue } from '../../contract/resources/metrics.ts';
import { formatCount } from '../../contract/text/format-counts.ts';
import { addMonths } from '../../platform/dates.ts';
import { makeNote, type Notice } from '../../result/notice.ts';

/** Fifteen months: twelve between the ends of two fiscal years, and three until the newer year is reported. */
const MAX_AGE_MONTHS = 15;

export interface OlderFigures {
  /**
   * A period that ends before this date counts as old; null if the answer has no figures except those of the cover
   * page.
   */
  readonly before: string | null;
  readonly figures: ReadonlySet<MetricValue>;
}

/**
 * Returns the figures whose periods end more than 15 months before the newest period; a cover figure's filing date is
 * used as its end.
 */
export function findOlderFigures(data: readonly MetricValue[]): OlderFigures {
  const newestEnd = data.reduce<string | null>(
    (latestEnd, { statement, end_date: end }) =>
      statement !== 'cover' && (latestEnd === null || end > latestEnd) ? end : latestEnd,
    null,
  );
  if (newestEnd === null) return { before: null, figures: new Set() };
  const cutoffDate = addMonths(newestEnd, -MAX_AGE_MONTHS);
  return { before: cutoffDate, figures: new Set(data.filter((row) => getPeriodEndOrFilingDate(row) < cutoffDate)) };
}

/**
 * Returns the end date of a figure's period; for a cover figure the filing date, because companies choose the date of
 * the share count or float on the cover.
 */
const getPeriodEndOrFilingDate = ({ statement, end_date: end, read_from: readFrom }: MetricValue): string =>
  statement === 'cover' ? (readFrom?.filed_at ?? end) : end;

/** Maximum number of figures that a notice names. */
const MAX_NAMED_FIGURES = 6;

export function makeOlderFigureNotices({ before, figures }: OlderFigures): readonly Notice[] {
  if (before === null || figures.size === 0) return [];
  const figureTexts = [...figures].map(({ metric_key: key, end_date: end }) => `${key} (${end})`);
  const moreText = figureTexts.length > MAX_NAMED_FIGURES ? ` and ${figureTexts.length - MAX_NAMED_FIGURES} more` : '';
  const text =
    `${formatCount(figures.size, 'figure has', 'figures have')} values only for periods before ${before}: ` +
    `${figureTexts.slice(0, MAX_NAMED_FIGURES).join(', ')}${moreText}.`;
  return [makeNote('older_figures', text, { before, keys: [...figures].map(({ metric_key: key }) => key) })];
}
