/** Makes the tables of recent insider filings from the finished tables of companies. */

import { assertDefined, pushTo } from '../../platform/collections.ts';
import { toDayNumber } from '../../platform/dates.ts';
import { openTable } from '../../store/local-table.ts';
import type { TableFile } from '../../store/releases/manifest.ts';
import type { Table, WithCik } from '../../store/schema/declare-table.ts';
import {
  INSIDER_DAY_FILINGS,
  INSIDER_DAYS,
  INSIDER_FILINGS,
  INSIDER_FOOTNOTES,
  INSIDER_OWNERS,
  INSIDER_TRADES,
  RECENT_FILINGS,
  RECENT_FOOTNOTES,
  RECENT_OWNERS,
  RECENT_TRADES,
  type WithFiledDay,
} from '../../store/schema/insiders.ts';
import { encodeWholeTable, type WholeTable } from '../../store/table-part.ts';
import type { TableReader } from '../../store/table-reader.ts';
import type { Task } from '../tasks/task.ts';

/** Number of latest filing dates in the tables: ten dates span about two weeks and thousands of filings. */
const RECENT_DAYS = 10;

type FilingOfCompany = WithCik<{ readonly accession: string }>;

/** The tables from which recent insider filings are read. */
export const RECENT_SOURCES = [
  INSIDER_DAYS,
  INSIDER_DAY_FILINGS,
  INSIDER_FILINGS,
  INSIDER_OWNERS,
  INSIDER_TRADES,
  INSIDER_FOOTNOTES,
] as const satisfies readonly Table[];

export interface RecentInsidersTask extends Task<{ readonly wholeTables: readonly WholeTable[] }> {
  readonly kind: 'recent insiders';
  /** Directory of the tables' files. */
  readonly path: string;
  /** The files of the tables in `RECENT_SOURCES`, in the same order. */
  readonly tableFiles: readonly TableFile[];
}

/** Returns the tables, sorted by filing date, then accession number; rows of a filing keep their order. */
export async function makeRecentInsiders({ path, tableFiles: files }: RecentInsidersTask) {
  const readers = RECENT_SOURCES.map((table, index) => openTable<unknown>(path, table, assertDefined(files[index])));
  const getReader = <Row>(table: Table<Row>) =>
    assertDefined(readers[RECENT_SOURCES.findIndex(({ name }) => name === table.name)]) as TableReader<Row>;
  try {
    const days = (await getReader(INSIDER_DAYS).readAll()).slice(-RECENT_DAYS).map(({ date }) => toDayNumber(date));
    const filings = (await Promise.all(days.map((day) => getReader(INSIDER_DAY_FILINGS).rowsOf(day)))).flat();
    const keys = new Set(filings.map(makeFilingKey));
    const ciks = [...new Set(filings.map(({ cik }) => cik))].sort((a, b) => a - b);

    async function copyRecentRows<Row extends FilingOfCompany>(source: Table<Row>, recent: Table<WithFiledDay<Row>>) {
      const byFiling = new Map<string, Row[]>();
      for (const cik of ciks) {
        for (const row of await getReader(source).rowsOf(cik)) {
          if (keys.has(makeFilingKey(row))) pushTo(byFiling, makeFilingKey(row), copyRow(source, row));
        }
      }
      const rows: readonly WithFiledDay<Row>[] = filings.flatMap((filing) =>
        (byFiling.get(makeFilingKey(filing)) ?? []).map((row) => ({ ...row, filedDay: filing.day })),
      );
      return encodeWholeTable(recent, rows);
    }

    return {
      wholeTables: [
        await copyRecentRows(INSIDER_FILINGS, RECENT_FILINGS),
        await copyRecentRows(INSIDER_OWNERS, RECENT_OWNERS),
        await copyRecentRows(INSIDER_TRADES, RECENT_TRADES),
        await copyRecentRows(INSIDER_FOOTNOTES, RECENT_FOOTNOTES),
      ],
    };
  } finally {
    for (const reader of readers) reader.close();
  }
}

/** Returns a key of a company and a filing, because one filing may be about several companies. */
const makeFilingKey = ({ cik, accession }: FilingOfCompany): string => `${cik} ${accession}`;

/** Copies a row field by field, because row views have no own properties to spread. */
const copyRow = <Row>({ columns }: Table<Row>, row: Row): Row =>
  Object.fromEntries(columns.map(({ field }) => [field, row[field as keyof Row]])) as Row;
