/**
 * Runs the consistency checks of `figures/checks` on a release, and verifies its typed tables; or compares the release
 * with the figures in a file.
 */

import { createReadStream } from 'node:fs';
import { compareDecimals, isDecimal } from '../contract/decimal-text.ts';
import { Failure } from '../contract/failure.ts';
import { isDay } from '../contract/identifiers.ts';
import { SCREEN_COLUMNS, UNCONFIRMED } from '../contract/screen-columns.ts';
import { formatCount } from '../contract/text/format-counts.ts';
import { convertCsvToTabs, readDelimited, TableError } from '../edgar/files/delimited.ts';
import { SkippedRowCounts } from '../edgar/files/skipped-rows.ts';
import { findAnalyticsFaults } from '../export/analytics-manifest.ts';
import { compareExpectedFigure, isValidPeriod } from '../figures/checks/expected-figures.ts';
import type { IdentityResult } from '../figures/checks/identities.ts';
import { checkCompanyIdentities, hasOnlyMarkedFailures, mergeResults } from '../figures/checks/identities.ts';
import { deriveFigures } from '../figures/derived/derive-figures.ts';
import { listFigureValues } from '../figures/figure-values.ts';
import { evaluateRelations } from '../figures/relations/relations.ts';
import { selectSplitsProvenBy } from '../figures/shares/splits.ts';
import { groupBy, sumNumbers } from '../platform/collections.ts';
import { makeSystemFailure } from '../platform/files/system-error.ts';
import { findSecurity } from '../service/handlers/coverage/covered-security.ts';
import { ProblemError } from '../service/request/handler.ts';
import { openRelease, type ReleaseReader } from '../store/reader.ts';
import { findRelease } from '../store/releases/home.ts';
import { FILINGS } from '../store/schema/filings.ts';
import { SCREEN } from '../store/schema/screen.ts';

type OnProgress = (done: number, total: number) => void;

/** The checked identities, and the faults in the files of the release's typed tables, one sentence each. */
export type ReleaseCheck = Awaited<ReturnType<typeof checkRelease>>;

/** A relation between figures, such as assets = liabilities + equity, and the cases in which it was checked. */
export interface CheckedIdentity extends IdentityResult {
  /** Whether all broken cases are marked as unconfirmed in every answer. */
  readonly passed: boolean;
}

/**
 * Checks a release's figures against each other. Throws a data Failure if the release is missing or damaged.
 * @param stampName a stamp, or an unambiguous prefix; null for the current release
 */
export async function checkRelease(data: string, stampName: string | null, onProgress: OnProgress) {
  const { stamp, directory } = findRelease(data, stampName);
  const release = openRelease(directory);
  try {
    const companies = await release.companies();
    const screenRows = await readScreenRowsByCik(release);
    const hasFilings = release.includes(FILINGS);
    const results = [];
    for (const [index, { cik, entityName }] of companies.entries()) {
      onProgress(index, companies.length);
      const values = await release.reportedValues(cik);
      const figures = deriveFigures(values, null, await release.splits(cik));
      const filings = hasFilings ? new Set((await release.rowsOf(FILINGS, cik)).map((row) => row.accession)) : null;
      const relations = evaluateRelations(values, figures);
      const screen = screenRows.get(cik) ?? null;
      const checked = checkCompanyIdentities({ cik, relations, figures, screen, filings });
      results.push(
        checked.map((result) => ({
          ...result,
          worst: result.worst.map((item) => ({ ...item, subject: `${entityName} (CIK ${cik}): ${item.subject}` })),
        })),
      );
    }
    const identities = mergeResults(results).map(
      (result): CheckedIdentity => ({ ...result, passed: hasOnlyMarkedFailures(result) }),
    );
    return { stamp, directory, companies: companies.length, identities, faults: findAnalyticsFaults(directory, stamp) };
  } finally {
    await release.close();
  }
}

async function readScreenRowsByCik(release: ReleaseReader) {
  const marks = release.includes(SCREEN, UNCONFIRMED) ? [UNCONFIRMED] : [];
  const { length, columns } = await release.screen(['cik', ...SCREEN_COLUMNS, ...marks]);
  const rows = Array.from({ length }, (_, row) =>
    Object.fromEntries(Object.entries(columns).map(([name, cells]) => [name, cells[row] ?? null])),
  );
  return new Map(rows.map((row) => [Number(row.cik), row]));
}

const REQUIRED_COLUMNS = ['ticker', 'metric', 'period', 'value'] as const;
const OPTIONAL_COLUMNS = ['period_end', 'unit', 'as_of'] as const;
type ExpectedRow = Readonly<Record<(typeof REQUIRED_COLUMNS)[number] | (typeof OPTIONAL_COLUMNS)[number], string>>;

