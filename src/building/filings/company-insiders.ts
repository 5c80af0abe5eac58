/** Makes an issuer's table rows of insider trades from the ownership filings in all files. */

import { compareNullsFirst, compareText } from '../../contract/compare-text.ts';
import { makeFilingIndexUrl } from '../../contract/identifiers.ts';
import type { OwnershipFiling } from '../../edgar/insiders/ownership-document.ts';
import { type JudgedFiling, judgeFilings, type MarketLookup } from '../../ownership/insiders/judge.ts';
import { collectSymbols } from '../../ownership/issuers/issuer-symbols.ts';
import { INSIDER_FILINGS, INSIDER_FOOTNOTES, INSIDER_OWNERS, INSIDER_TRADES } from '../../store/schema/insiders.ts';
import { encodePart, type TablePart } from '../../store/table-part.ts';
import type { IdentifiedFiling } from './identify-forms.ts';

export interface InsiderOptions {
  /** Filing dates by accession number, from the company's rows of filings. */
  readonly filedByAccession: ReadonlyMap<string, string>;
  readonly market: MarketLookup;
  /** The release's date. */
  readonly date: string;
  /** Whether to replace the text of footnotes with a reference to the filing. */
  readonly withoutFootnotes: boolean;
}

/** Returns the filings that have trades and are not superseded by an amendment, latest first. */
export function makeCompanyInsiders(
  identifiedFilings: readonly IdentifiedFiling[],
  { filedByAccession, market, date, withoutFootnotes }: InsiderOptions,
) {
  const allFilings = [...mergeByAccession(identifiedFilings)].map((filing) => ({
    ...filing,
    filed: filedByAccession.get(filing.accession) ?? filing.filed,
  }));
  const filings = allFilings.filter((filing) => findEarliestFilingDay(filing) <= date);
  const laterFilingCount = allFilings.length - filings.length;
  const judgement = judgeFilings(filings, market);
  const releaseFilings = withoutFootnotes ? judgement.filings.map(replaceFootnotes) : judgement.filings;
  const replaced = releaseFilings.reduce((sum, { footnotes }) => sum + (withoutFootnotes ? footnotes.length : 0), 0);
  return {
    /** Number of filings that were skipped because they were filed after the release's date. */
    laterFilingCount,
    issuerSymbols: collectSymbols(filings),
    filings: [...releaseFilings].sort(compareLatestFirst),
    skipped: {
      ...judgement.skipped,
      'an ownership filing filed after the date of the release': laterFilingCount,
      'the text of a footnote, replaced by the address of its filing': replaced,
    },
  };
}

/**
 * Returns the filing date. If it is unknown, returns the day of the reported trade, because the filing cannot be
 * earlier. Empty if both are unknown.
 */
export const findEarliestFilingDay = ({
  filed,
  periodOfReport,
}: Pick<OwnershipFiling, 'filed' | 'periodOfReport'>): string => filed ?? periodOfReport ?? '';

/** Replaces the text of footnotes, whose authors are the filers, with a reference to the filing. */
function replaceFootnotes(filing: JudgedFiling): JudgedFiling {
  const text = `The text of this footnote is in the filing: ${makeFilingIndexUrl(filing.issuerCik, filing.accession)}`;
  return { ...filing, footnotes: filing.footnotes.map(({ id }) => ({ id, text })) };
}

/** Sorts filings without a filing date last. */
const compareLatestFirst = (a: OwnershipFilingKey, b: OwnershipFilingKey): number =>
  compareNullsFirst(b.filed, a.filed) || compareText(b.accession, a.accession);

type OwnershipFilingKey = Pick<OwnershipFiling, 'filed' | 'accession'>;

/**
 * Returns one filing per accession number. Figures come from the form, because data sets round them. If the form
 * lacks the filing date, the date comes from the data set.
 */
function mergeByAccession(identified: readonly IdentifiedFiling[]): Iterable<OwnershipFiling> {
  const filings = new Map<string, OwnershipFiling>();
  const sorted = [...identified].sort((a, b) => compareText(a.origin, b.origin));
  for (const { filing } of sorted) {
    const existing = filings.get(filing.accession);
    if (existing === undefined) filings.set(filing.accession, filing);
    else if (existing.filed === null) filings.set(filing.accession, { ...existing, filed: filing.filed });
  }
  return filings.values();
}

/** Encodes the filings, and their owners, trades and footnotes. */
export function encodeInsiders(cik: number, filings: readonly JudgedFiling[]): TablePart[] {
  const list = <Item>(getItems: (filing: JudgedFiling) => readonly Item[]) =>
    filings.flatMap((filing) => getItems(filing).map((item) => ({ accession: filing.accession, ...item })));
  const owners = list((filing) => filing.owners.map(({ cik: ownerCik, ...owner }) => ({ ownerCik, ...owner })));
  const trades = list(({ trades }) => trades.map((trade) => ({ ...trade, footnoteIds: trade.footnoteIds.join(',') })));
  const footnotes = list((filing) => filing.footnotes);
  return [
    encodePart(INSIDER_FILINGS, cik, filings),
    encodePart(INSIDER_OWNERS, cik, owners),
    encodePart(INSIDER_TRADES, cik, trades),
    encodePart(INSIDER_FOOTNOTES, cik, footnotes),
  ];
}
