import { expect, test } from 'vitest';
import {
  computeImpliedPrice,
  findMajorityPrice,
  findMedianWithAgreement,
} from '../../../src/figures/prices/implied-price.ts';
import { adjustPrice, createShareCountFinder } from '../../../src/figures/prices/market-price.ts';
import {
  type DatedSplit,
  dateSplits,
  type PriceObservation,
  type PriceSource,
  selectDailyPrices,
} from '../../../src/figures/prices/price-observations.ts';
import type { ReportedValue } from '../../../src/figures/revisions/revision-chain.ts';
import type { Split } from '../../../src/figures/shares/splits.ts';
import { addDays } from '../../../src/platform/dates.ts';

const makePriceObservation = (day: string, price: string, source: PriceSource = 'fails'): PriceObservation => ({
  day,
  price,
  source,
  sample: 1,
  agreement: null,
  soldAt: null,
});

test('a position implies the closing price to the cent if only one such price gives its rounded value', () => {
  // Berkshire files its position in Ally Financial in dollars, Baupost its position in Alphabet in thousands.
  expect(computeImpliedPrice('498992850', '12719675', '0.5')).toBe('39.23');
  expect(computeImpliedPrice('338819000', '1181131', '500')).toBe('286.86');
  // Seven shares at 142.80 or at 142.90 both cost 1,000 dollars after rounding. So the exact price is unknown, and the
  // quotient is rounded to cents.
  expect(computeImpliedPrice('1000', '7', '0.5')).toBe('142.86');
  // Rounding may have changed these values by more than a thousandth.
  expect(computeImpliedPrice('499', '7', '0.5')).toBeNull();
  expect(computeImpliedPrice('326000', '1709', '500')).toBeNull();
  expect(computeImpliedPrice('10', '30000', '0.0005')).toBe('0.0003');
  // No price in whole cents gives this value, so the price has up to four decimals, without trailing zeros.
  expect(computeImpliedPrice('189308000', '1000000', '0.5')).toBe('189.308');
  expect(computeImpliedPrice('10004', '1000000', '0.5')).toBe('0.01');
  expect(computeImpliedPrice('189300200', '1000000', '0.5')).toBe('189.3002');
  expect(computeImpliedPrice('10', '0', '0.5')).toBeNull();
  expect(computeImpliedPrice('0', '5', '0.5')).toBeNull();
});

test('the price of a day is the median of implied prices, with the fraction of them that agree', () => {
  expect(findMedianWithAgreement(['271.86', '271.85', '271.86', '250', '271.86'])).toEqual({
    price: '271.86',
    sample: 5,
    agreement: '0.8',
  });
  expect(findMedianWithAgreement(['10', '20'])).toEqual({ price: '10', sample: 2, agreement: '0.5' });
  expect(findMedianWithAgreement([])).toBeNull();
});

test('holdings of unknown kind give a price only if most of those that may be shares agree', () => {
  // Apple at the end of 2025: three holdings of its shares among holdings of its bonds.
  expect(findMajorityPrice(['271.86', '0.9453', '1.0122', '271.86', '0.8930', '271.86'])).toEqual({
    price: '271.86',
    sample: 3,
    agreement: '1',
  });
  expect(findMajorityPrice(['278.85', '0.99'])).toBeNull();
  expect(findMajorityPrice(['313.0', '313.0', '25.1', '24.2', '23.3'])).toBeNull();
});

test('each day has one price, from the source with the highest priority', () => {
  const dailyPrices = selectDailyPrices([
    makePriceObservation('2026-01-30', '191.13', 'nport'),
    makePriceObservation('2025-12-31', '186.49', 'thirteen_f'),
    makePriceObservation('2025-12-31', '186.50', 'nport'),
    makePriceObservation('2026-01-30', '191.10', 'venue'),
  ]);
  expect(dailyPrices.map(({ day, price, source }) => `${day} ${price} ${source}`)).toEqual([
    '2025-12-31 186.50 nport',
    '2026-01-30 191.10 venue',
  ]);
});

