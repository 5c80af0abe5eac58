import { expect } from 'vitest';
import { add, isNearlyEqual, multiply, subtract, sum, takeAbsoluteValue } from '../../src/contract/decimal.ts';
import { compareDecimals } from '../../src/contract/decimal-text.ts';
import { FIGURES, REMAINDERS } from '../../src/contract/figures.ts';
import { formatSplitRatio } from '../../src/contract/split-ratio.ts';
import { readCompanyFacts } from '../../src/edgar/facts/company-facts.ts';
import type { Fact } from '../../src/edgar/facts/fact-row.ts';
import { openPublicFiles } from '../../src/edgar/files/public-files.ts';
import { classifyForm } from '../../src/edgar/filings/forms.ts';
import { readSubmissions } from '../../src/edgar/filings/submissions.ts';
import { checkCompanyIdentities, type IdentityResult, mergeResults } from '../../src/figures/checks/identities.ts';
import { type CompanyFigures, deriveCompanyFigures } from '../../src/figures/company.ts';
import { findFiguresAfterBasisBreak } from '../../src/figures/derived/basis-breaks.ts';
import { type Figure, type FigureValue, findFirstKnownDay } from '../../src/figures/derived/figure.ts';
import { isDerivedOnRequest, listOperandsOfMetric } from '../../src/figures/derived/formulas.ts';
import { createSplitAdjuster } from '../../src/figures/derived/shares-of-today.ts';
import {
  dropDuplicates,
  listFigureValues,
  selectFigures,
  selectFiguresOfPeriods,
} from '../../src/figures/figure-values.ts';
import { findSplitEffect, isAdditive } from '../../src/figures/metrics/metric-rules.ts';
import {
  type ReportedValue,
  selectReliableValues,
  splitIntoChains,
} from '../../src/figures/revisions/revision-chain.ts';
import type { Split } from '../../src/figures/shares/splits.ts';
import { groupBy, pushTo } from '../../src/platform/collections.ts';
import { addDays, countDaysBetween } from '../../src/platform/dates.ts';
import { expectOfFiles, getPublicFilePath, selectOfFiles, testWithPublicFile } from '../public-files.ts';
import { COMPARED_KEYS, listDisagreements } from './screen-agreement.ts';

const DERIVE_OPTIONS = { releaseDate: '2026-08-20' };

const formatKey = ({ metricKey, unit, start, end }: Pick<ReportedValue, 'metricKey' | 'unit' | 'start' | 'end'>) =>
  `${metricKey} ${unit} ${start} ${end}`;

/**
 * Results of one pass over all companies. They are collected first and checked afterwards, because one `expect` call
 * per fact would take a minute.
 */
interface Findings {
  readonly failureMessages: readonly string[];
  readonly derivedQuarters: number;
  readonly identities: readonly IdentityResult[];
}

let cachedFindings: Promise<Findings> | undefined;

function getFindings(): Promise<Findings> {
  cachedFindings ??= checkAllCompanies();
  return cachedFindings;
}

async function checkAllCompanies(): Promise<Findings> {
  const publicFiles = await openPublicFiles(getPublicFilePath(''));
  const failureMessages: string[] = [];
  const identityResults: IdentityResult[][] = [];
  let derivedQuarterCount = 0;
  for (const [index, cik] of selectOfFiles(publicFiles.factCiks, 6).entries()) {
    const { facts } = readCompanyFacts((await publicFiles.readFacts(cik)) ?? Buffer.alloc(0));
    const { mainFile, pageFiles } = await publicFiles.readSubmissionFiles(cik);
    const company = deriveCompanyFigures(facts, readSubmissions(mainFile, pageFiles).filings, DERIVE_OPTIONS);
    const values = listFigureValues(company.reportedValues);
    for (const error of findCompanyErrors(company, values, facts)) failureMessages.push(`CIK ${cik}: ${error}`);
    // Checks only every second company, because the service's tests compare metrics and screener for every company of
    // the sample.
    if (index % 2 === 0)
      for (const error of findScreenDisagreements(company)) failureMessages.push(`CIK ${cik}: ${error}`);
    derivedQuarterCount += values.filter(
      (value) => value.periodKind === 'quarter' && value.valueKind === 'derived',
    ).length;
    const accessions = new Set(facts.map(({ accession }) => accession));
    identityResults.push(
      checkCompanyIdentities({
        cik,
        relations: company.relations,
        figures: company.figures,
        screen: company.screen && { ...company.screen.figures, unconfirmed: company.screen.unconfirmed },
        filings: accessions,
      }),
    );
  }
  publicFiles.close();
  return { failureMessages, derivedQuarters: derivedQuarterCount, identities: mergeResults(identityResults) };
}

