import { expect } from 'vitest';
import { absolute, add, multiply, nearlyEqual, subtract, sum } from '../../src/contract/decimal.ts';
import { compareDecimals } from '../../src/contract/decimal-text.ts';
import { REMAINDERS } from '../../src/contract/figures/remainders.ts';
import { FIGURES } from '../../src/contract/figures.ts';
import { ratioText } from '../../src/contract/split-ratio.ts';
import { readCompanyFacts } from '../../src/edgar/facts/company-facts.ts';
import type { Fact } from '../../src/edgar/facts/fact-row.ts';
import { openArchive } from '../../src/edgar/files/archive.ts';
import { openPublicFiles } from '../../src/edgar/files/public-files.ts';
import { formClass } from '../../src/edgar/filings/forms.ts';
import { readSubmissions } from '../../src/edgar/filings/submissions.ts';
import {
  checkFigures,
  type IdentityResult,
  isWithinTolerance,
  mergeResults,
} from '../../src/figures/checks/identities.ts';
import { type CompanyFigures, deriveCompanyFigures } from '../../src/figures/company.ts';
import { findBasisBreaks } from '../../src/figures/derived/basis-breaks.ts';
import { type Figure, type FigureValue, findFirstKnownDay } from '../../src/figures/derived/figure.ts';
import { isDerivedOnRequest, listOperandsOfMetric } from '../../src/figures/derived/formulas.ts';
import { createSplitAdjuster } from '../../src/figures/derived/shares-of-today.ts';
import { dropDuplicates, listFigureValues, selectFigures, selectPeriods } from '../../src/figures/figure-values.ts';
import { isAdditive, splitEffectOn } from '../../src/figures/metrics/metric-rules.ts';
import { chainsOf, type ReportedValue, selectReliableValues } from '../../src/figures/revisions/revision-chain.ts';
import type { ScreenFigures } from '../../src/figures/screen/screen.ts';
import type { Split } from '../../src/figures/shares/splits.ts';
import { groupBy, pushTo } from '../../src/platform/collections.ts';
import { addDays, daysBetween } from '../../src/platform/dates.ts';
import { publicFile, testOn } from '../public-files.ts';
import { AGREEING_KEYS, disagreements } from './screen-agreement.ts';

const RELEASE = { releaseDate: '2026-08-20' };

const keyOf = ({ metricKey, unit, start, end }: Pick<ReportedValue, 'metricKey' | 'unit' | 'start' | 'end'>) =>
  `${metricKey} ${unit} ${start} ${end}`;

/** The findings of one pass over every company. An `expect` call per fact would take a minute. */
interface Findings {
  readonly broken: readonly string[];
  readonly derivedQuarters: number;
  readonly identities: readonly IdentityResult[];
}

let pass: Promise<Findings> | undefined;

function findings(): Promise<Findings> {
  pass ??= readAll();
  return pass;
}