/** Returns a split. Without `after`, both `after` and `until` are null, as in releases of earlier versions of fin. */
const makeSplit = (
  ratio: string,
  effective: string,
  after: string | null = null,
  until = after && effective,
): Split => ({
  ratio,
  effective,
  accession: '0000000000-00-000000',
  after,
  until,
  proven: null,
});

test('a price of the day and one of the trading day before prove the day of a split', () => {
  // Apple's 4:1 split: 499.23 on Friday 28 August 2020, 129.04 on Monday. The filing states only the date of its
  // report.
  const dailyObservations = [
    makePriceObservation('2020-08-27', '500.04'),
    makePriceObservation('2020-08-28', '499.23'),
    makePriceObservation('2020-08-31', '129.04'),
  ];
  const [datedSplit] = dateSplits([makeSplit('4', '2020-10-30')], dailyObservations);
  expect(datedSplit).toMatchObject({ after: '2020-08-28', until: '2020-08-31', provenBy: 'fails' });
  // Without the price of Friday or of Monday, the day of the split is unproven; the split is between the remaining
  // prices.
  for (const pricesWithGap of [
    dailyObservations.toSpliced(1, 1),
    [...dailyObservations.slice(0, 2), makePriceObservation('2020-09-01', '134.18')],
  ]) {
    expect(dateSplits([makeSplit('4', '2020-10-30')], pricesWithGap)).toMatchObject([
      { after: pricesWithGap.at(-2)?.day, until: pricesWithGap.at(-1)?.day, provenBy: null },
    ]);
  }
});

test("prices a few days before and after a declared day prove it; a board's decision day is not proven", () => {
  const appleSplit = { ...makeSplit('4', '2020-10-16', '2020-07-31'), effective: '2020-08-31' };
  const applePrices = [makePriceObservation('2020-08-28', '499.23'), makePriceObservation('2020-09-01', '134.18')];
  expect(dateSplits([appleSplit], applePrices)).toMatchObject([
    { after: '2020-08-28', until: '2020-08-31', provenBy: 'fails' },
  ]);
  // Tesla's 5:1 split was effective on 31 August 2020. Filings declare 10 August, the day of the board's decision, so
  // fin takes the next trading day, 11 August, as the declared day.
  const teslaSplit = { ...makeSplit('5', '2020-10-20', '2020-07-28'), effective: '2020-08-11' };
  const teslaPrices = [
    makePriceObservation('2020-08-06', '1489.58'),
    makePriceObservation('2020-08-13', '1621.00'),
    makePriceObservation('2020-09-02', '447.37'),
  ];
  expect(dateSplits([teslaSplit], teslaPrices)).toMatchObject([
    { after: '2020-08-13', until: '2020-09-02', provenBy: null },
  ]);
  // A gap of a month between prices does not prove the declared day, although the declared day is within the gap.
  expect(dateSplits([teslaSplit], teslaPrices.toSpliced(1, 1))).toMatchObject([{ provenBy: null }]);
});

test('a split in a gap between prices has no proven day, even if filings state one', () => {
  // The 4:1 split of NVIDIA in July 2021, the 20:1 split of Amazon and the 3:1 split of Tesla in 2022, with prices only
  // long before and after. Tesla's filings state the day of its meeting, Amazon's filings no day.
  const dateSplitInGap = (ratio: string, after: string, until: string, priceBefore: string, priceAfter: string) =>
    dateSplits(
      [makeSplit(ratio, until, after)],
      [makePriceObservation('2021-06-14', priceBefore), makePriceObservation('2022-12-02', priceAfter)],
    );
  expect(dateSplitInGap('4', '2021-05-26', '2021-08-20', '694.33', '168.76')).toMatchObject([
    { after: '2021-06-14', until: '2021-08-20', provenBy: null },
  ]);
  expect(dateSplitInGap('20', '2022-04-29', '2022-07-29', '3346.83', '96.54')).toMatchObject([
    { after: '2022-04-29', until: '2022-07-29', provenBy: null },
  ]);
  expect(dateSplitInGap('3', '2022-07-19', '2022-10-18', '609.89', '194.70')).toMatchObject([{ provenBy: null }]);
});