/** Yields what is wrong with the chains and figures of a company. */
function* findCompanyErrors(
  company: CompanyFigures,
  values: readonly FigureValue[],
  facts: readonly Fact[],
): Generator<string> {
  const { reportedValues, splits } = company;
  const { currentFigures } = selectFigures(reportedValues);
  const listFiguresOf = (keys: readonly string[]) =>
    listFigureValues(reportedValues, { keys, twelveMonths: true, splits });
  for (const chain of splitIntoChains(reportedValues)) yield* findChainErrors(chain);
  for (const value of values) yield* findValueErrors(value);
  yield* findMixedBases(values, reportedValues);
  yield* findUnequalSums(listFigureValues(reportedValues, { twelveMonths: true }));
  yield* findUnequalSums(listFiguresOf(REMAINDER_KEYS), MAX_REMAINDER_ROUNDING);
  yield* findNeverCurrentTogether(listFiguresOf(RATIO_AND_GROWTH_KEYS), reportedValues);
  // The id of a figure consists of the fields in `formatKey`, so no two figures may have the same fields.
  if (hasDuplicates(values.map(formatKey))) yield 'two rows of one figure';
  yield* findDuplicatePeriods(values);
  yield* findMissingYears(facts, values);
  yield* findJumpingYears(values);
  yield* findLatestErrors(
    selectFiguresOfPeriods(values, 'latest'),
    listFigureValues(reportedValues, { period: 'latest' }),
  );
  yield* findSplitErrors(splits);
  yield* findUnequalProfits(values, reportedValues);
  yield* findUnlistedBreaks(currentFigures);
  yield* findAdjustmentErrors(currentFigures, company);
  yield* findCollapseErrors(currentFigures, dropDuplicates(currentFigures));
}

const hasDuplicates = (keys: readonly string[]) => new Set(keys).size !== keys.length;

testWithPublicFile(
  'companyfacts.zip',
  'the revision chains and figures of every company pass the checks of this file, except one year of a former shell',
  async () => {
    const { failureMessages, derivedQuarters } = await getFindings();
    expect(failureMessages.filter((message) => !SHELL_COMPANY_EXCEPTIONS.includes(message))).toEqual([]);
    expect(derivedQuarters).toBeGreaterThan(expectOfFiles(600, 400));
  },
);

/** Vertiv's year 2018 has quarters of the shell company with which it merged in 2020. */
const SHELL_COMPANY_EXCEPTIONS = ['net_income', 'consolidated_net_income'].map(
  (key) => `CIK 1674101: ${key} USD 2018-01-01 2018-12-31: not the sum of its quarters`,
);

testWithPublicFile(
  'companyfacts.zip',
  'figures of one filing, of one metric and of one row agree with each other',
  async () => {
    const { identities } = await getFindings();
    console.table(Object.fromEntries(identities.map(({ name, checked, broken }) => [name, { checked, broken }])));
    for (const result of identities) {
      for (const { subject, off } of result.worst) console.log(`${result.name}: ${subject}, ${off} off`);
      expect(result.checked, result.name).toBeGreaterThan(0);
      expect.soft(result.marked, result.name).toBe(result.broken);
      if (result.kind === 'own') expect.soft(result.broken, result.name).toBe(0);
    }
  },
);