async function readAll(): Promise<Findings> {
  const source = await openPublicFiles(publicFile(''));
  const failures: string[] = [];
  const identities: IdentityResult[][] = [];
  let derivedQuarters = 0;
  for (const [index, cik] of source.factCiks.entries()) {
    const { facts } = readCompanyFacts((await source.facts(cik)) ?? Buffer.alloc(0));
    const { mainFile: main, pageFiles: pages } = await source.submissions(cik);
    const company = deriveCompanyFigures(facts, readSubmissions(main, pages).filings, RELEASE);
    const values = listFigureValues(company.reportedValues);
    const { currentFigures } = selectFigures(company.reportedValues);
    const note = (rule: string) => failures.push(`CIK ${cik}: ${rule}`);
    for (const chain of chainsOf(company.reportedValues)) for (const rule of brokenByChain(chain)) note(rule);
    for (const value of values) for (const rule of brokenByValue(value)) note(rule);
    for (const rule of mixedBases(values, company.reportedValues)) note(rule);
    for (const rule of partsApart(listFigureValues(company.reportedValues, { twelveMonths: true }))) note(rule);
    const { splits } = company;
    const remainders = listFigureValues(company.reportedValues, { keys: REMAINDER_KEYS, twelveMonths: true, splits });
    for (const rule of partsApart(remainders, REMAINDER_ROUNDED)) note(rule);
    const compared = listFigureValues(company.reportedValues, { keys: COMPARISONS, twelveMonths: true, splits });
    for (const rule of neverTogether(compared, company.reportedValues)) note(rule);
    // These fields make up the id of a figure.
    if (new Set(values.map(keyOf)).size !== values.length) note('two rows of one figure');
    for (const rule of periodsTwice(values)) note(rule);
    for (const rule of lostYears(facts, values)) note(rule);
    const latest = selectPeriods(values, 'latest');
    if (new Set(latest.map((value) => `${value.metricKey} ${value.unit}`)).size !== latest.length) note('two latest');
    for (const rule of otherLatest(latest, listFigureValues(company.reportedValues, { period: 'latest' }))) note(rule);
    for (const rule of brokenBySplits(company.splits)) note(rule);
    for (const rule of profitsApart(values, company.reportedValues)) note(rule);
    for (const rule of unmarkedYears(currentFigures)) note(rule);
    for (const rule of notAdjusted(currentFigures, company)) note(rule);
    // Checks only every fourth company, because the service's tests compare metrics and screener for every company of
    // the sample.
    if (company.screen !== null && index % 4 === 0)
      for (const rule of disagreementsOf(company, company.screen)) note(rule);
    const collapsed = dropDuplicates(currentFigures);
    if (dropDuplicates(collapsed).length !== collapsed.length) note('a collapse that collapses further');
    for (const rule of collapsedLate(currentFigures, collapsed)) note(rule);
    derivedQuarters += values.filter((value) => value.periodKind === 'quarter' && value.valueKind === 'derived').length;
    const filings = new Set(facts.map(({ accession }) => accession));
    identities.push(checkFigures({ figures: company.figures, screen: company.screen?.figures ?? null, filings }));
  }
  source.close();
  return { broken: failures, derivedQuarters, identities: mergeResults(identities) };
}

testOn('companyfacts.zip', 'the chains and figures of every company satisfy the rules', async () => {
  const { broken, derivedQuarters } = await findings();
  expect(broken.filter((fault) => fault !== OF_A_SHELL)).toEqual([]);
  expect(derivedQuarters).toBeGreaterThan(5000);
});

/** Vertiv's year 2018 has quarters of the shell company with which it merged in 2020. */
const OF_A_SHELL = 'CIK 1674101: net_income USD 2018-01-01 2018-12-31: not its quarters';

/** Identities that restatements and filers' errors break, so that some exceptions are expected. */
const BROKEN_BY_FILERS: ReadonlySet<string> = new Set([
  'four quarters = fiscal year',
  'derived quarter close to the quarters before and after',
  'one value for each period',
  'assets = liabilities + equity, by the current values',
  'net income close to EPS x weighted shares',
  'depreciation + amortization <= depreciation and amortization',
]);

testOn('companyfacts.zip', 'figures of one filing, of one metric and of one row agree with each other', async () => {
  const { identities } = await findings();
  console.table(Object.fromEntries(identities.map(({ name, checked, broken }) => [name, { checked, broken }])));
  for (const result of identities) {
    for (const { subject, off } of result.worst) console.log(`${result.name}: ${subject}, ${off} off`);
    expect(result.checked, result.name).toBeGreaterThan(0);
    expect.soft(isWithinTolerance(result), result.name).toBe(true);
    if (!BROKEN_BY_FILERS.has(result.name)) expect.soft(result.broken, result.name).toBe(0);
  }
});

/** Compares latest figures with latest figures that were derived without figures of earlier periods. */
function otherLatest(expected: readonly FigureValue[], latestFigures: readonly FigureValue[]): string[] {
  const texts = new Set(latestFigures.map(identity));
  const missing = expected.filter((value) => !texts.has(identity(value)));
  if (expected.length === latestFigures.length && missing.length === 0) return [];
  return [`${latestFigures.length} latest figures instead of ${expected.length}, without ${missing.map(keyOf)}`];
}