test('a split that no price shows has no day, and one that prices contradict is removed', () => {
  // NVIDIA's 10:1 split of June 2024: prices of 229.65 in March 2023 and 177.00 in November 2025 neither show nor
  // exclude the split.
  const unprovenSplits = dateSplits(
    [makeSplit('10', '2024-06-10')],
    [makePriceObservation('2023-03-13', '229.65'), makePriceObservation('2025-11-28', '177.00')],
  );
  expect(unprovenSplits).toMatchObject([{ ratio: '10', after: '2024-02-21', until: '2024-07-25', provenBy: null }]);
  expect(dateSplits([makeSplit('10', '2024-06-10')], [])).toMatchObject([{ provenBy: null }]);
  const weeklyPrices = Array.from({ length: 40 }, (_, week) =>
    makePriceObservation(new Date(Date.UTC(2022, 0, 3 + week * 7)).toISOString().slice(0, 10), '50.00'),
  );
  expect(dateSplits([makeSplit('2', '2022-06-06')], weeklyPrices)).toEqual([]);
});

test('a split that filings date only by their next report is dated by the change of prices', () => {
  // The 5:1 split of ServiceNow on 18 December 2025 and the 10:1 split of Netflix on 17 November, both reported in
  // January.
  const serviceNowPrices = [
    makePriceObservation('2025-11-28', '812.41', 'nport'),
    makePriceObservation('2025-12-31', '153.19', 'nport'),
    makePriceObservation('2026-01-30', '117.01', 'nport'),
  ];
  expect(dateSplits([makeSplit('5', '2026-01-29')], serviceNowPrices)).toMatchObject([
    { after: '2025-11-28', until: '2025-12-31', provenBy: null },
  ]);
  const netflixPrices = [
    makePriceObservation('2023-03-13', '293.51'),
    makePriceObservation('2025-11-28', '107.58', 'nport'),
    makePriceObservation('2025-12-31', '93.76', 'nport'),
    makePriceObservation('2026-01-30', '83.49', 'nport'),
  ];
  expect(dateSplits([makeSplit('10', '2026-01-23', '2025-10-17')], netflixPrices)).toMatchObject([
    { after: '2025-10-17', until: '2025-11-28', provenBy: null },
  ]);
});

const makeProvenSplit = (ratio: string, exDate: string): DatedSplit => ({
  ratio,
  accession: 'a',
  after: addDays(exDate, -1),
  until: exDate,
  provenBy: 'fails',
});
const makeSplitBetween = (ratio: string, after: string, until: string): DatedSplit => ({
  ratio,
  accession: 'a',
  after,
  until,
  provenBy: null,
});

test('an old price is adjusted for every later split, and not adjusted if a split may be before or after it', () => {
  const splits = [makeProvenSplit('4', '2021-07-20'), makeProvenSplit('10', '2024-06-10')];
  expect(adjustPrice('522.20', '2020-12-31', splits)).toBe('13.055');
  expect(adjustPrice('168.76', '2022-12-02', splits)).toBe('16.876');
  expect(adjustPrice('186.50', '2025-12-31', splits)).toBe('186.50');
  const datedAndUndatedSplits = [
    makeSplitBetween('4', '2021-06-14', '2021-08-20'),
    makeProvenSplit('10', '2024-06-10'),
  ];
  expect(adjustPrice('522.20', '2020-12-31', datedAndUndatedSplits)).toBe('13.055');
  expect(adjustPrice('713.01', '2021-06-14', datedAndUndatedSplits)).toBe('17.82525');
  expect(adjustPrice('745.55', '2021-06-15', datedAndUndatedSplits)).toBe('745.55');
  expect(adjustPrice('190.57', '2021-08-19', datedAndUndatedSplits)).toBe('190.57');
  expect(adjustPrice('208.16', '2021-08-20', datedAndUndatedSplits)).toBe('20.816');
  expect(adjustPrice('186.50', '2025-12-31', datedAndUndatedSplits)).toBe('186.50');
  // Herc's reverse split of one for fifteen: the factor is exactly 15, not 1 / 0.0666666667.
  expect(adjustPrice('2.33', '2016-06-30', [makeProvenSplit('0.0666666667', '2016-07-01')])).toBe('34.95');
});

