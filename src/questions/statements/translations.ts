/**
 * Convenience translations: some filers that report in another currency also state the figures of a year in dollars, at
 * one exchange rate. Such amounts of two years have two rates, so their growth is not the company's.
 */
import { parseCurrency } from '../../contract/currency.ts';
import type { MetricValue } from '../../contract/resources/metrics.ts';

/** The currency into which filers translate. */
const TRANSLATED_CURRENCY = 'USD';

/**
 * Returns the currency of most amounts; of two currencies with equally many, the one that is not translated into. Null
 * if no row is an amount.
 */
export function findReportingCurrency(rows: readonly MetricValue[]): string | null {
  const counts = new Map<string, number>();
  for (const { unit } of rows) {
    const currency = parseCurrency(unit);
    if (currency !== null) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  }
  const [most] = [...counts].sort(
    ([a, countOfA], [b, countOfB]) =>
      countOfB - countOfA || Number(a === TRANSLATED_CURRENCY) - Number(b === TRANSLATED_CURRENCY),
  );
  return most?.[0] ?? null;
}

/**
 * Returns a function that finds the amount which a row translates: the same metric and period in the reporting
 * currency. Null for other rows.
 */
export function createOriginalFinder(rows: readonly MetricValue[]): (row: MetricValue) => MetricValue | null {
  const reporting = findReportingCurrency(rows);
  const makeKey = ({ metric_key: key, period_kind: kind, start_date: start, end_date: end }: MetricValue): string =>
    [key, kind, start ?? '', end].join(' ');
  const originals = new Map(
    rows.filter(({ unit }) => parseCurrency(unit) === reporting).map((row) => [makeKey(row), row]),
  );
  return (row) => {
    const currency = parseCurrency(row.unit);
    if (currency !== TRANSLATED_CURRENCY || currency === reporting) return null;
    return originals.get(makeKey(row)) ?? null;
  };
}

/** Returns the amounts that translate another row. */
export function selectTranslations(rows: readonly MetricValue[]): readonly MetricValue[] {
  const findOriginal = createOriginalFinder(rows);
  return rows.filter((row) => findOriginal(row) !== null);
}