/** Compares the latest of all figures with figures that were derived for the latest periods only. */
function* findLatestErrors(expected: readonly FigureValue[], latestFigures: readonly FigureValue[]): Generator<string> {
  if (hasDuplicates(expected.map(({ metricKey, unit }) => `${metricKey} ${unit}`)))
    yield 'two latest figures of one metric';
  const latestTexts = new Set(latestFigures.map(describeFigure));
  const missingFigures = expected.filter((value) => !latestTexts.has(describeFigure(value)));
  if (expected.length !== latestFigures.length || missingFigures.length > 0)
    yield `${latestFigures.length} latest figures instead of ${expected.length}, without ${missingFigures.map(formatKey)}`;
}

function describeFigure(value: FigureValue): string {
  const inputTexts = value.inputs.map(({ role, reported }) => `${role} ${reported.concept} ${reported.accession}`);
  return [formatKey(value), value.value, value.confidence, value.fiscalPeriod, value.fiscalYear, ...inputTexts].join(
    ' ',
  );
}

/**
 * Filings may give dates to one period that differ by at most this number of days. A larger difference indicates
 * another company, such as a shell before a merger.
 */
const MAX_SAME_PERIOD_DAYS = 9;

/**
 * Yields periods with two rows of one metric and unit. Periods whose dates differ by a few days count as one period.
 */
function* findDuplicatePeriods(values: readonly FigureValue[]): Generator<string> {
  const valuesBySeries = new Map<string, FigureValue[]>();
  for (const value of values) {
    if (value.start === null) continue;
    const key = `${value.metricKey} ${value.unit} ${value.periodKind}`;
    for (const other of valuesBySeries.get(key) ?? []) {
      if (areDaysClose(other.end, value.end) && areDaysClose(other.start, value.start))
        yield `${formatKey(value)}: the period has two rows`;
    }
    pushTo(valuesBySeries, key, value);
  }
}

/** Yields fiscal years without net income, although an annual report states it, as its own year or as a comparative. */
function* findMissingYears(facts: readonly Fact[], values: readonly FigureValue[]): Generator<string> {
  const annualAccessionByEnd = new Map<string, string>();
  for (const { concept, form, start, end, accession } of facts) {
    if (!NET_INCOME_CONCEPTS.has(concept) || start === null || classifyForm(form) !== 'annual') continue;
    const dayCount = countDaysBetween(start, end) + 1;
    if (dayCount >= 340 && dayCount <= 385) annualAccessionByEnd.set(end, accession);
  }
  const yearFigures = values.filter(
    ({ metricKey, fiscalPeriod }) => metricKey === 'net_income' && fiscalPeriod === 'FY',
  );
  for (const [end, accession] of annualAccessionByEnd) {
    if (!yearFigures.some((year) => areDaysClose(year.end, end)))
      yield `${end} of ${accession}: a year without net income`;
  }
}

/** Yields fiscal years that end a year after another fiscal year, but do not have the next number. */
function* findJumpingYears(values: readonly FigureValue[]): Generator<string> {
  const yearByEnd = new Map<string, number>();
  for (const { end, periodKind, fiscalPeriod, fiscalYear } of values) {
    if (periodKind === 'annual' && fiscalPeriod === 'FY' && fiscalYear !== null) yearByEnd.set(end, fiscalYear);
  }
  for (const [end, year] of yearByEnd) {
    for (const [nextEnd, nextYear] of yearByEnd) {
      const days = nextEnd > end ? countDaysBetween(end, nextEnd) : 0;
      if (days >= 350 && days <= 380 && nextYear !== year + 1)
        yield `the year to ${end} is ${year}, and the year to ${nextEnd} is ${nextYear}`;
    }
  }
}