function identity(value: FigureValue): string {
  const filings = value.inputs.map(({ role, reported }) => `${role} ${reported.concept} ${reported.accession}`);
  return [keyOf(value), value.value, value.confidence, value.fiscalPeriod, value.fiscalYear, ...filings].join(' ');
}

/**
 * Maximum difference of dates within one period; larger differences belong to another company, such as a shell before a
 * merger.
 */
const SAME_PERIOD_DAYS = 9;

/** Yields periods with two rows of one metric and unit, even if filings give them different dates. */
function* periodsTwice(values: readonly FigureValue[]): Generator<string> {
  const rows = new Map<string, FigureValue[]>();
  for (const value of values) {
    if (value.start === null) continue;
    const key = `${value.metricKey} ${value.unit} ${value.periodKind}`;
    for (const other of rows.get(key) ?? []) {
      if (isWithin(other.end, value.end) && isWithin(other.start, value.start)) yield `${keyOf(value)}: a period twice`;
    }
    pushTo(rows, key, value);
  }
}

/**
 * Yields years without a row, although an annual report states their net income, as its own year or as a comparative.
 */
function* lostYears(facts: readonly Fact[], values: readonly FigureValue[]): Generator<string> {
  const reported = new Map<string, string>();
  for (const { concept, form, start, end, accession } of facts) {
    if (!NET_INCOMES.has(concept) || start === null || formClass(form) !== 'annual') continue;
    const days = daysBetween(start, end) + 1;
    if (days >= 340 && days <= 385) reported.set(end, accession);
  }
  const years = values.filter(({ metricKey, fiscalPeriod }) => metricKey === 'net_income' && fiscalPeriod === 'FY');
  for (const [end, accession] of reported) {
    if (!years.some((year) => isWithin(year.end, end))) yield `${end} of ${accession}: a year without net income`;
  }
}

const NET_INCOMES: ReadonlySet<string> = new Set([
  'NetIncomeLoss',
  'ProfitLoss',
  'ProfitLossAttributableToOwnersOfParent',
]);

function isWithin(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && Math.abs(daysBetween(a, b)) <= SAME_PERIOD_DAYS;
}

function disagreementsOf({ reportedValues, splits }: CompanyFigures, { figures, dates }: ScreenFigures): string[] {
  const values = listFigureValues(reportedValues, { keys: AGREEING_KEYS, splits });
  const rows = values.map(({ metricKey, ...value }) => ({ key: metricKey, ...value }));
  return disagreements((column) => figures[column] ?? dates[column] ?? null, rows);
}

function* brokenBySplits(splits: readonly Split[]): Generator<string> {
  for (const { ratio, effective, after, until } of splits) {
    const name = `split ${ratioText(ratio)} of ${effective}`;
    if (after === null || until === null || !(after < effective && effective <= until)) yield `${name}: out of bounds`;
    if (!/^(?:1:\d+(?:\.\d\d?)?|\d+(?:\.\d+)?:1)$/.test(ratioText(ratio))) yield `${name}: no exact ratio`;
  }
}

/**
 * Yields gross profits that differ from revenue less cost although no filing reports the cost together with the gross
 * profit.
 */
function* profitsApart(values: readonly FigureValue[], reported: readonly ReportedValue[]): Generator<string> {
  const chains = new Map(chainsOf(reported).map((chain) => [keyOf(chain[0] as ReportedValue), chain]));
  const filingsOf = (value: FigureValue) =>
    new Set((chains.get(keyOf(value)) ?? []).filter((row) => row.value === value.value).map((row) => row.accession));
  const periods = groupBy(values, ({ unit, start, end }) => `${unit} ${start} ${end}`);
  for (const periodValues of periods.values()) {
    const [revenue, cost, profit] = ['revenue', 'cost_of_revenue', 'gross_profit'].map((key) =>
      periodValues.find(({ metricKey, valueKind }) => metricKey === key && valueKind === 'reported'),
    );
    if (revenue === undefined || cost === undefined || profit === undefined) continue;
    if (nearlyEqual(subtract(revenue.value, cost.value), profit.value, '0.02')) continue;
    const pairs = [filingsOf(revenue), filingsOf(cost), filingsOf(profit)];
    const together = [...(pairs[1] ?? [])].filter((accession) => pairs[2]?.has(accession));
    // If one filing reports cost and gross profit, only the revenue was restated.
    if (together.length === 0) yield `${keyOf(profit)}: not revenue ${revenue.value} less cost ${cost.value}`;
  }
}

