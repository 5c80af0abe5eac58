/**
 * The result of `fin screen --summary`: the distribution of each figure over all companies, or over the companies of
 * each industry. Loaded on demand, because plain screens need no decimal arithmetic.
 */
import type { ResultMembers } from '../../ask/command/command.ts';
import type { GivenOptions } from '../../ask/command/option-spec.ts';
import { makePastEndNotice } from '../../ask/notices.ts';
import type { ScreenRow } from '../../contract/resources/screen.ts';
import { option, say } from '../../contract/text/text.ts';
import { formatCount } from '../../contract/text/wording.ts';
import { groupBy } from '../../platform/collections.ts';
import { makeNote, type Notice } from '../../result/notice.ts';
import { makeRows, makeTable } from '../../result/table.ts';
import { computeDistributions, type Distribution, makeDistributionColumns } from './distribution.ts';
import { findAnsweredColumns, type ScreenAnswer } from './screen-table.ts';

interface SummaryRow extends Distribution {
  readonly sic: string | null;
  readonly industry: string | null;
  /** Number of companies in the industry. */
  readonly companies: number;
}

export function makeSummaryContent(
  answer: ScreenAnswer,
  options: GivenOptions,
): Pick<ResultMembers, 'tables' | 'total' | 'document'> & { readonly notices: readonly Notice[] } {
  const columns = findAnsweredColumns(answer);
  const isByIndustry = options.has('by');
  const rowGroups = isByIndustry ? groupByIndustry([...answer.items()]) : [[...answer.items()]];
  const summaries = rowGroups.flatMap((rows): SummaryRow[] => {
    const [firstRow] = rows;
    const industryFields = { sic: toText(firstRow?.sic), industry: toText(firstRow?.industry), companies: rows.length };
    return computeDistributions(columns, rows).map((distribution) => ({ ...industryFields, ...distribution }));
  });
  const offset = Number(options.get('offset')?.at(-1) ?? 0);
  const limit = Number(options.get('limit')?.at(-1) ?? summaries.length);
  const shownSummaries = summaries.slice(offset, offset + limit);
  const distributionColumns = makeDistributionColumns<SummaryRow>(columns);
  const summaryTable = makeTable<SummaryRow>({
    name: 'summary',
    columns: isByIndustry
      ? [{ key: 'sic' }, { key: 'industry' }, { key: 'companies' }, ...distributionColumns]
      : distributionColumns,
    shownKeys: distributionColumns.map(({ key }) => key).filter((key) => key !== 'column'),
    records: () => shownSummaries,
    ...(isByIndustry ? { section: formatHeading } : {}),
  });
  const flatTable = makeRows(summaryTable);
  const data = [...flatTable.rows].map((row) =>
    Object.fromEntries(flatTable.columns.map((name, columnIndex) => [name, row[columnIndex] ?? null])),
  );
  const { meta, requests } = answer;
  return {
    tables: [summaryTable],
    total: summaries.length,
    notices: makePartialListNotices(offset, shownSummaries.length, summaries.length),
    document: () => [JSON.stringify({ data, meta, fin: { requests } })],
  };
}

function makePartialListNotices(offset: number, shownCount: number, total: number): readonly Notice[] {
  if (shownCount === total) return [];
  if (shownCount === 0) return [makePastEndNotice(offset, total, ' rows')];
  const [first, last] = [offset + 1, offset + shownCount];
  const text = say`Showing rows ${first} to ${last} of ${total}. To see all, remove ${option('limit')} and ${option('offset')}.`;
  return [makeNote('page_cut', text, { first, last, total })];
}

/** Groups rows by industry, largest industry first; companies without an industry come last. */
function groupByIndustry(rows: readonly ScreenRow[]): readonly (readonly ScreenRow[])[] {
  const industryGroups = [...groupBy(rows, ({ sic }) => toText(sic))];
  const countRowsWithIndustry = ([sic, industryRows]: readonly [string | null, readonly unknown[]]): number =>
    sic === null ? 0 : industryRows.length;
  return industryGroups
    .sort((a, b) => countRowsWithIndustry(b) - countRowsWithIndustry(a) || ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1))
    .map(([, industryRows]) => industryRows);
}

function formatHeading(
  { sic, industry, companies }: SummaryRow,
  previousSummary: SummaryRow | undefined,
): string | null {
  if (previousSummary?.sic === sic && previousSummary.companies === companies) return null;
  const industryText = sic === null ? 'No industry' : `${industry ?? '–'} (SIC ${sic})`;
  return `${industryText}: ${formatCount(companies, 'company', 'companies')}`;
}

const toText = (value: unknown): string | null => (typeof value === 'string' ? value : null);