const NET_INCOME_CONCEPTS: ReadonlySet<string> = new Set([
  'NetIncomeLoss',
  'ProfitLoss',
  'ProfitLossAttributableToOwnersOfParent',
]);

function areDaysClose(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && Math.abs(countDaysBetween(a, b)) <= MAX_SAME_PERIOD_DAYS;
}

function findScreenDisagreements({ reportedValues, splits, screen }: CompanyFigures): string[] {
  if (screen === null) return [];
  const values = listFigureValues(reportedValues, { keys: COMPARED_KEYS, splits });
  const rows = values.map(({ metricKey, ...value }) => ({ key: metricKey, ...value }));
  return listDisagreements((column) => screen.figures[column] ?? screen.dates[column] ?? null, rows);
}

function* findSplitErrors(splits: readonly Split[]): Generator<string> {
  for (const { ratio, effective, after, until } of splits) {
    const splitName = `split ${formatSplitRatio(ratio)} of ${effective}`;
    if (after === null || until === null || !(after < effective && effective <= until))
      yield `${splitName}: out of bounds`;
    if (!/^(?:1:\d+(?:\.\d\d?)?|\d+(?:\.\d+)?:1)$/.test(formatSplitRatio(ratio))) yield `${splitName}: no exact ratio`;
  }
}

/**
 * Yields gross profits that differ from revenue less cost. The difference is allowed if one filing reports both the
 * cost and the gross profit.
 */
function* findUnequalProfits(values: readonly FigureValue[], reported: readonly ReportedValue[]): Generator<string> {
  const chainByKey = new Map(splitIntoChains(reported).map((chain) => [formatKey(chain[0] as ReportedValue), chain]));
  const collectAccessions = (value: FigureValue) =>
    new Set(
      (chainByKey.get(formatKey(value)) ?? []).filter((row) => row.value === value.value).map((row) => row.accession),
    );
  const valuesByPeriod = groupBy(values, ({ unit, start, end }) => `${unit} ${start} ${end}`);
  for (const periodValues of valuesByPeriod.values()) {
    const [revenue, cost, profit] = ['revenue', 'cost_of_revenue', 'gross_profit'].map((key) =>
      periodValues.find(({ metricKey, valueKind }) => metricKey === key && valueKind === 'reported'),
    );
    if (revenue === undefined || cost === undefined || profit === undefined) continue;
    if (isNearlyEqual(subtract(revenue.value, cost.value), profit.value, '0.02')) continue;
    const accessionSets = [collectAccessions(revenue), collectAccessions(cost), collectAccessions(profit)];
    const commonAccessions = [...(accessionSets[1] ?? [])].filter((accession) => accessionSets[2]?.has(accession));
    // If one filing reports cost and gross profit, only the revenue was restated.
    if (commonAccessions.length === 0)
      yield `${formatKey(profit)}: not revenue ${revenue.value} less cost ${cost.value}`;
  }
}

/** Yields years that differ from the sum of their four quarters, although they are not listed as breaks of basis. */
function* findUnlistedBreaks(figures: readonly Figure[]): Generator<string> {
  const basisBreaks = findFiguresAfterBasisBreak(figures);
  const quartersBySeries = groupBy(
    figures.filter(({ periodKind }) => periodKind === 'quarter'),
    ({ metricKey, unit }) => `${metricKey} ${unit}`,
  );
  for (const yearFigure of figures) {
    if (yearFigure.periodKind !== 'annual' || yearFigure.start === null || !isAdditive(yearFigure.metricKey)) continue;
    const { start, end } = yearFigure;
    const yearQuarters = (quartersBySeries.get(`${yearFigure.metricKey} ${yearFigure.unit}`) ?? []).filter(
      (quarter) => quarter.start !== null && quarter.start >= start && quarter.end <= end,
    );
    if (yearQuarters.length !== 4 || basisBreaks.has(yearFigure)) continue;
    const difference = takeAbsoluteValue(subtract(sum(yearQuarters.map(({ value }) => value)), yearFigure.value));
    const absoluteSum = sum(yearQuarters.map(({ value }) => takeAbsoluteValue(value)));
    if (compareDecimals(multiply(difference, '100'), absoluteSum) > 0)
      yield `${formatKey(yearFigure)}: differs from its quarters without a break of basis`;
  }
}