/** Yields years that differ from the sum of their four shown quarters without being marked. */
function* unmarkedYears(figures: readonly Figure[]): Generator<string> {
  const marked = findBasisBreaks(figures);
  const quarters = groupBy(
    figures.filter(({ periodKind }) => periodKind === 'quarter'),
    ({ metricKey, unit }) => `${metricKey} ${unit}`,
  );
  for (const year of figures) {
    if (year.periodKind !== 'annual' || year.start === null || !isAdditive(year.metricKey)) continue;
    const { start, end } = year;
    const yearQuarters = (quarters.get(`${year.metricKey} ${year.unit}`) ?? []).filter(
      (quarter) => quarter.start !== null && quarter.start >= start && quarter.end <= end,
    );
    if (yearQuarters.length !== 4 || marked.has(year)) continue;
    const difference = absolute(subtract(sum(yearQuarters.map(({ value }) => value)), year.value));
    const all = sum(yearQuarters.map(({ value }) => absolute(value)));
    if (compareDecimals(multiply(difference, '100'), all) > 0)
      yield `${keyOf(year)}: unlike its quarters, and not marked`;
  }
}

/** Yields figures in today's shares that do not become the filed figure when the ratio is reversed. */
function* notAdjusted(figures: readonly Figure[], { reportedValues, splits }: CompanyFigures): Generator<string> {
  const adjust = createSplitAdjuster(reportedValues, splits);
  for (const filed of figures) {
    const { figure, ratio } = adjust(filed);
    if (ratio == null) {
      if (figure.value !== filed.value) yield `${keyOf(filed)}: adjusted by no ratio`;
      continue;
    }
    const isCount = splitEffectOn(filed.metricKey) === 'shares';
    const [one, other] = isCount ? [figure.value, filed.value] : [filed.value, figure.value];
    // A reverse split gives fractions of shares, which have ten decimals.
    if (!nearlyEqual(multiply(one, ratio.oldShares), multiply(other, ratio.newShares), '0.000001'))
      yield `${keyOf(filed)}: ${filed.value} is not ${figure.value} by ${ratio.newShares}:${ratio.oldShares}`;
  }
}

/** A filer whose test data has a quarter in a filing with an accession number of two years later. */
const MISNUMBERED = /^0001108524-/;

function* brokenByChain(chain: readonly ReportedValue[]): Generator<string> {
  const standing = chain.at(-1);
  for (const [index, row] of chain.entries()) {
    const name = `${keyOf(row)} rank ${row.rank}`;
    if (row.rank !== index + 1) yield `${name}: ranks do not count`;
    if ((row.kind === 'first') !== (index === 0)) yield `${name}: not first and called so, or the other way`;
    if ((row.splitRatio === null) !== (row.kind !== 're_expressed')) yield `${name}: a ratio without re-expression`;
    if ((chain[index - 1]?.filed ?? '') > row.filed) yield `${name}: filed before the one before it`;
    // The SEC assigns a frame only to the last filed fact of a concept and period.
    const framed = row.frame !== null && row.concept === standing?.concept && !MISNUMBERED.test(row.accession);
    if (framed && chain.slice(index + 1).some((later) => later.concept === row.concept && isDatedAlike(later, row)))
      yield `${name}: framed, not last`;
  }
  if (new Set(chain.map((row) => row.accession)).size !== chain.length) yield 'two statements of one filing';
}

function isDatedAlike(a: ReportedValue, b: ReportedValue): boolean {
  return a.filedStart === b.filedStart && a.filedEnd === b.filedEnd;
}

