/** Comparisons between the figures that one filing reports for one period. */

import { absolute, multiply, subtract, sum } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero } from '../../contract/decimal-text.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import { getOrInsert } from '../../platform/collections.ts';
import type { Figure } from '../derived/figure.ts';
import { PeriodMap } from '../periods/period-map.ts';
import { type Compare, excessOf, shareOf } from './case.ts';

/** The figures that one filing reports for one period, by metric. */
export interface Statement extends Pick<Figure, 'unit' | 'start' | 'end'> {
  readonly accession: string;
  readonly amounts: ReadonlyMap<string, Decimal>;
}

/** Returns statements that have at least two amounts to compare. */
export function statementsOf(figures: readonly Figure[]): Statement[] {
  const filings = new Map<string, Map<string, PeriodMap<FiledAmounts>>>();
  const statements: FiledAmounts[] = [];
  for (const figure of figures) {
    const { derived, terms, unit, start, end } = figure;
    const [term] = terms;
    if (derived || term === undefined) continue;
    const { accession } = term.source.reported;
    const units = getOrInsert(filings, accession, () => new Map<string, PeriodMap<FiledAmounts>>());
    const periods = getOrInsert(units, unit, () => new PeriodMap<FiledAmounts>());
    let statement = periods.get(figure);
    if (statement === undefined) {
      statement = { accession, unit, start, end, amounts: new Map() };
      periods.set(figure, statement);
      statements.push(statement);
    }
    statement.amounts.set(figure.metricKey, figure.value);
  }
  return statements.filter(({ amounts }) => amounts.size > 1);
}

type FiledAmounts = Statement & { readonly amounts: Map<string, Decimal> };

function nameOf({ accession, unit, start, end }: Statement): string {
  return `${accession} ${unit} ${start === null ? end : `${start} to ${end}`}`;
}

/** Tolerance for rounding: statements in millions round each line. */
const ROUNDED: Decimal = '0.01';

/**
 * Compares assets with liabilities and equity. If only the company's own equity is reported, noncontrolling interests
 * may be missing: then assets may be more than the sum, but never less.
 */
export function balances(statements: readonly Statement[], compare: Compare): void {
  for (const statement of statements) {
    const { amounts } = statement;
    const [assets, liabilities, total] = [
      amounts.get('assets'),
      amounts.get('liabilities'),
      amounts.get('total_equity'),
    ];
    const equity = total ?? amounts.get('stockholders_equity');
    if (assets === undefined || liabilities === undefined || equity === undefined) continue;
    const excess = subtract(sum([liabilities, equity, amounts.get('temporary_equity') ?? '0']), assets);
    const difference = total === undefined ? excess : absolute(excess);
    compare(excessOf(difference, assets, ROUNDED), () => `assets of ${nameOf(statement)}`);
  }
}

/**
 * Compares the current values of balance sheets: reported assets with reported liabilities and equity of the same
 * day, whichever filings they are from.
 */
export function standingBalances(figures: readonly Figure[], compare: Compare): void {
  const days = new Map<string, FiledAmounts>();
  for (const { derived, metricKey, unit, start, end, value } of figures) {
    if (derived || start !== null || !OF_BALANCE.has(metricKey)) continue;
    const sheet = getOrInsert(days, `${unit} ${end}`, () => ({
      accession: 'of',
      unit,
      start,
      end,
      amounts: new Map(),
    }));
    sheet.amounts.set(metricKey, value);
  }
  balances([...days.values()], compare);
}

const OF_BALANCE: ReadonlySet<string> = new Set([
  'assets',
  'liabilities',
  'stockholders_equity',
  'total_equity',
  'temporary_equity',
]);

/** Compares net income with earnings per share times weighted shares, for each period that has all three. */
export function incomeOfShares(figures: readonly Figure[], compare: Compare): void {
  const periods = new Map<string, Map<string, Figure>>();
  for (const figure of figures) {
    if (figure.derived || !OF_SHARES.has(figure.metricKey)) continue;
    getOrInsert(periods, `${figure.start} ${figure.end}`, () => new Map<string, Figure>()).set(
      figure.metricKey,
      figure,
    );
  }
  for (const of of periods.values()) {
    const income = of.get('net_income');
    for (const kind of ['basic', 'diluted']) {
      const [earnings, shares] = [of.get(`eps_${kind}`), of.get(`weighted_shares_${kind}`)];
      if (income === undefined || earnings === undefined || shares === undefined) continue;
      if (earnings.unit !== `${income.unit}/shares` || isZero(earnings.value)) continue;
      const product = multiply(earnings.value, shares.value);
      const [less, more] = [absolute(income.value), absolute(product)].sort(compareDecimals) as [Decimal, Decimal];
      const isFar =
        compareDecimals(more, multiply(less, SCALE)) > 0 && compareDecimals(more, multiply(shares.value, CENT)) > 0;
      compare(
        isFar ? shareOf(subtract(more, less), more) : '0',
        () => `weighted_shares_${kind} ${shares.start} to ${shares.end}`,
      );
    }
  }
}

const OF_SHARES: ReadonlySet<string> = new Set([
  'net_income',
  'eps_basic',
  'eps_diluted',
  'weighted_shares_basic',
  'weighted_shares_diluted',
]);
/**
 * Maximum factor between the two. Preferred dividends and rounding explain less; the smallest error of scale is a
 * thousand.
 */
const SCALE: Decimal = '30';
const CENT: Decimal = '0.01';

/** Compares a total with the sum of its parts, in statements that have all of them. */
export function equal(
  statements: readonly Statement[],
  total: string,
  parts: readonly string[],
  compare: Compare,
): void {
  for (const statement of statements) {
    const { amounts } = statement;
    const whole = amounts.get(total);
    if (whole === undefined || !parts.every((part) => amounts.has(part))) continue;
    const found = parts.map((part) => assertDefined(amounts.get(part)));
    const difference = absolute(subtract(whole, sum(found)));
    compare(excessOf(difference, whole, ROUNDED), () => `${total} of ${nameOf(statement)}`);
  }
}

/** Checks that parts do not exceed their total, except for rounding, in statements that have all of them. */
export function partsAtMost(
  statements: readonly Statement[],
  parts: readonly string[],
  total: string,
  compare: Compare,
): void {
  for (const statement of statements) {
    const all = statement.amounts.get(total);
    const found = parts.flatMap((part) => statement.amounts.get(part) ?? []);
    if (all === undefined || found.length < parts.length) continue;
    const excess = subtract(sum(found), all);
    compare(
      compareDecimals(excess, '0') > 0 ? excessOf(excess, all, CORRECTED) : '0',
      () => `${total} of ${nameOf(statement)}`,
    );
  }
}

/** Maximum share by which a note's line may differ from the statement's line. */
const CORRECTED: Decimal = '0.05';

/** Checks that a part does not exceed its total, in statements that have both. */
export function atMost(statements: readonly Statement[], part: string, total: string, compare: Compare): void {
  for (const statement of statements) {
    const { amounts } = statement;
    const [one, all] = [amounts.get(part), amounts.get(total)];
    if (one === undefined || all === undefined) continue;
    const isAbove = compareDecimals(one, all) > 0;
    compare(isAbove ? shareOf(subtract(one, all), larger(one, all)) : '0', () => `${part} of ${nameOf(statement)}`);
  }
}

function larger(a: Decimal, b: Decimal): Decimal {
  return compareDecimals(absolute(a), absolute(b)) > 0 ? a : b;
}
