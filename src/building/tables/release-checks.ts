/** The checks before publication, each with its name, what it compared, and whether it passed. */

import { type IdentityResult, passes } from '../../figures/checks/identities.ts';
import { sumNumbers } from '../../platform/collections.ts';
import type { Check } from '../../store/manifest.ts';
import type { CompanyFindings } from '../companies/company-checks.ts';
import type { CompanyResult } from '../companies/company-task.ts';
import type { SmallTables } from './small-tables.ts';

/**
 * Maximum share of complete balance sheets that do not add up: some have parts without a standard tag, others are
 * errors of filers.
 */
const BALANCE_SHARE = 0.02;

export interface CheckInput {
  readonly results: readonly CompanyResult[];
  /** The findings of all companies. */
  readonly findings: CompanyFindings;
  readonly tables: SmallTables;
  /** Number of rows of each table: as made from the sources, and as read back from its files. */
  readonly counts: readonly { readonly table: string; readonly made: number; readonly readBack: number }[];
  readonly date: string;
  readonly today: string;
  /** Tables without sources. */
  readonly omitted: readonly string[];
  /** The previous release; null for the first. */
  readonly before: ReleaseBefore | null;
  /** Whether much of the previous release's data may be missing. */
  readonly allowLoss: boolean;
}

export interface ReleaseBefore {
  readonly stamp: string;
  /** Number of rows by table. */
  readonly rows: Readonly<Record<string, number>>;
}

/**
 * Maximum share of companies that may be missing since the previous release: companies are deregistered, and
 * downloads differ.
 */
const MAX_LOST_SHARE = 0.2;
/** Maximum number of lost tables that are named. */
const NAMED_TABLES = 3;
/** Labels of the counts: all companies, and companies with core metrics. */
const COUNTED = { companies: 'companies', screen: 'companies with core metrics' } as const;

export function checkRelease(input: CheckInput): Check[] {
  return [
    anyCovered(input),
    ...identities(input),
    chains(input),
    future(input),
    keys(input),
    counts(input),
    loss(input),
  ];
}

function anyCovered({ results, tables }: CheckInput): Check {
  const covered = results.filter(({ company }) => company.coverageState === 'covered').length;
  return {
    name: 'coverage',
    passed: covered > 0,
    detail: `${covered} of ${results.length} companies have core metrics; ${tables.screen.length} are in the screener`,
  };
}

/** Balance sheets have a check of their own, because they need no other period and no other filing. */
function identities({ findings }: CheckInput): Check[] {
  const [balance, ...others] = findings.identities;
  if (balance === undefined) throw new RangeError('there are no identities to check');
  const broken = others.filter((one) => !passes(one));
  const worst = (broken.length > 0 ? broken : others).toSorted((a, b) => b.broken - a.broken)[0];
  return [
    {
      name: 'balance',
      passed: balance.broken <= balance.checked * BALANCE_SHARE,
      detail: `in ${balance.broken} of ${balance.checked} balance sheets, assets differ from liabilities and equity by more than one percent${suchAs(balance)}`,
    },
    {
      name: 'identities',
      passed: broken.length === 0,
      detail: `${sumNumbers(others.map((one) => one.broken))} of ${sumNumbers(others.map((one) => one.checked))} comparisons of figures fail${worst === undefined || worst.broken === 0 ? '' : `, most often "${worst.name}" (${worst.broken})${suchAs(worst)}`}`,
    },
  ];
}

function suchAs({ worst: [first] }: IdentityResult): string {
  return such(first?.subject ?? null);
}

function chains({ findings }: CheckInput): Check {
  const { tested, failed, example } = findings.chains;
  return {
    name: 'standing',
    passed: failed === 0,
    detail: `in ${failed} of ${tested} revision chains, the last value is not the one filed last${such(example)}`,
  };
}

function future({ findings, date, today }: CheckInput): Check {
  const { tested, failed, example } = findings.future;
  return {
    name: 'future',
    passed: failed === 0 && date <= today,
    detail:
      date > today
        ? `the release's date ${date} is after today, ${today}`
        : `${failed} of ${tested} reported values have a filing date or period end after ${date}${such(example)}`,
  };
}

function keys({ findings, tables }: CheckInput): Check {
  const { tested, failed, example } = findings.keys;
  const twice =
    repeated(tables.companies.map(({ cik }) => cik)) + repeated(tables.securities.map((one) => one.tickerNormalized));
  return {
    name: 'keys',
    passed: failed === 0 && twice === 0,
    detail: `${failed} of ${tested} revision chains have two values from one filing${such(example)}; ${twice} companies or tickers occur twice`,
  };
}

function counts({ results, counts: tables }: CheckInput): Check {
  const wrong = tables.find(({ made, readBack }) => made !== readBack);
  const facts = sumNumbers(results.map(({ company }) => company.rawFactCount));
  const counted = sumNumbers(results.map(({ conceptFacts }) => conceptFacts));
  const detail =
    wrong === undefined
      ? `companies have ${facts} facts, and their concepts ${counted}; rows written and read back: ${tables.map(({ table, made }) => `${table} ${made}`).join(', ')}`
      : `the table ${wrong.table} should have ${wrong.made} rows and has ${wrong.readBack}`;
  return { name: 'counts', passed: wrong === undefined && facts === counted, detail };
}

/** Detects a release that is valid but small because a source was damaged or incomplete. */
function loss({ counts: tables, omitted, before, allowLoss }: CheckInput): Check {
  if (before === null) return { name: 'loss', passed: true, detail: 'no earlier release to compare with' };
  const rows = new Map(tables.map(({ table, made }) => [table, made]));
  const fewer = Object.entries(COUNTED).flatMap(([table, what]) => {
    const [was, is] = [before.rows[table] ?? 0, rows.get(table) ?? 0];
    return is < was * (1 - MAX_LOST_SHARE) ? [`${is} of ${was} ${what}`] : [];
  });
  const gone = omitted.filter((table) => (before.rows[table] ?? 0) > 0);
  const more = gone.length > NAMED_TABLES ? ` and ${gone.length - NAMED_TABLES} more tables` : '';
  const none = gone.length === 0 ? [] : [`no rows in ${gone.slice(0, NAMED_TABLES).join(', ')}${more}`];
  const left = [...fewer, ...none].join('; ');
  if (left === '')
    return { name: 'loss', passed: true, detail: `not smaller than the previous release, ${before.stamp}` };
  const detail = `compared with the previous release, ${before.stamp}, rows are missing: ${left}`;
  if (allowLoss) return { name: 'loss', passed: true, detail: `${detail}; allowed by --allow-loss` };
  const advice = 'Check which source files are missing. If the loss is intended, build with --allow-loss';
  return { name: 'loss', passed: false, detail: `${detail}. ${advice}` };
}

const such = (example: string | null): string => (example === null ? '' : `, such as ${example}`);
const repeated = (keys: readonly unknown[]): number => keys.length - new Set(keys).size;