function* brokenByValue(value: FigureValue): Generator<string> {
  const { readFrom, end } = value;
  // Dividends may be declared for a date a few weeks later; no other figure may be for a later date.
  if (end > addDays(readFrom.filed, 45)) yield `${keyOf(value)}: of the future`;
  if (readFrom.filed > RELEASE.releaseDate) yield `${keyOf(value)}: filed after the release`;
  const summed = listOperandsOfMetric(value.metricKey).length === 0;
  if (value.valueKind === 'reported' || value.periodKind !== 'quarter' || !summed) return;
  // A derived quarter plus the subtracted months must be exactly the longer period, so that four quarters add up to
  // their year.
  const [whole, ...parts] = value.inputs;
  const sum = parts.reduce((total, part) => add(total, part.reported.value), value.value);
  if (whole?.role !== 'minuend' || compareDecimals(sum, whole.reported.value) !== 0)
    yield `${keyOf(value)}: does not add up`;
}

/**
 * Yields figures whose period is missing after collapsing, and figures that were known earlier than the figure that
 * collapsing kept for their period.
 */
function* collapsedLate(figures: readonly Figure[], collapsed: readonly Figure[]): Generator<string> {
  const periodOf = ({ metricKey, unit, periodKind, end }: Figure) => `${metricKey} ${unit} ${periodKind} ${end}`;
  const collapsedByPeriod = new Map(collapsed.map((figure) => [periodOf(figure), figure]));
  for (const figure of figures) {
    const first = collapsedByPeriod.get(periodOf(figure));
    if (first === undefined) yield `${keyOf(figure)}: lost`;
    else if (figure.derived === first.derived && findFirstKnownDay(figure) < findFirstKnownDay(first))
      yield `${keyOf(figure)}: not kept`;
  }
}

/** Yields figures that mix a restated input with an unrestated input of the same metric or period. */
function* mixedBases(values: readonly FigureValue[], reported: readonly ReportedValue[]): Generator<string> {
  const reliable = chainsOf(reported).map(
    (chain) => [keyOf(chain[0] as ReportedValue), selectReliableValues(chain, null)] as const,
  );
  const chains = new Map(reliable);
  for (const value of values) {
    if (value.valueKind === 'reported') continue;
    const inputs = value.inputs.map(({ reported: row }) => {
      const chain = chains.get(keyOf(row)) ?? [];
      const versions = chain.filter(({ kind }) => kind !== 'same');
      const since = versions.findLast(({ rank }) => rank <= row.rank);
      const until = chain.findLast(({ rank }) => rank < (versions.find((next) => next.rank > row.rank)?.rank ?? 999));
      // A correction of a contradicted value is not a restatement.
      const corrected = since?.kind === 'revised' && since === chain[0];
      const revised = since?.kind === 'revised' && !corrected;
      return { row, corrected, revised, since: since?.filed ?? '', until: until?.filed ?? '' };
    });
    for (const { row, since } of inputs.filter(({ revised }) => revised)) {
      const beside = inputs.filter((other) => other.row.metricKey === row.metricKey || other.row.end === row.end);
      if (beside.some((other) => !other.revised && !other.corrected && other.until < since))
        yield `${keyOf(value)}: of two bases`;
    }
  }
}

/** Maximum relative difference, because sums of rounded lines are not exact. */
const ROUNDED = '0.03';

const REMAINDER_KEYS = REMAINDERS.map(({ key }) => key);
/** Maximum relative difference between a year's remainder and the sum of its quarters' remainders. */
const REMAINDER_ROUNDED = '0.005';

/**
 * Yields years and trailing twelve months that differ from the sum of their shown quarters, or that do not span a year.
 */
