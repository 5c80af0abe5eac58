/** Tables of institutional holders (Form 13F). */

import { day, decimal, flag, integer, text } from './columns.ts';
import type { RowOf, Table } from './declare-table.ts';
import { ACCESSION_COLUMN, CIK_COLUMN, declareTable, FILED_COLUMN } from './declare-table.ts';

const HOLDER_COLUMN = integer('holder_cik', 'Central Index Key of the manager');
const PERIOD_COLUMN = day('period', 'Last day of the reported quarter');
const AMOUNT_COLUMNS = [
  decimal('amount', 'Number of shares, or principal amount of notes; see amount_type'),
  text('amount_type', 'SH: number of shares. PRN: principal amount of notes'),
  decimal('value', 'Market value in whole US dollars; values reported in thousands are converted'),
  decimal('weight?', "Share of the report's total value, as a fraction"),
] as const;

const POSITION_COLUMNS = [
  text('cusip', 'CUSIP as reported'),
  text('issuer', 'Name of the issuer, as reported'),
  text('class', 'Title of the class of securities, as reported', { field: 'titleOfClass' }),
  text('put_call', 'Put or Call for an option; empty for shares and notes'),
  ...AMOUNT_COLUMNS,
  decimal(
    'prior_amount?',
    'Amount in the previous report; null for a new position, or if the release has no previous report',
  ),
  decimal(
    'prior_value?',
    'Value in the previous report; null for a new position, or if the release has no previous report',
  ),
  // The company of notes may be found by the first six characters of the CUSIP.
  integer('cik?', 'Central Index Key of the issuer; null if the release does not cover the company'),
  text('ticker_normalized?', 'Ticker of the security; empty for notes, which have no ticker; null if cik is null'),
] as const;

/** Sorted by CIK of the manager, then quarter. */
export const HOLDER_REPORTS = declareTable({
  name: 'holder_reports',
  typed: {
    name: 'manager_reports',
    about: "Form 13F: totals of each institutional manager's holdings at the end of a quarter.",
    order: 'holder_cik, then period',
  },
  key: 'holderCik',
  columns: [
    HOLDER_COLUMN,
    text('holder_name', 'Name of the manager', { field: 'name' }),
    PERIOD_COLUMN,
    ACCESSION_COLUMN,
    FILED_COLUMN,
    integer('positions', 'Number of positions in the report'),
    decimal('value_total', 'Market value of all positions in US dollars'),
    integer('other_managers', 'Number of other managers whose holdings the report includes'),
    day(
      'prior_period?',
      "Last day of the quarter of the manager's previous report; null if the release does not include that report",
    ),
    integer('opened?', 'Number of positions that the previous report does not have; null if prior_period is null'),
    integer('closed?', 'Number of positions that only the previous report has; null if prior_period is null'),
  ],
});

/**
 * Summary of a manager's holdings at the end of a quarter. The accession number is that of the original report, or of
 * the restatement if one was filed.
 */
export type ReportRow = RowOf<typeof HOLDER_REPORTS>;

/** Sorted by CIK of the manager, largest position first. */
export const HOLDER_POSITIONS = declareTable({
  name: 'holder_positions',
  typed: {
    name: 'holdings',
    about:
      "Form 13F: the positions in each manager's latest report, each with its amount and value in the previous report.",
    order: 'holder_cik, largest position first',
  },
  key: 'holderCik',
  columns: [HOLDER_COLUMN, ...POSITION_COLUMNS],
});

/**
 * Sorted by CIK of the manager, latest quarter first, then largest position first. The latest reports are in
 * `HOLDER_POSITIONS` only.
 */
export const EARLIER_POSITIONS = declareTable({
  name: 'earlier_positions',
  typed: {
    name: 'earlier_holdings',
    about:
      "Form 13F: the positions in each manager's earlier reports, with the amount and value of the previous report.",
    order: 'holder_cik, latest period first, largest position first',
  },
  key: 'holderCik',
  columns: [HOLDER_COLUMN, PERIOD_COLUMN, ...POSITION_COLUMNS],
});

/** Sorted by CIK of the manager, then quarter. */
export const OTHER_REPORTERS = declareTable({
  name: 'holder_other_reporters',
  typed: {
    name: 'other_reporters',
    about:
      "Form 13F: other managers whose reports have a manager's positions, according to the manager's notice (all of its positions) or combination report (some of them).",
    order: 'holder_cik, then period',
  },
  key: 'holderCik',
  columns: [
    HOLDER_COLUMN,
    text('holder_name', 'Name of the manager', { field: 'name' }),
    text('form', 'Form type of the filing: 13F-NT for a notice, 13F-HR for a combination report'),
    PERIOD_COLUMN,
    ACCESSION_COLUMN,
    FILED_COLUMN,
    integer('reporter_cik?', 'Central Index Key of the other manager; null if the filing does not state it'),
    text('reporter_name?', 'Name of the other manager; null if the filing names no manager'),
  ],
});

export type OtherReporterRow = RowOf<typeof OTHER_REPORTERS>;

/** One position in a manager's latest report, with its values in the previous report. */
export type PositionRow = RowOf<typeof HOLDER_POSITIONS>;

const SECURITY_HOLDER_COLUMNS = [
  CIK_COLUMN,
  text('ticker_normalized', "Ticker of the security; empty for the company's notes, which have no ticker"),
  PERIOD_COLUMN,
  HOLDER_COLUMN,
  text('holder_name', 'Name of the manager'),
  ACCESSION_COLUMN,
  FILED_COLUMN,
  ...AMOUNT_COLUMNS,
  flag('prior_known', "Whether the manager's report for the previous quarter is in the release"),
  flag('next_known', "Whether the manager's report for the next quarter is in the release"),
] as const;

const declareSecurityHolders = (name: string, about: string) =>
  declareTable({
    name,
    typed: { about, order: 'cik, then period, ticker_normalized, largest position first' },
    key: 'cik',
    columns: SECURITY_HOLDER_COLUMNS,
  });

/** The table has at most two quarters of each company, so that questions about the latest quarter read few rows. */
export const SECURITY_HOLDERS = declareSecurityHolders(
  'security_holders',
  'Form 13F by company: the managers that held a security at the end of a quarter.',
);

/** The table has the quarters that are not in `SECURITY_HOLDERS`. */
export const OTHER_SECURITY_HOLDERS = declareSecurityHolders(
  'other_security_holders',
  'Form 13F by company: the managers that held a security, in the quarters that are not in security_holders.',
);

/**
 * One manager's holding of one security at the end of a quarter. For each company, the table has at most two
 * consecutive quarters, which need not be the latest; see `makeSecurityHolders`.
 */
export type SecurityHolderRow = Omit<RowOf<typeof SECURITY_HOLDERS>, 'cik'>;

export const HOLDER_TABLES: readonly Table[] = [
  HOLDER_REPORTS,
  HOLDER_POSITIONS,
  SECURITY_HOLDERS,
  EARLIER_POSITIONS,
  OTHER_REPORTERS,
  OTHER_SECURITY_HOLDERS,
];