/** Yields split-adjusted figures that, converted back by the split ratio, do not equal the filed figure. */
function* findAdjustmentErrors(
  figures: readonly Figure[],
  { reportedValues, splits }: CompanyFigures,
): Generator<string> {
  const adjust = createSplitAdjuster(reportedValues, splits);
  for (const filedFigure of figures) {
    const { figure, ratio } = adjust(filedFigure);
    if (ratio == null) {
      if (figure.value !== filedFigure.value) yield `${formatKey(filedFigure)}: adjusted without a ratio`;
      continue;
    }
    const isShareCount = findSplitEffect(filedFigure.metricKey) === 'shares';
    const [timesOldShares, timesNewShares] = isShareCount
      ? [figure.value, filedFigure.value]
      : [filedFigure.value, figure.value];
    // A reverse split gives fractions of shares, which are rounded to ten decimals.
    if (
      !isNearlyEqual(multiply(timesOldShares, ratio.oldShares), multiply(timesNewShares, ratio.newShares), '0.000001')
    )
      yield `${formatKey(filedFigure)}: ${filedFigure.value} is not ${figure.value} by ${ratio.newShares}:${ratio.oldShares}`;
  }
}

/** Matches Salesforce's filings: the test data gives one of its quarters the number of a filing two years later. */
const MISNUMBERED_ACCESSION_PATTERN = /^0001108524-/;

function* findChainErrors(chain: readonly ReportedValue[]): Generator<string> {
  const lastValue = chain.at(-1);
  for (const [index, row] of chain.entries()) {
    const valueName = `${formatKey(row)} rank ${row.rank}`;
    if (row.rank !== index + 1) yield `${valueName}: rank is not its position in the chain`;
    if ((row.kind === 'first') !== (index === 0))
      yield `${valueName}: kind "first" does not match its position in the chain`;
    if ((row.splitRatio === null) !== (row.kind !== 're_expressed'))
      yield `${valueName}: split ratio does not match its kind`;
    if ((chain[index - 1]?.filed ?? '') > row.filed) yield `${valueName}: filed before the previous value`;
    // The SEC assigns a frame only to the last filed fact of a concept and period.
    const hasCheckableFrame =
      row.frame !== null && row.concept === lastValue?.concept && !MISNUMBERED_ACCESSION_PATTERN.test(row.accession);
    if (
      hasCheckableFrame &&
      chain.slice(index + 1).some((later) => later.concept === row.concept && haveSameDates(later, row))
    )
      yield `${valueName}: has a frame, but a later value has the same concept and dates`;
  }
  if (new Set(chain.map((row) => row.accession)).size !== chain.length) yield 'two values from one filing';
}

function haveSameDates(a: ReportedValue, b: ReportedValue): boolean {
  return a.filedStart === b.filedStart && a.filedEnd === b.filedEnd;
}

function* findValueErrors(value: FigureValue): Generator<string> {
  const { readFrom, end } = value;
  // 45 days, because dividends may be declared for a date a few weeks after the filing.
  if (end > addDays(readFrom.filed, 45)) yield `${formatKey(value)}: ends too long after its filing`;
  if (readFrom.filed > DERIVE_OPTIONS.releaseDate) yield `${formatKey(value)}: filed after the release`;
  const hasNoOperands = listOperandsOfMetric(value.metricKey).length === 0;
  if (value.valueKind === 'reported' || value.periodKind !== 'quarter' || !hasNoOperands) return;
  // A derived quarter plus the subtracted months must be exactly the longer period, so that four quarters add up to
  // their year.
  const [longerPeriod, ...subtracted] = value.inputs;
  const sum = subtracted.reduce((total, part) => add(total, part.reported.value), value.value);
  if (longerPeriod?.role !== 'minuend' || compareDecimals(sum, longerPeriod.reported.value) !== 0)
    yield `${formatKey(value)}: does not add up`;
}

