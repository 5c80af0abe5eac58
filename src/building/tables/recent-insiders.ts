/** The insider filings of the latest days, read from the finished tables of companies. */

import { assertDefined } from '../../platform/assert-defined.ts';
import { pushTo } from '../../platform/collections.ts';
import { dayNumber } from '../../platform/dates.ts';
import { openTable } from '../../store/local-table.ts';
import type { TableFile } from '../../store/manifest.ts';
import type { ReleaseReader } from '../../store/reader.ts';
import {
  INSIDER_DAY_FILINGS,
  INSIDER_DAYS,
  INSIDER_FILINGS,
  INSIDER_FOOTNOTES,
  INSIDER_OWNERS,
  INSIDER_TRADES,
  RECENT_INSIDER_FILINGS,
  RECENT_INSIDER_FOOTNOTES,
  RECENT_INSIDER_OWNERS,
  RECENT_INSIDER_TRADES,
  type Recent,
} from '../../store/schema/insiders.ts';
import type { OfCompany, Table } from '../../store/schema/table.ts';
import type { TableReader } from '../../store/table-reader.ts';
import { type WholeTable, wholeTable } from './whole-table.ts';

/** Number of days with filings: two weeks, with thousands of filings. */
const DAYS = 10;

type OfFiling = OfCompany<{ readonly accession: string }>;

/** The tables that recent insider filings are read from. */
export const TABLES_OF_INSIDERS = [
  INSIDER_DAYS,
  INSIDER_DAY_FILINGS,
  INSIDER_FILINGS,
  INSIDER_OWNERS,
  INSIDER_TRADES,
  INSIDER_FOOTNOTES,
] as const satisfies readonly Table[];

export interface RecentInsidersTask {
  readonly kind: 'recent insiders';
  /** The directory of the tables' files. */
  readonly path: string;
  /** The files of `TABLES_OF_INSIDERS`. */
  readonly from: readonly TableFile[];
}

export interface RecentInsiders {
  readonly whole: readonly WholeTable[];
}

export async function recentInsidersOf({ path, from }: RecentInsidersTask): Promise<RecentInsiders> {
  const tables = TABLES_OF_INSIDERS.map((table, index) => openTable<unknown>(path, table, assertDefined(from[index])));
  const reader = <Row>(table: Table<Row>) =>
    assertDefined(tables[TABLES_OF_INSIDERS.findIndex(({ name }) => name === table.name)]) as TableReader<Row>;
  try {
    return {
      whole: await recentInsiders({
        allOf: (table) => reader(table).all(),
        rowsOf: (table, key) => reader(table).rowsOf(key),
      }),
    };
  } finally {
    for (const table of tables) table.close();
  }
}

/** Ordered by filing day, then accession number; the rows of a filing in their order. */
async function recentInsiders(release: Pick<ReleaseReader, 'allOf' | 'rowsOf'>): Promise<readonly WholeTable[]> {
  const days = (await release.allOf(INSIDER_DAYS)).slice(-DAYS).map(({ date }) => dayNumber(date));
  const filings = (await Promise.all(days.map((day) => release.rowsOf(INSIDER_DAY_FILINGS, day)))).flat();
  const ciks = [...new Set(filings.map(({ cik }) => cik))].sort((a, b) => a - b);

  const wanted = new Set(filings.map(nameOf));

  async function rowsIn<Row extends OfFiling>(from: Table<Row>, table: Table<Recent<Row>>) {
    const read = new Map<string, Row[]>();
    for (const cik of ciks) {
      for (const row of await release.rowsOf(from, cik)) {
        if (wanted.has(nameOf(row))) pushTo(read, nameOf(row), copyOf(from, row));
      }
    }
    const rows: readonly Recent<Row>[] = filings.flatMap((filing) =>
      (read.get(nameOf(filing)) ?? []).map((row) => ({ ...row, filedDay: filing.day })),
    );
    return wholeTable(table, rows);
  }

  return [
    await rowsIn(INSIDER_FILINGS, RECENT_INSIDER_FILINGS),
    await rowsIn(INSIDER_OWNERS, RECENT_INSIDER_OWNERS),
    await rowsIn(INSIDER_TRADES, RECENT_INSIDER_TRADES),
    await rowsIn(INSIDER_FOOTNOTES, RECENT_INSIDER_FOOTNOTES),
  ];
}

/** Returns an identifier of one filing about one company. */
const nameOf = ({ cik, accession }: OfFiling): string => `${cik} ${accession}`;

/**
 * Copies a row by its columns: rows that are read are views without properties of their own, which cannot be spread.
 */
function copyOf<Row>({ columns }: Table<Row>, row: Row): Row {
  return Object.fromEntries(columns.map(({ field }) => [field, row[field as keyof Row]])) as Row;
}
