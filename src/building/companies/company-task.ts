/** Defines the task that derives one company: reads its public files, and returns encoded table rows. */

import { compareText } from '../../contract/compare-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import type { PublicFiles } from '../../edgar/files/public-files.ts';
import type { CompanyFigures } from '../../figures/company.ts';
import { findLastValidDay } from '../../figures/screen/derive-screen-row.ts';
import type { IssuerSymbol } from '../../ownership/issuers/issuer-symbols.ts';
import { sumNumbers } from '../../platform/collections.ts';
import type { FilingActivity } from '../../store/schema/companies.ts';
import type { Table } from '../../store/schema/declare-table.ts';
import { FACTS, LATEST_FIGURES, RAW_CONCEPTS, REPORTED_VALUES } from '../../store/schema/reported-values.ts';
import { encodePart, PartSink, type TablePart } from '../../store/table-part.ts';
import { makeFilingLists, type SharedOutput } from '../filings/filing-lists.ts';
import { deserializeFilings, type SerializedFilings } from '../filings/read-filings.ts';
import { makeHistoryLines } from '../history/screen-months.ts';
import { mergeQuotes, readCompanyPrices } from '../market/company-prices.ts';
import type { MemberNames } from '../segments/brand-rows.ts';
import { makeSegmentParts } from '../segments/segment-parts.ts';
import type { ReadingReport } from '../tasks/reading.ts';
import type { Slice } from '../tasks/slices.ts';
import type { Task } from '../tasks/task.ts';
import { type CompanyFindings, NO_FINDINGS } from './company-checks.ts';
import type { CompanyReading, CompanySources, DerivedCompany } from './company-part.ts';
import { findPrimaryQuotes, readCompany } from './company-part.ts';

/** Derives one company; the result is cached by company. */
export interface CompanyTask extends Task<CompanyTaskResult> {
  readonly kind: 'company';
  readonly company: CompanyInput;
  readonly releaseDate: string;
  /** The current day; filings with a later date are errors and skipped. */
  readonly today: string;
  /** Whether to replace the text of footnotes in insiders' filings with a reference to the filing. */
  readonly withoutFootnotes: boolean;
}

export interface CompanyInput extends CompanySources, SerializedFilings {
  /** The company's prices; null if the sources contain no prices of its securities. */
  readonly marketPrices: Slice | null;
}

/**
 * Tables that grow with the number of facts. Each key is the field of `CompanyFigures` with the table's rows. Workers
 * encode these tables company by company.
 */
export const LARGE_TABLES = {
  reportedValues: REPORTED_VALUES,
  latestFigures: LATEST_FIGURES,
  rawConcepts: RAW_CONCEPTS,
} as const;

const LARGE_TABLE_NAMES = Object.keys(LARGE_TABLES) as (keyof typeof LARGE_TABLES)[];

/** The fields of a company that the small tables need. */
export interface CompanyResult
  extends Pick<DerivedCompany, 'company' | 'securities' | 'formerNames'>,
    Pick<CompanyFigures, 'screen' | 'evidence' | 'splits'> {
  /** Ticker symbols that ownership filings state for the company. */
  readonly issuerSymbols: readonly IssuerSymbol[];
  /** Counts of filings for the company's profile, including filings that are missing from the company's list. */
  readonly filings: FilingActivity;
  /** Number of facts, summed over all concepts. */
  readonly conceptFacts: number;
  readonly memberNames: MemberNames;
}

export interface CompanyTaskResult extends Omit<CompanyReading, 'part' | 'hasLaterReports'> {
  readonly releaseDate: string;
  /** Null if the company has no row in the release. */
  readonly company: CompanyResult | null;
  readonly findings: CompanyFindings;
  /** Keys of the metrics, ratios and screener figures that the company has. */
  readonly coveredKeys: readonly string[];
  readonly parts: readonly TablePart[];
  readonly sharedOutputs: readonly SharedOutput[];
  /** Whether reports or filings after the release's date were skipped. */
  readonly hasLaterFilings: boolean;
  /** Problems and skipped rows of the lists of filings and insider trades. */
  readonly lists: ReadingReport;
}

