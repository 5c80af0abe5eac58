/** Warns that a release has only some of a company's facts, so that figures may be missing. */
import { makeWarning, type Notice } from '../../result/notice.ts';
import type { Column } from '../../result/table.ts';

interface MarkedRow {
  readonly cik: number;
  readonly ticker?: string | null;
  readonly partial_facts?: boolean;
}

const isPartial = (row: MarkedRow): boolean => row.partial_facts === true;
export const PARTIAL_FACTS_COLUMN: Column<MarkedRow> = { key: 'partial_facts', value: isPartial };

/** Returns one notice about all companies whose rows are marked by the service; empty if no row is marked. */
export function makePartialFactsNotices(rows: readonly MarkedRow[]): readonly Notice[] {
  const partial = rows.filter(isPartial);
  const tickers = [...new Set(partial.map(({ ticker, cik }) => ticker ?? `CIK ${cik}`))];
  if (tickers.length === 0) return [];
  const text = `This release has only some facts of ${tickers.join(', ')}, so figures may be missing.`;
  return [makeWarning('partial_facts', text, { tickers })];
}