/** The compared values, largest differences first. */
export type FigureComparison = Awaited<ReturnType<typeof checkAgainstFile>>;

export interface ComparedRow {
  readonly ticker: string;
  readonly metric: string;
  readonly period: string;
  readonly end: string | null;
  /** The date as of which values are compared; null for current values. */
  readonly asOf: string | null;
  readonly expected: string;
  /** The value in the release; null if the release has no value. */
  readonly value: string | null;
  readonly result: 'equal' | 'different' | 'absent';
  /** The difference divided by the expected value; null if the release has no value. */
  readonly off: string | null;
}

/**
 * Throws a usage Failure if the file is unreadable.
 * @param stampName a stamp, or an unambiguous prefix; null for the current release
 */
export async function checkAgainstFile(data: string, stampName: string | null, file: string, onProgress: OnProgress) {
  const expectedRows = await readExpectedRows(file);
  const { stamp, directory } = findRelease(data, stampName);
  const release = openRelease(directory);
  try {
    const rows: ComparedRow[] = [];
    let doneCount = 0;
    for (const group of groupBy(expectedRows.entries(), ([, { ticker, as_of }]) => `${ticker} ${as_of}`).values()) {
      const [[, { ticker, as_of }]] = group;
      const asOf = emptyToNull(as_of);
      const figures = await readFigures(release, ticker, asOf);
      for (const [index, { metric, period, value, ...row }] of group) {
        onProgress(doneCount, expectedRows.length);
        doneCount += 1;
        const end = emptyToNull(row.period_end);
        const compared = compareExpectedFigure({ metric, period, end, value, unit: emptyToNull(row.unit) }, figures);
        rows[index] = { ticker, metric, period, end, asOf, expected: value, ...compared };
      }
    }
    return { stamp, directory, rows: rows.sort(compareWorstFirst) };
  } finally {
    await release.close();
  }
}

async function readFigures(release: ReleaseReader, ticker: string, asOf: string | null) {
  const cik = await findCik(release, ticker);
  if (cik === null) return [];
  const splits = selectSplitsProvenBy(asOf, await release.splits(cik));
  return listFigureValues(await release.reportedValues(cik), { asOf, twelveMonths: true, splits });
}

async function findCik(release: ReleaseReader, ticker: string): Promise<number | null> {
  try {
    return (await findSecurity(release, ticker)).company.cik;
  } catch (cause) {
    if (cause instanceof ProblemError) return null;
    throw cause;
  }
}

async function readExpectedRows(file: string): Promise<ExpectedRow[]> {
  const rows: ExpectedRow[] = [];
  const skipped = new SkippedRowCounts();
  try {
    const options = { label: file, delimiter: '\t', required: REQUIRED_COLUMNS, optional: OPTIONAL_COLUMNS, skipped };
    for await (const batch of readDelimited(convertCsvToTabs(createReadStream(file)), options)) rows.push(...batch);
  } catch (cause) {
    const advice = `Give a CSV file with the columns ${REQUIRED_COLUMNS.join(', ')}, and optionally ${OPTIONAL_COLUMNS.join(', ')}.`;
    if (cause instanceof TableError) throw new Failure('usage', cause.message, { hint: advice, cause });
    throw makeSystemFailure('usage', `${file} cannot be read`, cause, advice);
  }
  const skippedCount = sumNumbers(Object.values(skipped.getCounts()));
  if (skippedCount > 0)
    throw new Failure('usage', `${file} has ${formatCount(skippedCount, 'line')} with too few cells.`, {
      hint: `Each line needs ${REQUIRED_COLUMNS.join(', ')}.`,
    });
  for (const [index, row] of rows.entries()) {
    const faultText = findRowFault(row);
    if (faultText !== null) throw new Failure('usage', `${file}, row ${index + 1} below the header: ${faultText}.`);
  }
  return rows;
}

function findRowFault({ period, period_end, value, as_of }: ExpectedRow): string | null {
  if (!isDecimal(value)) return `"${value}" is not a number`;
  if (period_end !== '' && !isDay(period_end)) return `"${period_end}" is not a valid date: write it as YYYY-MM-DD`;
  if (as_of !== '' && !isDay(as_of)) return `"${as_of}" is not a valid date: write it as YYYY-MM-DD`;
  return isValidPeriod({ period, end: emptyToNull(period_end) })
    ? null
    : `"${period}" is not a period: write FY2024 or Q3 2024, or give annual, quarter or instant with a period_end`;
}

const emptyToNull = (text: string): string | null => (text === '' ? null : text);
const RANK_BY_RESULT = { different: 0, absent: 1, equal: 2 } as const;

const compareWorstFirst = (a: ComparedRow, b: ComparedRow): number =>
  RANK_BY_RESULT[a.result] - RANK_BY_RESULT[b.result] || compareDecimals(b.off ?? '0', a.off ?? '0');
