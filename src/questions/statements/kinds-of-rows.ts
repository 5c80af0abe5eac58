/**
 * Rows that statements treat apart: translations, figures filed before a split or no longer reported, and lines that
 * only a note states.
 */

import { negate, sum } from '../../contract/decimal.ts';
import { compareDecimals } from '../../contract/decimal-text.ts';
import { METRICS, REMAINDERS } from '../../contract/figures.ts';
import { parseCurrency } from '../../contract/identifiers.ts';
import type { MetricValue } from '../../contract/resources/metrics.ts';
import type { Metric } from '../../contract/statements/line.ts';
import { formatCount } from '../../contract/text/format-counts.ts';
import { groupBy } from '../../platform/collections.ts';
import { addMonths, countDaysBetween } from '../../platform/dates.ts';
import { findLatest, findMeasure } from '../../result/labels.ts';
import { makeNote, type Notice } from '../../result/notice.ts';

/** The currency into which filers translate. */
const TRANSLATED_CURRENCY = 'USD';

/**
 * Returns the currency of most amounts; of two currencies with equally many, the one that is not translated into. Null
 * if no row is an amount.
 */
export function findReportCurrency(rows: readonly MetricValue[]): string | null {
  const currencies = rows.flatMap(({ unit }) => parseCurrency(unit) ?? []);
  const groups = [...groupBy(currencies, (currency) => currency)];
  const isTranslated = (currency: string): number => Number(currency === TRANSLATED_CURRENCY);
  groups.sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || isTranslated(a) - isTranslated(b));
  return groups[0]?.[0] ?? null;
}

/**
 * Returns a function that finds the amount which a row translates: the same metric and period in the reporting
 * currency. Null for other rows.
 */
export function createOriginalFinder(rows: readonly MetricValue[]): (row: MetricValue) => MetricValue | null {
  const reporting = findReportCurrency(rows);
  const makeKey = ({ metric_key: key, period_kind: kind, start_date: start, end_date: end }: MetricValue): string =>
    [key, kind, start ?? '', end].join(' ');
  const reported = rows.filter(({ unit }) => parseCurrency(unit) === reporting);
  const originals = new Map(reported.map((row) => [makeKey(row), row]));
  return (row) => {
    const currency = parseCurrency(row.unit);
    if (currency !== TRANSLATED_CURRENCY || currency === reporting) return null;
    return originals.get(makeKey(row)) ?? null;
  };
}

/** Returns the amounts that translate another row. */
export function findTranslated(rows: readonly MetricValue[]): readonly MetricValue[] {
  const findOriginal = createOriginalFinder(rows);
  return rows.filter((row) => findOriginal(row) !== null);
}

/**
 * Maximum number of days after a split until every filer has restated its annual and quarterly figures for the split.
 */
const MAX_REEXPRESSION_DELAY_DAYS = 400;

/**
 * Returns per-share figures and share counts that were filed before the latest split. Answers do not list splits, so
 * the split is dated by the first filing with re-expressed figures.
 */
export function findPresplit(data: readonly MetricValue[]): ReadonlySet<MetricValue> {
  // Excludes figures with a split ratio, which are already in today's shares.
  const shareValues = data.filter(
    ({ metric_key: key, unit, split_ratio: ratio }) =>
      ratio === undefined && ['per_share', 'shares'].includes(findMeasure(key, unit)),
  );
  const reexpressed = shareValues.filter(({ read_from: from }) => from?.kind === 're_expressed');
  const days = reexpressed.flatMap(({ read_from: from }) => from?.filed_at ?? []);
  let first = '';
  for (const filedAt of days.sort().reverse()) {
    if (first !== '' && countDaysBetween(filedAt, first) > MAX_REEXPRESSION_DELAY_DAYS) break;
    first = filedAt;
  }
  return new Set(shareValues.filter(({ read_from: from }) => from?.filed_at != null && from.filed_at < first));
}

