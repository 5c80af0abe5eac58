/** One company's insider filings as resources of the interface, narrowed to the trades that match a filter. */

import type { InsiderFiling, InsiderTransaction } from '../../../contract/resources/insiders.ts';
import { listingUrl } from '../../../edgar/filings/addresses.ts';
import {
  INSIDER_FILINGS,
  INSIDER_FOOTNOTES,
  INSIDER_OWNERS,
  INSIDER_TRADES,
  type InsiderFilingRow,
  type InsiderFootnoteRow,
  type InsiderOwnerRow,
  type InsiderTradeRow,
  RECENT_INSIDER_FILINGS,
  RECENT_INSIDER_FOOTNOTES,
  RECENT_INSIDER_OWNERS,
  RECENT_INSIDER_TRADES,
} from '../../../release/schema/insiders.ts';
import type { ReleaseReader } from '../../../release/store/reader.ts';
import type { CompanyName } from '../company-names.ts';

export interface InsiderFilter {
  /** Trades on or after this day. */
  readonly since: string | undefined;
  readonly code: 'P' | 'S' | null;
}

/** One filing with the trades that match; there is at least one. */
export interface MatchingFiling {
  readonly filing: InsiderFilingRow;
  readonly trades: readonly InsiderTradeRow[];
}

/** A trade without a day matches no `since`. */
export function matchesFilter(trade: Pick<InsiderTradeRow, 'day' | 'code'>, { since, code }: InsiderFilter): boolean {
  return (code === null || trade.code === code) && (since === undefined || (trade.day !== null && trade.day >= since));
}

/** Where rows of insider filings come from: one company, or one day for all companies. */
export interface InsiderSource {
  filings(): Promise<readonly InsiderFilingRow[]>;
  trades(): Promise<readonly InsiderTradeRow[]>;
  owners(): Promise<readonly InsiderOwnerRow[]>;
  footnotes(): Promise<readonly InsiderFootnoteRow[]>;
}

export const ofCompany = (release: ReleaseReader, cik: number): InsiderSource => ({
  filings: () => release.rowsOf(INSIDER_FILINGS, cik),
  trades: () => release.rowsOf(INSIDER_TRADES, cik),
  owners: () => release.rowsOf(INSIDER_OWNERS, cik),
  footnotes: () => release.rowsOf(INSIDER_FOOTNOTES, cik),
});

/** Only of the latest days of a release; without any filing for the others. */
export const ofDay = (release: ReleaseReader, day: number): InsiderSource => ({
  filings: () => release.rowsOf(RECENT_INSIDER_FILINGS, day),
  trades: () => release.rowsOf(RECENT_INSIDER_TRADES, day),
  owners: () => release.rowsOf(RECENT_INSIDER_OWNERS, day),
  footnotes: () => release.rowsOf(RECENT_INSIDER_FOOTNOTES, day),
});

/**
 * In the order of the source: of a company, the latest filing first.
 * @param wanted only filings of these accession numbers
 */
export async function matchingFilings(
  source: InsiderSource,
  filter: InsiderFilter,
  wanted?: ReadonlySet<string>,
): Promise<MatchingFiling[]> {
  const isWanted = ({ accession }: { readonly accession: string }) => wanted?.has(accession) ?? true;
  const trades = grouped((await source.trades()).filter((trade) => isWanted(trade) && matchesFilter(trade, filter)));
  return (await source.filings()).filter(isWanted).flatMap((filing) => {
    const own = trades.get(filing.accession);
    return own === undefined ? [] : [{ filing, trades: own }];
  });
}

/** Owners and footnotes are read only for these filings of the source. */
export async function filingResources(
  source: InsiderSource,
  nameOf: (cik: number) => CompanyName,
  filings: readonly MatchingFiling[],
): Promise<InsiderFiling[]> {
  if (filings.length === 0) return [];
  const owners = grouped(await source.owners());
  const footnotes = grouped(await source.footnotes());
  return filings.map(({ filing: { cik, accession, form, filed, periodOfReport, aff10b5One }, trades }) => ({
    accession_number: accession,
    cik,
    entity_name: nameOf(cik).entityName,
    form: form as InsiderFiling['form'],
    is_amendment: form.endsWith('/A'),
    source_url: listingUrl(cik, accession),
    owners: (owners.get(accession) ?? []).map((owner) => ({
      cik: owner.ownerCik,
      name: owner.name,
      is_director: owner.isDirector,
      is_officer: owner.isOfficer,
      is_ten_percent_owner: owner.isTenPercentOwner,
      is_other: owner.isOther,
      officer_title: owner.officerTitle,
      other_text: owner.otherText,
    })),
    transactions: trades.map(transactionOf),
    footnotes: (footnotes.get(accession) ?? []).map(({ id, text }) => ({ id, text })),
    aff10b5_one: aff10b5One,
    filed_at: filed,
    period_of_report: periodOfReport,
    ticker: nameOf(cik).ticker,
  }));
}

function transactionOf(trade: InsiderTradeRow): InsiderTransaction {
  return {
    ordinal: trade.ordinal,
    security_title: trade.securityTitle,
    transaction_code: trade.code,
    footnote_ids: trade.footnoteIds === '' ? [] : trade.footnoteIds.split(','),
    value_status: trade.status,
    acquired_disposed_code: trade.acquiredDisposed,
    direct_indirect_ownership: trade.directIndirect,
    nature_of_ownership: trade.natureOfOwnership,
    price_per_share: trade.price,
    shares: trade.shares,
    shares_owned_following: trade.ownedFollowing,
    transaction_value: trade.value,
    transaction_date: trade.day,
  };
}

function grouped<Row extends { readonly accession: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.accession);
    if (group === undefined) groups.set(row.accession, [row]);
    else group.push(row);
  }
  return groups;
}