const makeShareCount = (
  end: string,
  value: string,
  { taxonomy = 'dei', filed = end, rank = 1, fiscalPeriod = end } = {},
): ReportedValue =>
  ({
    ...{ metricKey: 'common_shares_outstanding', unit: 'shares', start: null, end, periodKind: 'instant' },
    ...{ fiscalYear: null, fiscalPeriod, rank, kind: rank === 1 ? 'first' : 're_expressed', value, splitRatio: null },
    ...{ taxonomy, concept: 'EntityCommonStockSharesOutstanding', rawValue: value, form: '10-Q', frame: null },
    ...{ accession: `${end} ${filed}`, filed, contradictedOn: null, classCounts: null },
  }) as ReportedValue;

test('a share count is adjusted for splits up to the day of the price, and used for at most 400 days', () => {
  const shareCounts = [makeShareCount('2021-05-21', '623000000'), makeShareCount('2021-08-18', '2500000000')];
  const findShareCount = createShareCountFinder(
    shareCounts,
    [makeSplit('4', '2021-07-20')],
    [makeProvenSplit('4', '2021-07-20')],
  );
  expect(findShareCount('2021-06-11')).toEqual({ shares: '623000000', asOf: '2021-05-21' });
  expect(findShareCount('2021-07-20')).toEqual({ shares: '2492000000', asOf: '2021-05-21' });
  expect(findShareCount('2021-08-18')).toEqual({ shares: '2500000000', asOf: '2021-08-18' });
  expect(findShareCount('2022-09-22')?.asOf).toBe('2021-08-18');
  expect(findShareCount('2022-09-23')).toBeNull();
  expect(findShareCount('2021-05-20')).toBeNull();
});

test('no share count applies if the day may be before or after a split', () => {
  const countsAroundSplit = [makeShareCount('2021-05-21', '623000000'), makeShareCount('2021-08-18', '2500000000')];
  const findShareCount = createShareCountFinder(
    countsAroundSplit,
    [makeSplit('4', '2021-07-20')],
    [makeSplitBetween('4', '2021-06-14', '2021-08-18')],
  );
  expect(findShareCount('2021-06-14')?.shares).toBe('623000000');
  expect(findShareCount('2021-07-20')).toBeNull();
  expect(findShareCount('2021-08-18')?.shares).toBe('2500000000');
});

test('a count restated after a split applies from its filing date, and before that date the first count', () => {
  const restatedCounts = [
    makeShareCount('2021-01-31', '620000000', { taxonomy: 'us-gaap' }),
    makeShareCount('2021-01-31', '2480000000', { taxonomy: 'us-gaap', filed: '2021-08-20', rank: 2 }),
  ];
  const findShareCount = createShareCountFinder(
    restatedCounts,
    [makeSplit('4', '2021-07-20')],
    [makeProvenSplit('4', '2021-07-20')],
  );
  expect(findShareCount('2021-03-01')?.shares).toBe('620000000');
  expect(findShareCount('2021-08-19')?.shares).toBe('2480000000');
  expect(findShareCount('2021-08-20')?.shares).toBe('2480000000');
});

test('a share count does not apply to days before it was filed', () => {
  const findShareCount = createShareCountFinder([makeShareCount('2022-10-14', '100', { filed: '2022-10-28' })], [], []);
  expect(findShareCount('2022-10-27')).toBeNull();
  expect(findShareCount('2022-10-28')?.shares).toBe('100');
});