/** Derives one company. Skips and counts bad files and rows; never throws because of a file's content. */
export async function performCompanyTask(task: CompanyTask, files: PublicFiles): Promise<CompanyTaskResult> {
  const { company: sources, releaseDate, withoutFootnotes } = task;
  const { cik } = sources;
  const { quotes, closingPrices } = readCompanyPrices(sources.marketPrices);
  const elsewhere = deserializeFilings(sources);
  const { part, hasLaterReports, ...reading } = await readCompany(files, sources, elsewhere, quotes, task);
  if (part === null) {
    const empty = { company: null, findings: NO_FINDINGS, coveredKeys: [], parts: [], sharedOutputs: [] };
    const lists = { skipped: {}, problems: [] };
    return { releaseDate, ...reading, ...empty, hasLaterFilings: hasLaterReports, lists };
  }
  const { company, securities, filings: list, unlistedFilings, figures } = part;
  const { reportedValues, splits } = figures;
  const companyData = { cik, list, unlistedFilings, reportedValues, splits, closingPrices };
  const lists = await makeFilingLists(files, companyData, elsewhere, { date: releaseDate, withoutFootnotes });
  const primaryQuotes = findPrimaryQuotes(securities, quotes);
  const allQuotes = primaryQuotes && mergeQuotes(primaryQuotes);
  const history = company.partialFacts === true ? [] : makeHistoryLines(cik, figures, allQuotes);
  const segmentParts = makeSegmentParts(cik, part, releaseDate);
  const large = LARGE_TABLE_NAMES.map((name) => {
    const sink = new PartSink<unknown>(LARGE_TABLES[name] as Table);
    sink.add(cik, figures[name]);
    return sink.finish(0);
  });
  const facts = part.taggedFacts === null ? [] : [encodePart(FACTS, cik, part.taggedFacts.toSorted(compareFacts))];
  return {
    releaseDate,
    ...reading,
    company: {
      company,
      securities,
      formerNames: part.formerNames,
      issuerSymbols: lists.issuerSymbols,
      screen: figures.screen,
      evidence: figures.evidence,
      splits,
      filings: lists.profileCounts,
      conceptFacts: sumNumbers(figures.rawConcepts.map(({ factCount }) => factCount)),
      memberNames: segmentParts.memberNames,
    },
    findings: { ...part.findings, filings: lists.counts, segments: segmentParts.counts },
    coveredKeys: [...listCoveredKeys(figures)],
    parts: [...large, ...lists.parts, ...segmentParts.parts, ...facts],
    sharedOutputs: [...lists.sharedOutputs, ...history],
    hasLaterFilings: hasLaterReports || lists.hasLaterFilings,
    lists: { skipped: lists.skipped, problems: lists.problems },
  };
}

export const toEvidenceRow = ({ company: { cik }, evidence }: CompanyResult) => ({ cik, ...evidence });

/**
 * Whether builds of later releases may reuse the result. If the sources have data after the release's date, they may
 * not, because a later release includes that data.
 */
export function isResultReusable({
  filedAfterCutoff,
  hasLaterFilings,
  findings: { futureDates, segments },
}: Pick<CompanyTaskResult, 'filedAfterCutoff' | 'hasLaterFilings' | 'findings'>): boolean {
  const hasLater = filedAfterCutoff !== null || hasLaterFilings;
  return !hasLater && futureDates.failedCount === 0 && segments.futureRows === 0;
}

/**
 * Whether a cached result is valid for the release date `date`: it was not made for a later release, and its screener
 * row is not too old.
 */
export function isResultValidOn(
  date: string,
  { releaseDate, company }: Pick<CompanyTaskResult, 'releaseDate' | 'company'>,
): boolean {
  const row = company?.screen ?? null;
  const lastDay = row === null ? null : findLastValidDay(row);
  return date >= releaseDate && (lastDay === null || lastDay >= date);
}

const compareFacts = (a: Fact, b: Fact): number =>
  compareText(a.taxonomy, b.taxonomy) ||
  compareText(a.concept, b.concept) ||
  compareText(a.unit, b.unit) ||
  compareText(a.end, b.end) ||
  compareText(a.start ?? '', b.start ?? '') ||
  compareText(a.filed, b.filed) ||
  compareText(a.accession, b.accession);

/** Returns the keys of the company's metrics, ratios and screener figures, without duplicates. */
function listCoveredKeys({ coveredKeys, screen }: Pick<CompanyFigures, 'coveredKeys' | 'screen'>): Set<string> {
  const figures = Object.entries(screen?.figures ?? {}).filter(([, value]) => value !== null);
  return new Set([...coveredKeys, ...figures.map(([key]) => key)]);
}