/**
 * `collapsed` is the result of `dropDuplicates`. Yields periods that have no figure left, kept figures that were known
 * later than a removed one, and an error if a second call removes more.
 */
function* findCollapseErrors(figures: readonly Figure[], collapsed: readonly Figure[]): Generator<string> {
  const formatPeriod = ({ metricKey, unit, periodKind, end }: Figure) => `${metricKey} ${unit} ${periodKind} ${end}`;
  if (dropDuplicates(collapsed).length !== collapsed.length) yield 'a second collapse removes more figures';
  const collapsedFigureByPeriod = new Map(collapsed.map((figure) => [formatPeriod(figure), figure]));
  for (const figure of figures) {
    const collapsedFigure = collapsedFigureByPeriod.get(formatPeriod(figure));
    if (collapsedFigure === undefined) yield `${formatKey(figure)}: missing after collapsing`;
    else if (
      figure.derived === collapsedFigure.derived &&
      findFirstKnownDay(figure) < findFirstKnownDay(collapsedFigure)
    )
      yield `${formatKey(figure)}: removed by collapsing, although known earlier`;
  }
}

/** Yields figures that mix a restated input with an unrestated input of the same metric or period. */
function* findMixedBases(values: readonly FigureValue[], reported: readonly ReportedValue[]): Generator<string> {
  const reliableChainEntries = splitIntoChains(reported).map(
    (chain) => [formatKey(chain[0] as ReportedValue), selectReliableValues(chain, null)] as const,
  );
  const chainByKey = new Map(reliableChainEntries);
  for (const value of values) {
    if (value.valueKind === 'reported') continue;
    const inputs = value.inputs.map(({ reported: row }) => {
      const chain = chainByKey.get(formatKey(row)) ?? [];
      const versions = chain.filter(({ kind }) => kind !== 'same');
      const version = versions.findLast(({ rank }) => rank <= row.rank);
      const lastRepeat = chain.findLast(
        ({ rank }) => rank < (versions.find((next) => next.rank > row.rank)?.rank ?? 999),
      );
      // A correction of a contradicted value is not a restatement.
      const isCorrected = version?.kind === 'revised' && version === chain[0];
      const isRevised = version?.kind === 'revised' && !isCorrected;
      return {
        row,
        corrected: isCorrected,
        revised: isRevised,
        since: version?.filed ?? '',
        until: lastRepeat?.filed ?? '',
      };
    });
    for (const { row, since } of inputs.filter(({ revised }) => revised)) {
      const relatedInputs = inputs.filter(
        (other) => other.row.metricKey === row.metricKey || other.row.end === row.end,
      );
      if (relatedInputs.some((other) => !other.revised && !other.corrected && other.until < since))
        yield `${formatKey(value)}: mixes two bases`;
    }
  }
}

/**
 * Maximum relative difference between a year and the sum of its quarters. They differ slightly, because filers round
 * amounts.
 */
const MAX_ROUNDING = '0.03';

const REMAINDER_KEYS = REMAINDERS.map(({ key }) => key);
/** Maximum relative difference between a year's remainder and the sum of its quarters' remainders. */
const MAX_REMAINDER_ROUNDING = '0.005';

/**
 * Yields annual and trailing-twelve-month figures that differ from the sum of their four quarters. Also yields
 * trailing-twelve-month figures whose period is not about a year long.
 */
