/**
 * Reads a quarterly data set of insider transactions (Forms 3, 4 and 5). Figures of the set have at most two
 * decimals and are padded ("1000.0"), so padding is removed, and a filing's own XML takes precedence. Columns differ by
 * year: AFF10B5ONE exists since 2023.
 */
import { type Decimal, trimTrailingZeros } from '../../contract/decimal-text.ts';
import { normalizeAccession } from '../../contract/identifiers.ts';
import type { Archive } from '../files/archive.ts';
import { type DelimitedRow, readTable, TableError } from '../files/delimited.ts';
import { parseDay, toCik } from '../files/fields.ts';
import type { SkippedRowCounts } from '../files/skipped-rows.ts';
import type { FilingIndexRow } from '../filings/filing-index.ts';
import type { Footnote, Owner, OwnershipFiling, Trade } from './ownership-document.ts';
import { isInsiderTradeForm, parseFigure, parseFlag, parseIssuerSymbol, toSingleLine } from './ownership-document.ts';

/** A filing that is assembled from rows of several tables. */
interface DraftFiling extends Omit<OwnershipFiling, 'trades'> {
  readonly owners: Owner[];
  readonly footnotes: Footnote[];
  /**
   * All non-derivative transactions, each with its key in the data set. Ascending keys give the order in which the form
   * lists the transactions. `trade` is null for transactions other than purchases and sales.
   */
  readonly transactions: { readonly key: number; readonly trade: Omit<Trade, 'ordinal'> | null }[];
}

/**
 * Returns the filings of the wanted issuers. Throws TableError if a table or a required column is missing. If only
 * tables other than SUBMISSION are missing, first passes the filings in SUBMISSION to `onListed`, for their
 * filing dates.
 */
export async function readInsiderDataSet(
  archive: Archive,
  wantsIssuer: (issuerCik: number) => boolean,
  skipped: SkippedRowCounts,
  onListed: (filing: FilingIndexRow) => void = () => {},
): Promise<readonly OwnershipFiling[]> {
  const drafts = new Map<string, DraftFiling>();
  for await (const row of readRows(archive, 'SUBMISSION', SUBMISSION_COLUMNS, MORE_SUBMISSION_COLUMNS, skipped)) {
    const draft = readSubmission(row);
    if (typeof draft === 'string') skipped.add(draft);
    else if (draft !== null && wantsIssuer(draft.issuerCik)) drafts.set(draft.accession, draft);
  }
  if (REQUIRED_TABLES.some((name) => findMember(archive, name) === undefined)) {
    for (const { accession, form, filed, issuerCik } of drafts.values()) {
      if (filed !== null) onListed({ accession, form, filed, cik: issuerCik });
    }
  }
  const hasDraft = (accession: string) => drafts.has(accession);
  const read = <R extends string, O extends string>(name: string, required: readonly R[], optional: readonly O[]) =>
    readRows(archive, name, required, optional, skipped, hasDraft);
  for await (const row of read('REPORTINGOWNER', OWNER_COLUMNS, OPTIONAL_OWNER_COLUMNS)) {
    const owner = readOwner(row);
    if (owner === null) skipped.add('a reporting owner without a valid CIK');
    else drafts.get(row.ACCESSION_NUMBER)?.owners.push(owner);
  }
  for await (const row of read('NONDERIV_TRANS', TRADE_COLUMNS, OPTIONAL_TRADE_COLUMNS)) {
    const key = Number(row.NONDERIV_TRANS_SK);
    drafts.get(row.ACCESSION_NUMBER)?.transactions.push({ key, trade: readTrade(row) });
  }
  for await (const row of read('FOOTNOTES', FOOTNOTE_COLUMNS, [])) {
    const text = toSingleLine(row.FOOTNOTE_TXT);
    if (text !== null) drafts.get(row.ACCESSION_NUMBER)?.footnotes.push({ id: row.FOOTNOTE_ID, text });
  }
  return [...drafts.values()].flatMap((draft) => {
    if (draft.owners.length > 0) return [finishFiling(draft)];
    skipped.add('an ownership filing without a reporting owner');
    return [];
  });
}

const REQUIRED_TABLES = ['REPORTINGOWNER', 'NONDERIV_TRANS', 'FOOTNOTES'] as const;

const findMember = (archive: Archive, name: string): string | undefined =>
  [`${name}.tsv`, `${name}.txt`].find((candidate) => archive.has(candidate));

/**
 * Yields the rows of a table.
 * @param accepts selects rows by accession number, because most rows belong to unwanted filings
 */
async function* readRows<Required extends string, Optional extends string>(
  archive: Archive,
  name: string,
  required: readonly (Required | 'ACCESSION_NUMBER')[],
  optional: readonly Optional[],
  skipped: SkippedRowCounts,
  accepts: (accession: string) => boolean = () => true,
): AsyncGenerator<DelimitedRow<Required | Optional | 'ACCESSION_NUMBER'>> {
  const member = findMember(archive, name);
  if (member === undefined) throw new TableError(`${archive.path}: the table ${name} is missing`);
  const filter = { column: 'ACCESSION_NUMBER', accepts } as const;
  for await (const rows of readTable(archive, member, { required, optional, skipped, rowFilter: filter })) yield* rows;
}

const SUBMISSION_COLUMNS = ['ACCESSION_NUMBER', 'FILING_DATE', 'DOCUMENT_TYPE', 'ISSUERCIK'] as const;
const MORE_SUBMISSION_COLUMNS = ['PERIOD_OF_REPORT', 'DATE_OF_ORIG_SUB', 'ISSUERTRADINGSYMBOL', 'AFF10B5ONE'] as const;