function* partsApart(values: readonly FigureValue[], rounded = ROUNDED): Generator<string> {
  const series = groupBy(
    values.filter(({ start, unit }) => start !== null && unit.length === 3),
    ({ metricKey, unit }) => `${metricKey} ${unit}`,
  );
  for (const figures of series.values()) {
    const quarters = figures.filter(({ periodKind }) => periodKind === 'quarter');
    for (const whole of figures) {
      if (whole.periodKind !== 'annual' && whole.periodKind !== 'ttm') continue;
      const days = daysBetween(whole.start ?? '', whole.end);
      if (whole.periodKind === 'ttm' && (days < 340 || days > 385)) yield `${keyOf(whole)}: no twelve months`;
      const parts = quarters.filter(({ start, end }) => (start ?? '') >= (whole.start ?? '') && end <= whole.end);
      // Quarters of a shell company are within the year of the business with which it merged, but do not belong to it.
      const isRemainder = ({ valueKind, inputs: [first] }: FigureValue) =>
        valueKind === 'derived' && first?.reported.start === whole.start;
      if (parts.length !== 4 || (whole.periodKind === 'annual' && !parts.some(isRemainder))) continue;
      const difference = absolute(subtract(sum(parts.map(({ value }) => value)), whole.value));
      const of = sum(parts.map(({ value }) => absolute(value)));
      if (compareDecimals(difference, multiply(of, rounded)) > 0) yield `${keyOf(whole)}: not its quarters`;
    }
  }
}

/** Keys of ratios and changes, which compare two figures. */
const COMPARISONS = FIGURES.filter(({ key, formula }) => {
  return isDerivedOnRequest(key) && (formula?.kind === 'ratio' || formula?.kind === 'growth');
}).map(({ key }) => key);

/** Yields comparisons whose values were never current on the same day and are not in one filing. */
function* neverTogether(values: readonly FigureValue[], reported: readonly ReportedValue[]): Generator<string> {
  const chains = new Map(
    chainsOf(reported).map((chain) => [keyOf(chain[0] as ReportedValue), selectReliableValues(chain, null)]),
  );
  for (const value of values) {
    const inputs = value.inputs.map(({ reported: row }) => {
      const chain = chains.get(keyOf(row)) ?? [];
      const changes = chain.filter(({ kind }) => kind !== 'same');
      const from = changes.findLast(({ rank }) => rank <= row.rank)?.filed ?? '';
      return { row, from, until: changes.find(({ rank }) => rank > row.rank)?.filed ?? '9' };
    });
    const last = inputs.reduce((day, { from }) => (from > day ? from : day), '');
    if (inputs.every(({ until }) => last < until)) continue;
    if (new Set(inputs.map(({ row }) => row.accession)).size > 1)
      yield `${keyOf(value)}: values that never stood together`;
  }
}

testOn('companyfacts-earlier.zip', 'an earlier capture gives the same past values as the newest', async () => {
  const earlier = await openArchive(publicFile('companyfacts-earlier.zip'));
  const source = await openPublicFiles(publicFile(''));
  for (const name of earlier.names) {
    const cik = Number(name.slice(3, 13));
    const captured = name.slice(14, 24);
    const read = (bytes: Buffer) => deriveCompanyFigures(readCompanyFacts(bytes).facts, [], RELEASE).reportedValues;
    const before = chainsOf(read(await earlier.read(name)));
    const newest = chainsOf(read((await source.facts(cik)) ?? Buffer.alloc(0)));
    const now = new Map(newest.flatMap((chain) => chain.slice(0, 1).map((first) => [keyOf(first), chain] as const)));
    const kindsAndValues = (rows: readonly ReportedValue[]) =>
      rows.map(({ rank, kind, value, accession, concept, splitRatio }) => [
        rank,
        kind,
        value,
        accession,
        concept,
        splitRatio,
      ]);
    let compared = 0;
    for (const chain of before) {
      const first = chain[0] as ReportedValue;
      const later = now.get(keyOf(first)) ?? [];
      expect(kindsAndValues(later.slice(0, chain.length)), name).toEqual(kindsAndValues(chain));
      // Values that were added later were also filed later.
      for (const row of later.slice(chain.length)) expect(row.filed >= captured || row.form === 'DEF 14A').toBe(true);
      compared++;
    }
    expect(compared).toBeGreaterThan(500);
  }
  earlier.close();
  source.close();
});
