/**
 * Finds liabilities and equity that became stale, because a later filing restated other amounts of the balance sheet
 * but not the stale amount. Also finds total assets that are only those of a part of the company.
 */
import { add, multiply, subtract, takeAbsoluteValue } from '../../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../../contract/decimal-text.ts';
import type { Fact } from '../../../edgar/facts/fact-row.ts';
import type { FactSeries } from '../../facts/fact-series.ts';
import { listMappingsOfMetric } from '../../metrics/concepts.ts';

const collectConceptNames = (...keys: string[]): ReadonlySet<string> =>
  new Set(keys.flatMap((key) => listMappingsOfMetric(key).map(({ concept }) => concept)));
const ASSETS_CONCEPTS = collectConceptNames('assets');
const LIABILITIES_CONCEPTS = collectConceptNames('liabilities');
const EQUITY_CONCEPTS = collectConceptNames('stockholders_equity', 'total_equity');

/** Parts of total assets, by their best concept. */
const ASSET_PART_CONCEPTS: ReadonlySet<string> = new Set(
  ['current_assets', 'cash_and_equivalents'].flatMap((key) =>
    listMappingsOfMetric(key).flatMap(({ concept, priority }) => (priority === 1 ? [concept] : [])),
  ),
);

/** Two amounts differ because of a restatement if their difference exceeds this fraction of assets. */
const MIN_RESTATED_RATIO: Decimal = '0.01';

/** Yields stale balances, each with the day of the later filing that makes the balance stale. */
export function* findStaleBalances(series: readonly FactSeries[]): Generator<[Fact, string]> {
  const selectSeriesWith = (concepts: ReadonlySet<string>) => series.filter(({ concept }) => concepts.has(concept));
  const allEquitySeries = selectSeriesWith(EQUITY_CONCEPTS);
  for (const liabilitySeries of selectSeriesWith(LIABILITIES_CONCEPTS)) {
    const isSameUnit = ({ unit }: FactSeries) => unit === liabilitySeries.unit;
    const assetSeries = selectSeriesWith(ASSETS_CONCEPTS).find(isSameUnit);
    if (assetSeries === undefined) continue;
    for (const seriesOfEquity of allEquitySeries.filter(isSameUnit)) {
      yield* findLiabilitiesOfEarlierEquity(assetSeries, liabilitySeries, seriesOfEquity);
      yield* findEquityOfEarlierTotals(assetSeries, liabilitySeries, seriesOfEquity);
    }
  }
}

/**
 * Yields liabilities of filings whose equity was restated later, if no filing with the restated equity states assets or
 * liabilities. A filing has the restated equity if neither it nor a later filing repeats the old equity.
 */
function* findLiabilitiesOfEarlierEquity(
  assetSeries: FactSeries,
  liabilitySeries: FactSeries,
  equitySeries: FactSeries,
): Generator<[Fact, string]> {
  for (const fact of liabilitySeries.facts) {
    const assetsAmount = findAmountInSameFiling(assetSeries, fact);
    const equityAmount = findAmountInSameFiling(equitySeries, fact);
    if (assetsAmount === undefined || equityAmount === undefined) continue;
    const isRestated = ({ value }: Fact) => isMateriallyDifferent(value, equityAmount, assetsAmount);
    const laterFacts = (equitySeries.getPeriod(fact)?.facts ?? [])
      .filter(({ filed }) => filed > fact.filed)
      .sort((a, b) => (a.filed < b.filed ? -1 : 1));
    const restatedFacts = laterFacts.slice(laterFacts.findLastIndex((laterFact) => !isRestated(laterFact)) + 1);
    const [restatement] = restatedFacts;
    if (restatement === undefined) continue;
    const isOtherTotalStated = restatedFacts.some(
      ({ accession }) =>
        findAmountInSameFiling(assetSeries, { ...fact, accession }) !== undefined ||
        findAmountInSameFiling(liabilitySeries, { ...fact, accession }) !== undefined,
    );
    if (!isOtherTotalStated) yield [fact, restatement.filed];
  }
}

/**
 * Yields equity that equals assets less liabilities in its own filing but not in a later filing. That filing restates
 * assets or liabilities and states no equity.
 */
function* findEquityOfEarlierTotals(
  assetSeries: FactSeries,
  liabilitySeries: FactSeries,
  equitySeries: FactSeries,
): Generator<[Fact, string]> {
  for (const fact of equitySeries.facts) {
    const [ownAssets, ownLiabilities] = [
      findAmountInSameFiling(assetSeries, fact),
      findAmountInSameFiling(liabilitySeries, fact),
    ];
    if (ownAssets === undefined || ownLiabilities === undefined) continue;
    if (compareDecimals(add(ownLiabilities, fact.value), ownAssets) !== 0) continue;
    const [day] = (liabilitySeries.getPeriod(fact)?.facts ?? [])
      .filter(({ filed, accession, value }) => {
        const laterAssets = findAmountInSameFiling(assetSeries, { ...fact, accession });
        if (filed <= fact.filed || laterAssets === undefined) return false;
        const hasEquity = findAmountInSameFiling(equitySeries, { ...fact, accession }) !== undefined;
        return !hasEquity && isMateriallyDifferent(subtract(laterAssets, value), fact.value, laterAssets);
      })
      .map(({ filed }) => filed)
      .sort();
    if (day !== undefined) yield [fact, day];
  }
}

/**
 * Yields total assets that are less than a part (current assets or cash) on the same day, according to all filings that
 * state the part. Such assets belong to a segment, or to a new parent company before it had acquired the business.
 * @param isContradicted whether another rule shows that the fact is wrong
 */
export function* findAssetsBelowParts(
  series: readonly FactSeries[],
  isContradicted: (fact: Fact) => boolean,
): Generator<[Fact, string]> {
  const allPartSeries = series.filter(({ concept }) => ASSET_PART_CONCEPTS.has(concept));
  for (const totalAssetSeries of series.filter(({ concept }) => ASSETS_CONCEPTS.has(concept))) {
    const partSeriesInUnit = allPartSeries.filter(({ unit }) => unit === totalAssetSeries.unit);
    for (const period of totalAssetSeries.periods) {
      for (const seriesOfPart of partSeriesInUnit) {
        const statedParts = (seriesOfPart.getPeriod(period)?.facts ?? []).filter(
          (statedPart) => !isContradicted(statedPart),
        );
        yield* findFactsBelow(statedParts, period.facts);
      }
    }
  }
}

/**
 * Yields facts with a value below every stated part, each with the first day on which both the fact and a part are
 * filed.
 */
function* findFactsBelow(statedParts: readonly Fact[], facts: readonly Fact[]): Generator<[Fact, string]> {
  const [smallestPart] = statedParts.map(({ value }) => value).sort(compareDecimals);
  const [firstDay = ''] = statedParts.map(({ filed }) => filed).sort();
  if (smallestPart === undefined) return;
  for (const fact of facts)
    if (compareDecimals(fact.value, smallestPart) < 0) yield [fact, fact.filed > firstDay ? fact.filed : firstDay];
}

/** Returns the amount that the fact's filing states in the series for the fact's day. */
function findAmountInSameFiling(series: FactSeries, fact: Fact): Decimal | undefined {
  return series.getPeriod(fact)?.findAmountOfFiling(fact.accession);
}

function isMateriallyDifferent(amount: Decimal, otherAmount: Decimal, assets: Decimal): boolean {
  const difference = takeAbsoluteValue(subtract(amount, otherAmount));
  return compareDecimals(difference, multiply(takeAbsoluteValue(assets), MIN_RESTATED_RATIO)) > 0;
}