/** Fifteen months: twelve between the ends of two fiscal years, and three until the newer year is reported. */
const MAX_AGE_MONTHS = 15;

export type OlderFigures = ReturnType<typeof findOlderFigures>;

/**
 * Returns the figures whose periods end more than 15 months before the newest period, and the date before which a period
 * must end; a cover figure's filing date is used as its end. The date is null if the answer has only figures of the cover.
 */
export function findOlderFigures(data: readonly MetricValue[]) {
  const newest = findNewestEnd(data);
  const before = newest === null ? null : addMonths(newest, -MAX_AGE_MONTHS);
  const old = data.filter((row) => before !== null && getPeriodEndOrFilingDate(row) < before);
  return { before, figures: new Set(old) };
}

/** Returns the end of the newest period; ignores cover pages, whose dates are later. Null without other figures. */
export const findNewestEnd = (data: readonly MetricValue[]): string | null =>
  findLatest(data.flatMap(({ statement, end_date: end }) => (statement === 'cover' ? [] : end)));

/**
 * Returns the end date of a figure's period; for a cover figure the filing date, because companies choose the date of
 * the share count or float on the cover.
 */
const getPeriodEndOrFilingDate = ({ statement, end_date: end, read_from: readFrom }: MetricValue): string =>
  statement === 'cover' ? (readFrom?.filed_at ?? end) : end;

/** Maximum number of figures that a notice names. */
const MAX_NAMED_FIGURES = 6;

export function makeOlderNotices({ before, figures }: OlderFigures): readonly Notice[] {
  if (before === null || figures.size === 0) return [];
  const figureTexts = [...figures].map(({ metric_key: key, end_date: end }) => `${key} (${end})`);
  const moreText = figureTexts.length > MAX_NAMED_FIGURES ? ` and ${figureTexts.length - MAX_NAMED_FIGURES} more` : '';
  const text =
    `${formatCount(figures.size, 'figure has', 'figures have')} values only for periods before ${before}: ` +
    `${figureTexts.slice(0, MAX_NAMED_FIGURES).join(', ')}${moreText}.`;
  return [makeNote('older_figures', text, { before, keys: [...figures].map(({ metric_key: key }) => key) })];
}

type Part = Pick<Metric, 'key' | 'sign' | 'isOftenInNotes' | 'mayBeIn'>;

/**
 * Returns the keys of lines that only a note states: without them, the parts of a total no longer exceed the total.
 * @param series the values of each line
 */
export function findNoteLines(series: readonly (readonly [MetricValue, ...MetricValue[]])[]): ReadonlySet<string> {
  const valuesByKey = new Map(series.map((values) => [values[0].metric_key, values]));
  const noteKeys = new Set<string>();
  for (const [total, totalValues] of valuesByKey) {
    const parts: readonly Part[] = [
      ...METRICS.filter((metric) => metric.total === total),
      ...REMAINDERS.filter(({ formula }) => formula.plus[0] === total),
    ].filter(({ key }) => valuesByKey.has(key));
    const isExceeded = ({ end_date: end, value }: MetricValue) => {
      const amounts = parts.flatMap(({ key, sign }) => {
        const part = noteKeys.has(key) ? undefined : valuesByKey.get(key)?.find((row) => row.end_date === end);
        return part === undefined ? [] : [sign === '-' ? negate(part.value) : part.value];
      });
      return compareDecimals(sum(amounts), value) > 0;
    };
    // First removes parts that another line may include; if the sum still exceeds the total, also parts often in notes.
    for (const isCandidate of [
      ({ mayBeIn }: Part) => mayBeIn !== undefined && valuesByKey.has(mayBeIn),
      ({ isOftenInNotes }: Part) => isOftenInNotes === true,
    ]) {
      const candidates = parts.filter(isCandidate);
      if (candidates.length > 0 && totalValues.some(isExceeded)) for (const { key } of candidates) noteKeys.add(key);
    }
  }
  return noteKeys;
}
