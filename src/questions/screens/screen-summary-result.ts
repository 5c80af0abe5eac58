/**
 * The result of `fin screen --summary`: the distribution of each figure over all companies, or over the companies of
 * each industry. Loaded on demand, because plain screens need no decimal arithmetic.
 */
import type { ResultMembers } from '../../ask/command/command.ts';
import type { GivenOptions } from '../../ask/command/option-spec.ts';
import { makePastEndNotice } from '../../ask/notices.ts';
import type { ScreenRow } from '../../contract/screen-row.ts';
import { formatCount } from '../../contract/text/format-counts.ts';
import { option, say } from '../../contract/text/text.ts';
import { groupBy } from '../../platform/collections.ts';
import { makeNote, type Notice } from '../../result/notice.ts';
import { toObjects } from '../../result/rows.ts';
import { makeRows, makeTable } from '../../result/table.ts';
import { computeDistributions, type Distribution, makeDistributionColumns } from './distribution.ts';
import { listColumns, type ScreenAnswer } from './screen-table.ts';

interface SummaryRow extends Distribution {
  readonly sic: string | null;
  readonly industry: string | null;
  readonly companies: number;
}

export function makeSummaryContent(
  answer: ScreenAnswer,
  options: GivenOptions,
): Pick<ResultMembers, 'tables' | 'total' | 'document'> & { readonly notices: readonly Notice[] } {
  const columns = listColumns(answer);
  const grouped = options.has('by');
  const groups = grouped ? groupByIndustry([...answer.items()]) : [[...answer.items()]];
  const summaries = groups.flatMap((rows): SummaryRow[] => {
    const [first] = rows;
    const fields = { sic: toText(first?.sic), industry: toText(first?.industry), companies: rows.length };
    return computeDistributions(columns, rows).map((spread) => ({ ...fields, ...spread }));
  });
  const offset = Number(options.get('offset')?.at(-1) ?? 0);
  const limit = Number(options.get('limit')?.at(-1) ?? summaries.length);
  const shown = summaries.slice(offset, offset + limit);
  const distribution = makeDistributionColumns<SummaryRow>(columns);
  const summary = makeTable<SummaryRow>({
    name: 'summary',
    columns: grouped ? [{ key: 'sic' }, { key: 'industry' }, { key: 'companies' }, ...distribution] : distribution,
    shownKeys: distribution.map(({ key }) => key).filter((key) => key !== 'column'),
    records: () => shown,
    ...(grouped ? { section: formatHeading } : {}),
  });
  const data = toObjects(makeRows(summary));
  const { meta, requests } = answer;
  return {
    tables: [summary],
    total: summaries.length,
    notices: makePartialListNotices(offset, shown.length, summaries.length),
    document: () => [JSON.stringify({ data, meta, fin: { requests } })],
  };
}

function makePartialListNotices(offset: number, shown: number, total: number): readonly Notice[] {
  if (shown === total) return [];
  if (shown === 0) return [makePastEndNotice(offset, total, ' rows')];
  const [first, last] = [offset + 1, offset + shown];
  const text = say`Showing rows ${first} to ${last} of ${total}. To see all, remove ${option('limit')} and ${option('offset')}.`;
  return [makeNote('page_cut', text, { first, last, total })];
}

/** Groups rows by industry, largest industry first; companies without an industry come last. */
function groupByIndustry(rows: readonly ScreenRow[]): readonly (readonly ScreenRow[])[] {
  const groups = [...groupBy(rows, ({ sic }) => toText(sic))];
  const count = ([sic, rows]: readonly [string | null, readonly unknown[]]): number => (sic === null ? 0 : rows.length);
  return groups.sort((a, b) => count(b) - count(a) || ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1)).map(([, rows]) => rows);
}

function formatHeading({ sic, industry, companies }: SummaryRow, previous: SummaryRow | undefined): string | null {
  if (previous?.sic === sic && previous.companies === companies) return null;
  const industryText = sic === null ? 'No industry' : `${industry ?? '–'} (SIC ${sic})`;
  return `${industryText}: ${formatCount(companies, 'company', 'companies')}`;
}

const toText = (value: unknown): string | null => (typeof value === 'string' ? value : null);
