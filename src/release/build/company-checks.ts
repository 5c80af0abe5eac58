/**
 * What must hold of one company's reported values before they are published. Pure counting, done where the
 * company is derived; `release-checks.ts` decides what passes.
 */

import { absolute, add, multiply, subtract } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { compareDecimals } from '../../contract/decimal-text.ts';
import type { ReportedValue } from '../../figures/revisions/revision-chain.ts';

/** What a balance sheet may be off by: half a percent of total assets, for parts that no tag of ours names. */
const BALANCE_TOLERANCE: Decimal = '0.005';

export interface Tested {
  readonly tested: number;
  readonly failed: number;
  /** One failure, as text for the report; null where there is none. */
  readonly example: string | null;
}

export interface CompanyFindings {
  /** Assets are liabilities and equity, where one filing states all of them for one day. */
  readonly balance: Tested;
  /** In a chain ranks count from 1 without a gap and filing days never go back, so the last is the standing one. */
  readonly chains: Tested;
  /** Nothing was filed, and no period ends, after the release's date. */
  readonly future: Tested;
  /** One filing states one figure once. */
  readonly keys: Tested;
}

/** @param values of one company, in the order in which a release stores them */
export function checkCompany(cik: number, values: readonly ReportedValue[], releaseDate: string): CompanyFindings {
  const chains = chainsOf(values);
  return {
    balance: test(
      balanceSheets(chains),
      ({ off }) => !off,
      ({ end }) => `CIK ${cik}, ${end}`,
    ),
    chains: test(chains, isOrdered, ([first]) => `CIK ${cik}, ${nameOf(first)}`),
    future: test(
      values,
      (row) => row.filed <= releaseDate && row.end <= releaseDate,
      (row) => `CIK ${cik}, ${nameOf(row)}, filed ${row.filed}`,
    ),
    keys: test(chains, statesOnce, ([first]) => `CIK ${cik}, ${nameOf(first)}`),
  };
}

function test<T>(cases: readonly T[], holds: (one: T) => boolean, describe: (one: T) => string): Tested {
  const failed = cases.filter((one) => !holds(one));
  const [first] = failed;
  return { tested: cases.length, failed: failed.length, example: first === undefined ? null : describe(first) };
}

type Chain = readonly ReportedValue[];

function chainsOf(values: readonly ReportedValue[]): Chain[] {
  const chains: ReportedValue[][] = [];
  let last: ReportedValue | undefined;
  for (const value of values) {
    if (last !== undefined && sameFigure(last, value)) chains.at(-1)?.push(value);
    else chains.push([value]);
    last = value;
  }
  return chains;
}

function sameFigure(a: ReportedValue, b: ReportedValue): boolean {
  return a.metricKey === b.metricKey && a.end === b.end && a.start === b.start && a.unit === b.unit;
}

function isOrdered(chain: Chain): boolean {
  return chain.every((value, index) => {
    const before = chain[index - 1];
    return value.rank === index + 1 && (before === undefined || before.filed <= value.filed);
  });
}

function statesOnce(chain: Chain): boolean {
  return new Set(chain.map(({ accession }) => accession)).size === chain.length;
}

function nameOf(value: ReportedValue | undefined): string {
  if (value === undefined) throw new Error('a revision chain has no values');
  return `${value.metricKey} (${value.unit}) of ${value.end}`;
}

interface BalanceSheet {
  readonly end: string;
  readonly off: boolean;
}

/** Balance sheets that one filing states whole, by the values that stand. */
function balanceSheets(chains: readonly Chain[]): BalanceSheet[] {
  const days = new Map<string, Map<string, ReportedValue>>();
  for (const chain of chains) {
    const standing = chain.at(-1);
    if (standing === undefined || standing.start !== null) continue;
    const day = `${standing.end} ${standing.unit} ${standing.accession}`;
    const parts = days.get(day) ?? new Map<string, ReportedValue>();
    days.set(day, parts.set(standing.metricKey, standing));
  }
  return [...days.values()].flatMap(balanceSheet);
}

/**
 * Where only the company's own equity is reported, what others hold of its subsidiaries may be missing: then
 * assets may be more than the parts, but still never less.
 */
function balanceSheet(parts: ReadonlyMap<string, ReportedValue>): BalanceSheet[] {
  const assets = parts.get('assets');
  const liabilities = parts.get('liabilities');
  const whole = parts.get('total_equity');
  const equity = whole ?? parts.get('stockholders_equity');
  if (assets === undefined || liabilities === undefined || equity === undefined) return [];
  const claims = add(add(liabilities.value, equity.value), parts.get('temporary_equity')?.value ?? '0');
  const excess = subtract(claims, assets.value);
  const wrong = whole === undefined ? excess : absolute(excess);
  return [{ end: assets.end, off: compareDecimals(wrong, multiply(absolute(assets.value), BALANCE_TOLERANCE)) > 0 }];
}