/** Returns the filing; null for a Form 3, which has no transactions; or the reason why the row is invalid. */
function readSubmission(
  row: DelimitedRow<(typeof SUBMISSION_COLUMNS)[number] | (typeof MORE_SUBMISSION_COLUMNS)[number]>,
): DraftFiling | string | null {
  const form = row.DOCUMENT_TYPE.toUpperCase();
  if (form === '3' || form === '3/A') return null;
  if (!isInsiderTradeForm(form)) return 'an ownership filing of a form other than 4 or 5';
  const accession = normalizeAccession(row.ACCESSION_NUMBER);
  const issuer = toCik(row.ISSUERCIK);
  const day = parseDay(row.FILING_DATE);
  if (accession === null || issuer === null || day === null)
    return 'an ownership filing without a valid accession number, issuer CIK or filing date';
  return {
    accession,
    form,
    issuerCik: issuer,
    issuerSymbol: parseIssuerSymbol(row.ISSUERTRADINGSYMBOL),
    filed: day,
    periodOfReport: parseDay(row.PERIOD_OF_REPORT),
    originalFiled: parseDay(row.DATE_OF_ORIG_SUB),
    aff10b5One: parseFlag(row.AFF10B5ONE),
    owners: [],
    transactions: [],
    footnotes: [],
  };
}

const OWNER_COLUMNS = ['ACCESSION_NUMBER', 'RPTOWNERCIK', 'RPTOWNERNAME', 'RPTOWNER_RELATIONSHIP'] as const;
const OPTIONAL_OWNER_COLUMNS = ['RPTOWNER_TITLE', 'RPTOWNER_TXT'] as const;

/** The relationship is a list of roles, separated by commas, such as "Director,TenPercentOwner". */
function readOwner(row: DelimitedRow<(typeof OWNER_COLUMNS)[number] | (typeof OPTIONAL_OWNER_COLUMNS)[number]>) {
  const cik = toCik(row.RPTOWNERCIK);
  if (cik === null) return null;
  const roles = new Set(row.RPTOWNER_RELATIONSHIP.split(',').map((role) => role.trim().toLowerCase()));
  return {
    cik,
    name: toSingleLine(row.RPTOWNERNAME) ?? `CIK ${cik}`,
    isDirector: roles.has('director'),
    isOfficer: roles.has('officer'),
    isTenPercentOwner: roles.has('tenpercentowner'),
    isOther: roles.has('other'),
    officerTitle: toSingleLine(row.RPTOWNER_TITLE),
    otherText: toSingleLine(row.RPTOWNER_TXT),
  };
}

const TRADE_COLUMNS = [
  'ACCESSION_NUMBER',
  'NONDERIV_TRANS_SK',
  'SECURITY_TITLE',
  'TRANS_DATE',
  'TRANS_CODE',
  'TRANS_SHARES',
  'TRANS_PRICEPERSHARE',
  'TRANS_ACQUIRED_DISP_CD',
] as const;

/** Columns with footnote ids, in the order of the form. */
const FOOTNOTE_ID_COLUMNS = [
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
] as const;

const OPTIONAL_TRADE_COLUMNS = [
  'SHRS_OWND_FOLWNG_TRANS',
  'DIRECT_INDIRECT_OWNERSHIP',
  'NATURE_OF_OWNERSHIP',
  ...FOOTNOTE_ID_COLUMNS,
] as const;

const FOOTNOTE_COLUMNS = ['ACCESSION_NUMBER', 'FOOTNOTE_ID', 'FOOTNOTE_TXT'] as const;

/**
 * Returns the trade without its `ordinal`, which depends on all transactions of the filing. Null for a transaction that
 * is not a purchase or sale.
 */
function readTrade(
  row: DelimitedRow<(typeof TRADE_COLUMNS)[number] | (typeof OPTIONAL_TRADE_COLUMNS)[number]>,
): Omit<Trade, 'ordinal'> | null {
  const code = row.TRANS_CODE;
  if (code !== 'P' && code !== 'S') return null;
  const ids = FOOTNOTE_ID_COLUMNS.flatMap((column) => row[column].split(/[,\s]+/)).filter((id) => id !== '');
  return {
    securityTitle: toSingleLine(row.SECURITY_TITLE) ?? '',
    code,
    day: parseDay(row.TRANS_DATE),
    shares: parsePaddedDecimal(row.TRANS_SHARES),
    price: parsePaddedDecimal(row.TRANS_PRICEPERSHARE),
    acquiredDisposed: row.TRANS_ACQUIRED_DISP_CD || null,
    ownedFollowing: parsePaddedDecimal(row.SHRS_OWND_FOLWNG_TRANS),
    directIndirect: row.DIRECT_INDIRECT_OWNERSHIP || null,
    natureOfOwnership: toSingleLine(row.NATURE_OF_OWNERSHIP),
    footnoteIds: [...new Set(ids)],
  };
}

/** Returns the figure without the set's padding: 1000.0 is 1000 and 19.80 is 19.8. */
function parsePaddedDecimal(text: string): Decimal | null {
  const figure = parseFigure(text);
  return figure === null ? null : trimTrailingZeros(figure);
}

function finishFiling({ transactions, footnotes, ...filing }: DraftFiling): OwnershipFiling {
  const trades = [...transactions]
    .sort((a, b) => a.key - b.key)
    .flatMap(({ trade }, index) => (trade === null ? [] : [{ ordinal: index + 1, ...trade }]));
  return { ...filing, trades, footnotes: [...footnotes].sort(compareFootnoteIds) };
}

/** Compares ids by number: F2 before F10, as in the form. */
const compareFootnoteIds = (a: Footnote, b: Footnote): number => a.id.localeCompare(b.id, 'en', { numeric: true });
