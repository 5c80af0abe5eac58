/** The checks before publication: each has a name, what it compared, and whether it passed. */

import type { Check } from '../store/manifest.ts';
import type { CompanyResult } from './build-task.ts';
import type { CompanyFindings, Tested } from './company-checks.ts';
import type { SmallTables } from './small-tables.ts';

/** Of balance sheets that one filing states whole, so many may be off: parts that no tag of ours names, and filers' own slips. */
const BALANCE_SHARE = 0.02;

export interface CheckInput {
  readonly results: readonly CompanyResult[];
  readonly tables: SmallTables;
  /** Rows of each table: as made from the sources, and as read back from the files. */
  readonly counts: readonly { readonly table: string; readonly made: number; readonly readBack: number }[];
  readonly date: string;
  readonly today: string;
}

export function checkRelease(input: CheckInput): Check[] {
  return [anyCovered(input), balance(input), chains(input), future(input), keys(input), counts(input)];
}

function anyCovered({ results, tables }: CheckInput): Check {
  const covered = results.filter(({ company }) => company.coverageState === 'covered').length;
  return {
    name: 'coverage',
    passed: covered > 0,
    detail: `${covered} of ${results.length} companies have core metrics; ${tables.screen.length} are in the screen`,
  };
}

function balance({ results }: CheckInput): Check {
  const { tested, failed, example } = total(results, 'balance');
  return {
    name: 'balance',
    passed: failed <= tested * BALANCE_SHARE,
    detail: `${failed} of ${tested} balance sheets are off by more than half a percent of assets${such(example)}`,
  };
}

function chains({ results }: CheckInput): Check {
  const { tested, failed, example } = total(results, 'chains');
  return {
    name: 'standing',
    passed: failed === 0,
    detail: `in ${failed} of ${tested} revision chains the last value is not the last filed${such(example)}`,
  };
}

function future({ results, date, today }: CheckInput): Check {
  const { tested, failed, example } = total(results, 'future');
  return {
    name: 'future',
    passed: failed === 0 && date <= today,
    detail:
      date > today
        ? `the release's date ${date} is after today, ${today}`
        : `${failed} of ${tested} reported values were filed, or end, after ${date}${such(example)}`,
  };
}

function keys({ results, tables }: CheckInput): Check {
  const { tested, failed, example } = total(results, 'keys');
  const twice =
    repeated(tables.companies.map(({ cik }) => cik)) + repeated(tables.securities.map((one) => one.tickerNormalized));
  return {
    name: 'keys',
    passed: failed === 0 && twice === 0,
    detail: `${failed} of ${tested} revision chains have two values of one filing${such(example)}; ${twice} companies or tickers are there twice`,
  };
}

function counts({ results, counts: tables }: CheckInput): Check {
  const wrong = tables.find(({ made, readBack }) => made !== readBack);
  const facts = sum(results.map(({ company }) => company.rawFactCount));
  const counted = sum(results.map(({ conceptFacts }) => conceptFacts));
  const detail =
    wrong === undefined
      ? `${facts} facts reported, ${counted} counted by concept; ${tables.map(({ table, made }) => `${table} ${made}`).join(', ')} rows made and read back`
      : `${wrong.made} rows of ${wrong.table} were made, ${wrong.readBack} read back`;
  return { name: 'counts', passed: wrong === undefined && facts === counted, detail };
}

function total(results: readonly CompanyResult[], name: keyof CompanyFindings): Tested {
  let tested = 0;
  let failed = 0;
  let example: string | null = null;
  for (const { findings } of results) {
    tested += findings[name].tested;
    failed += findings[name].failed;
    example ??= findings[name].example;
  }
  return { tested, failed, example };
}

const such = (example: string | null): string => (example === null ? '' : `, such as ${example}`);
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
const repeated = (keys: readonly unknown[]): number => keys.length - new Set(keys).size;