function* findUnequalSums(values: readonly FigureValue[], maxRounding = MAX_ROUNDING): Generator<string> {
  const figuresBySeries = groupBy(
    values.filter(({ start, unit }) => start !== null && unit.length === 3),
    ({ metricKey, unit }) => `${metricKey} ${unit}`,
  );
  for (const figures of figuresBySeries.values()) {
    const quarterFigures = figures.filter(({ periodKind }) => periodKind === 'quarter');
    for (const longPeriodFigure of figures) {
      if (longPeriodFigure.periodKind !== 'annual' && longPeriodFigure.periodKind !== 'ttm') continue;
      const spanDayCount = countDaysBetween(longPeriodFigure.start ?? '', longPeriodFigure.end);
      if (longPeriodFigure.periodKind === 'ttm' && (spanDayCount < 340 || spanDayCount > 385))
        yield `${formatKey(longPeriodFigure)}: does not span twelve months`;
      const quartersWithin = quarterFigures.filter(
        ({ start, end }) => (start ?? '') >= (longPeriodFigure.start ?? '') && end <= longPeriodFigure.end,
      );
      // Quarters of a shell company are within the year of the business with which it merged, but do not belong to it.
      const isDerivedFromYear = ({ end, valueKind, inputs: [firstInput] }: FigureValue) =>
        valueKind === 'derived' &&
        end === longPeriodFigure.end &&
        firstInput?.reported.start === longPeriodFigure.start;
      // A quarter of a year that was restated without its months is derived from the year's earlier value.
      const isDerivedFromEarlierValue = (quarter: FigureValue) =>
        isDerivedFromYear(quarter) && quarter.inputs[0]?.reported.value !== longPeriodFigure.value;
      if (
        quartersWithin.length !== 4 ||
        quartersWithin.some(isDerivedFromEarlierValue) ||
        (longPeriodFigure.periodKind === 'annual' && !quartersWithin.some(isDerivedFromYear))
      )
        continue;
      const difference = takeAbsoluteValue(
        subtract(sum(quartersWithin.map(({ value }) => value)), longPeriodFigure.value),
      );
      const magnitude = sum(quartersWithin.map(({ value }) => takeAbsoluteValue(value)));
      if (compareDecimals(difference, multiply(magnitude, maxRounding)) > 0)
        yield `${formatKey(longPeriodFigure)}: not the sum of its quarters`;
    }
  }
}

/** Keys of ratios and changes, which compare two figures. */
const RATIO_AND_GROWTH_KEYS = FIGURES.filter(({ key, formula }) => {
  return isDerivedOnRequest(key) && (formula?.kind === 'ratio' || formula?.kind === 'growth');
}).map(({ key }) => key);

/** Yields ratios and changes of two values that are not in one filing and were never current on the same day. */
function* findNeverCurrentTogether(
  values: readonly FigureValue[],
  reported: readonly ReportedValue[],
): Generator<string> {
  const chainByKey = new Map(
    splitIntoChains(reported).map((chain) => [formatKey(chain[0] as ReportedValue), selectReliableValues(chain, null)]),
  );
  for (const value of values) {
    const inputs = value.inputs.map(({ reported: row }) => {
      const chain = chainByKey.get(formatKey(row)) ?? [];
      // The growth of a value per share is computed in the shares of the later value.
      const isConverted = value.unit === 'pure' && findSplitEffect(row.metricKey) !== null;
      const changes = chain.filter(({ kind }) => kind !== 'same' && !(isConverted && kind === 're_expressed'));
      const from = changes.findLast(({ rank }) => rank <= row.rank)?.filed ?? '';
      return { row, from, until: changes.find(({ rank }) => rank > row.rank)?.filed ?? '9' };
    });
    const lastStart = inputs.reduce((day, { from }) => (from > day ? from : day), '');
    if (inputs.every(({ until }) => lastStart < until)) continue;
    if (new Set(inputs.map(({ row }) => row.accession)).size > 1)
      yield `${formatKey(value)}: values that were never current together`;
  }
}
