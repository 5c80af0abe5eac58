/**
 * Reads one quarterly set of insider transactions (Forms 3, 4 and 5 as tables): SUBMISSION, REPORTINGOWNER,
 * NONDERIV_TRANS and FOOTNOTES.
 *
 * The set cuts figures to two decimals and pads them ("1000.0"), so the pads are trimmed, and where the filing's own
 * XML is at hand that one is to be preferred. Columns come and go with the vintages: AFF10B5ONE is missing until it exists.
 */
import type { Decimal } from '../../contract/decimal-text.ts';
import { normalizeAccession } from '../../contract/identifiers.ts';
import type { Archive } from '../files/archive.ts';
import { readDelimited, TableError } from '../files/delimited.ts';
import { cikOf } from '../files/json.ts';
import { parseDay } from '../files/parse-day.ts';
import type { SkippedRows } from '../files/skipped-rows.ts';
import type { Footnote, Owner, OwnershipFiling, Trade } from './ownership-document.ts';
import { figureOf, isInsiderForm, lineOf, readFlag } from './ownership-document.ts';

/** A filing whose rows are still coming in, in whatever order. */
interface Draft extends Omit<OwnershipFiling, 'trades'> {
  readonly owners: Owner[];
  readonly footnotes: Footnote[];
  /** Every non-derivative transaction by its key in the set, so that the order is the document's. */
  readonly rows: { readonly key: number; readonly trade: Omit<Trade, 'ordinal'> | null }[];
}

/**
 * The filings on the wanted issuers. Whatever else is in the set is not held.
 * Throws TableError where a table or a needed column is missing.
 */
export async function readInsiderSet(
  archive: Archive,
  wanted: (issuerCik: number) => boolean,
  skipped: SkippedRows,
): Promise<readonly OwnershipFiling[]> {
  const drafts = new Map<string, Draft>();
  const table = (name: string, required: readonly string[], optional: readonly string[] = []) =>
    rowsOf(archive, name, required, optional, skipped);
  /** Of the filings that are kept; most rows of a set are of others. */
  const tableOfKept: typeof table = (name, required, optional = []) =>
    rowsOf(archive, name, required, optional, skipped, (accession) => drafts.has(accession));
  const draftOf = (row: TableRow) => drafts.get(row.at('ACCESSION_NUMBER'));

  for await (const row of table('SUBMISSION', SUBMISSION_COLUMNS, SUBMISSION_OPTIONAL)) {
    const draft = readSubmission(row);
    if (typeof draft === 'string') skipped.add(draft);
    else if (draft !== null && wanted(draft.issuerCik)) drafts.set(draft.accession, draft);
  }
  for await (const row of tableOfKept('REPORTINGOWNER', OWNER_COLUMNS, OWNER_OPTIONAL)) {
    const owner = readOwner(row);
    if (owner === null) skipped.add('a reporting owner without a CIK');
    else draftOf(row)?.owners.push(owner);
  }
  for await (const row of tableOfKept('NONDERIV_TRANS', TRADE_COLUMNS, TRADE_OPTIONAL)) {
    draftOf(row)?.rows.push({ key: Number(row.at('NONDERIV_TRANS_SK')), trade: readTrade(row) });
  }
  for await (const row of tableOfKept('FOOTNOTES', ['ACCESSION_NUMBER', 'FOOTNOTE_ID', 'FOOTNOTE_TXT'])) {
    const text = lineOf(row.at('FOOTNOTE_TXT'));
    if (text !== null) draftOf(row)?.footnotes.push({ id: row.at('FOOTNOTE_ID'), text });
  }
  return [...drafts.values()].flatMap((draft) => {
    if (draft.owners.length > 0) return [finish(draft)];
    skipped.add('an ownership filing without a reporting owner');
    return [];
  });
}

interface TableRow {
  /** The cell; empty where it is, or where the table has no such column. */
  at(column: string): string;
}

async function* rowsOf(
  archive: Archive,
  name: string,
  required: readonly string[],
  optional: readonly string[],
  skipped: SkippedRows,
  accepts: (accession: string) => boolean = () => true,
): AsyncGenerator<TableRow> {
  const stream = (await archive.stream(`${name}.tsv`)) ?? (await archive.stream(`${name}.txt`));
  if (stream === null) throw new TableError(`${archive.path}: no table ${name}`);
  const where = { column: 'ACCESSION_NUMBER', accepts };
  const options = { label: `${archive.path}: ${name}`, delimiter: '\t', required, optional, skipped, where };
  for await (const rows of readDelimited(stream, options)) {
    for (const row of rows) yield { at: (column) => row[column] ?? '' };
  }
}

const SUBMISSION_COLUMNS = ['ACCESSION_NUMBER', 'FILING_DATE', 'DOCUMENT_TYPE', 'ISSUERCIK'];
const SUBMISSION_OPTIONAL = ['PERIOD_OF_REPORT', 'DATE_OF_ORIG_SUB', 'AFF10B5ONE'];

/** Null for a Form 3, which has no transactions; a reason where the row is no filing. */
function readSubmission(row: TableRow): Draft | string | null {
  const form = row.at('DOCUMENT_TYPE').toUpperCase();
  if (form === '3' || form === '3/A') return null;
  if (!isInsiderForm(form)) return 'an ownership filing of another form';
  const accession = normalizeAccession(row.at('ACCESSION_NUMBER'));
  const issuerCik = cikOf(row.at('ISSUERCIK'));
  const filed = parseDay(row.at('FILING_DATE'));
  if (accession === null || issuerCik === null || filed === null) {
    return 'an ownership filing without an accession, an issuer or a day';
  }
  return {
    accession,
    form,
    issuerCik,
    filed,
    periodOfReport: parseDay(row.at('PERIOD_OF_REPORT')),
    originalFiled: parseDay(row.at('DATE_OF_ORIG_SUB')),
    aff10b5One: readFlag(row.at('AFF10B5ONE')),
    owners: [],
    rows: [],
    footnotes: [],
  };
}

/** Relationships are words of a list, matched whole: "TenPercentOwner" is not "Owner". */
function readOwner(row: TableRow): Owner | null {
  const cik = cikOf(row.at('RPTOWNERCIK'));
  if (cik === null) return null;
  const roles = new Set(
    row
      .at('RPTOWNER_RELATIONSHIP')
      .split(',')
      .map((role) => role.trim().toLowerCase()),
  );
  return {
    cik,
    name: lineOf(row.at('RPTOWNERNAME')) ?? `CIK ${cik}`,
    isDirector: roles.has('director'),
    isOfficer: roles.has('officer'),
    isTenPercentOwner: roles.has('tenpercentowner'),
    isOther: roles.has('other'),
    officerTitle: lineOf(row.at('RPTOWNER_TITLE')),
    otherText: lineOf(row.at('RPTOWNER_TXT')),
  };
}

const OWNER_COLUMNS = ['ACCESSION_NUMBER', 'RPTOWNERCIK', 'RPTOWNERNAME', 'RPTOWNER_RELATIONSHIP'];

const OWNER_OPTIONAL = ['RPTOWNER_TITLE', 'RPTOWNER_TXT'];

const TRADE_COLUMNS = [
  'ACCESSION_NUMBER',
  'NONDERIV_TRANS_SK',
  'SECURITY_TITLE',
  'TRANS_DATE',
  'TRANS_CODE',
  'TRANS_SHARES',
  'TRANS_PRICEPERSHARE',
  'TRANS_ACQUIRED_DISP_CD',
];

/** Cells that hold footnote ids, in the order of the form. */
const FOOTNOTE_COLUMNS = [
  'SECURITY_TITLE_FN',
  'TRANS_DATE_FN',
  'DEEMED_EXECUTION_DATE_FN',
  'EQUITY_SWAP_TRANS_CD_FN',
  'TRANS_TIMELINESS_FN',
  'TRANS_SHARES_FN',
  'TRANS_PRICEPERSHARE_FN',
  'TRANS_ACQUIRED_DISP_CD_FN',
  'SHRS_OWND_FOLWNG_TRANS_FN',
  'VALU_OWND_FOLWNG_TRANS_FN',
  'DIRECT_INDIRECT_OWNERSHIP_FN',
  'NATURE_OF_OWNERSHIP_FN',
];

const TRADE_OPTIONAL = [
  'SHRS_OWND_FOLWNG_TRANS',
  'DIRECT_INDIRECT_OWNERSHIP',
  'NATURE_OF_OWNERSHIP',
  ...FOOTNOTE_COLUMNS,
];

/** Null for any transaction but a purchase or sale; it counts in the order all the same. */
function readTrade(row: TableRow): Omit<Trade, 'ordinal'> | null {
  const code = row.at('TRANS_CODE');
  if (code !== 'P' && code !== 'S') return null;
  const ids = FOOTNOTE_COLUMNS.flatMap((column) => row.at(column).split(/[,\s]+/)).filter((id) => id !== '');
  return {
    securityTitle: lineOf(row.at('SECURITY_TITLE')) ?? '',
    code,
    day: parseDay(row.at('TRANS_DATE')),
    shares: trimmed(row.at('TRANS_SHARES')),
    price: trimmed(row.at('TRANS_PRICEPERSHARE')),
    acquiredDisposed: row.at('TRANS_ACQUIRED_DISP_CD') || null,
    ownedFollowing: trimmed(row.at('SHRS_OWND_FOLWNG_TRANS')),
    directIndirect: row.at('DIRECT_INDIRECT_OWNERSHIP') || null,
    natureOfOwnership: lineOf(row.at('NATURE_OF_OWNERSHIP')),
    footnoteIds: [...new Set(ids)],
  };
}

/** The figure without the pads of the data set: 1000.0 is 1000 and 19.80 is 19.8. */
function trimmed(text: string): Decimal | null {
  const figure = figureOf(text);
  return figure?.includes('.') ? figure.replace(/\.?0+$/, '') : figure;
}

function finish({ rows, footnotes, ...filing }: Draft): OwnershipFiling {
  const trades = [...rows]
    .sort((a, b) => a.key - b.key)
    .flatMap(({ trade }, index) => (trade === null ? [] : [{ ordinal: index + 1, ...trade }]));
  return { ...filing, trades, footnotes: [...footnotes].sort(byId) };
}

/** F2 before F10, as the form numbers them. */
function byId(a: Footnote, b: Footnote): number {
  return a.id.localeCompare(b.id, 'en', { numeric: true });
}
