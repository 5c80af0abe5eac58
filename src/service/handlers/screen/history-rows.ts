/**
 * Reads past screens as of a day. A complete row has all figures of a company; later rows have only the figures that
 * changed. Therefore rows of earlier months are read, too.
 */
import { MAX_FISCAL_YEAR_AGE_MONTHS } from '../../../figures/screen/screen-states.ts';
import { addMonths } from '../../../platform/dates.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import type { Cell } from '../../../store/schema/columns.ts';
import { computeMonthKey, EMPTIED_CELL, REPEAT_MONTHS, SCREEN_HISTORY } from '../../../store/schema/screen.ts';
import type { GroupColumns, RowGroupRef } from '../../../store/table-reader.ts';

const NO_COMPANY = -1;

/**
 * The companies with a complete row on or before the day, and the position of each company's last complete row.
 * Companies are numbered from 0.
 */
class LastCompleteRows {
  readonly ciks: number[] = [];
  readonly numberByCik = new Map<Cell, number>();
  /**
   * By company number: `groups` has the position of the row group among the groups read, and `rows` the row within that
   * row group.
   */
  readonly groups: number[] = [];
  readonly rows: number[] = [];

  set(cik: number, group: number, row: number): void {
    const company = this.numberByCik.get(cik) ?? this.ciks.push(cik) - 1;
    if (company === this.groups.length) this.numberByCik.set(cik, company);
    this.groups[company] = group;
    this.rows[company] = row;
  }
}

export class HistoryRows {
  readonly #day: string;
  readonly #groups: readonly RowGroupRef[];
  readonly #completeRows: LastCompleteRows;
  /** By row group, the company number of each row; `NO_COMPANY` if the row is invalid on the day. Read when needed. */
  readonly #companyNumbers: (Int32Array | undefined)[];

  private constructor(day: string, groups: readonly RowGroupRef[], complete: LastCompleteRows) {
    this.#day = day;
    this.#groups = groups;
    this.#completeRows = complete;
    this.#companyNumbers = groups.map(() => undefined);
  }

  /**
   * Finds the last complete row of each company. Reads CIKs and days only from row groups with complete rows. A company
   * without a complete row in the months read has no valid row, because its fiscal year is too old.
   */
  static async open(release: ReleaseReader, day: string): Promise<HistoryRows> {
    const last = day < release.manifest.date ? day : release.manifest.date;
    const repeated = release.includes(SCREEN_HISTORY, 'repeated');
    const first = addMonths(last, -(repeated ? REPEAT_MONTHS : MAX_FISCAL_YEAR_AGE_MONTHS));
    const groups = await release.groupsBetween(SCREEN_HISTORY, computeMonthKey(first), computeMonthKey(last));
    const flags = (await release.columnsIn(SCREEN_HISTORY, groups, ['whole'])).map((columns) => columns.cells('whole'));
    const completeGroups = [...groups.keys()].filter((group) => flags[group]?.includes(true));
    const complete = completeGroups.map((group) => groups[group] as RowGroupRef);
    const byGroup = await readRowColumns(release, complete, day);
    const completeRows = new LastCompleteRows();
    for (const [index, group] of completeGroups.entries()) {
      const columns = byGroup[index] as GroupColumns;
      const [ciks, isBefore] = [columns.integers('cik'), createRowTest(columns, groups[group] as RowGroupRef, day)];
      const complete = flags[group] as readonly Cell[];
      for (let row = 0; row < ciks.length; row += 1)
        if (complete[row] === true && isBefore(row)) completeRows.set(ciks[row] as number, group, row);
    }
    const rows = new HistoryRows(day, groups, completeRows);
    for (const [index, group] of completeGroups.entries()) rows.#numberRows(group, byGroup[index] as GroupColumns);
    return rows;
  }

  /** CIKs of the companies with a valid row, by company number. */
  get ciks(): readonly Cell[] {
    return this.#completeRows.ciks;
  }

  /** Returns the company's position in `ciks`; undefined if the company has no valid row. */
  findCompanyNumber(cik: Cell): number | undefined {
    return this.#completeRows.numberByCik.get(cik);
  }

  /**
   * Returns each column's cells on the day, in the order of `companies`; by default for all companies, in the order of
   * `ciks`. Skips row groups in which all requested columns are empty.
   */
  async readCellsOfCompanies(
    release: ReleaseReader,
    names: readonly string[],
    companies?: readonly number[],
  ): Promise<(readonly Cell[])[]> {
    if (names.length === 0) return [];
    const groups = await release.columnsIn(SCREEN_HISTORY, this.#groups, names);
    const nonEmptyGroups = [...this.#groups.keys()].filter((group) =>
      names.some((name) => groups[group]?.isEmpty(name) === false),
    );
    await this.#numberRowsOfGroups(release, nonEmptyGroups);
    const positions = companies && this.#mapPositions(companies);
    const filled = positions && nonEmptyGroups.map((group) => this.#listRows(group, positions));
    return names.map((name) => {
      const cells = Array<Cell>(companies?.length ?? this.ciks.length).fill(null);
      for (const [index, group] of nonEmptyGroups.entries()) {
        const columns = groups[group] as GroupColumns;
        if (columns.isEmpty(name)) continue;
        const companies = this.#companyNumbers[group] as Int32Array;
        const rows = filled?.[index];
        if (rows === undefined || positions === undefined) setLatestCells(cells, columns, name, companies);
        else if (rows.length > 0)
          setCellsOfRows(cells, columns.cells(name, rows), rows, (row) => positions[companies[row] as number]);
      }
      for (let index = 0; index < cells.length; index += 1) if (cells[index] === EMPTIED_CELL) cells[index] = null;
      return cells;
    });
  }

  async #numberRowsOfGroups(release: ReleaseReader, groups: readonly number[]): Promise<void> {
    const unnumbered = groups.filter((group) => this.#companyNumbers[group] === undefined);
    if (unnumbered.length === 0) return;
    const refs = unnumbered.map((group) => this.#groups[group] as RowGroupRef);
    const columns = await readRowColumns(release, refs, this.#day);
    for (const [index, group] of unnumbered.entries()) this.#numberRows(group, columns[index] as GroupColumns);
  }

  #numberRows(group: number, columns: GroupColumns): void {
    const ciks = columns.integers('cik');
    const valid = createRowTest(columns, this.#groups[group] as RowGroupRef, this.#day);
    const { numberByCik, groups, rows } = this.#completeRows;
    const companies = new Int32Array(columns.rows).fill(NO_COMPANY);
    for (let row = 0; row < companies.length; row += 1) {
      const company = numberByCik.get(ciks[row] as number);
      if (company === undefined) continue;
      const complete = groups[company] as number;
      const follows = complete < group || (complete === group && (rows[company] as number) <= row);
      if (follows && valid(row)) companies[row] = company;
    }
    this.#companyNumbers[group] = companies;
  }

  /** Returns, by company number, the company's position in `companies`; `NO_COMPANY` if it is not selected. */
  #mapPositions(companies: readonly number[]): Int32Array {
    const positions = new Int32Array(this.ciks.length).fill(NO_COMPANY);
    for (const [place, number] of companies.entries()) positions[number] = place;
    return positions;
  }

  /** Returns the valid rows of selected companies in a row group. */
  #listRows(group: number, positions: Int32Array): number[] {
    const companies = this.#companyNumbers[group] as Int32Array;
    const rows: number[] = [];
    for (let row = 0; row < companies.length; row += 1) {
      const company = companies[row] as number;
      if (company !== NO_COMPANY && positions[company] !== NO_COMPANY) rows.push(row);
    }
    return rows;
  }
}

/** Copies the non-null cells of rows to the positions of their companies. */
function setCellsOfRows(
  cells: Cell[],
  cellsOfRows: readonly Cell[],
  rows: readonly number[],
  findPosition: (row: number) => number | undefined,
): void {
  for (const [index, cell] of cellsOfRows.entries())
    if (cell !== null) cells[findPosition(rows[index] as number) as number] = cell;
}

/** For each company in a row group, sets the company's cell to its last non-null cell in the group. */
function setLatestCells(cells: Cell[], columns: GroupColumns, column: string, companies: Int32Array): void {
  const columnCells = columns.cells(column);
  for (let row = 0; row < companies.length; row += 1) {
    const number = companies[row] as number;
    const cell = columnCells[row] as Cell;
    if (cell !== null && number !== NO_COMPANY) cells[number] = cell;
  }
}

/** Returns the CIKs of each row group, and the days of row groups that may have rows after the day. */
async function readRowColumns(release: ReleaseReader, groups: readonly RowGroupRef[], day: string) {
  // Row groups are in order of month, so groups with later rows come last.
  const [earlier, last] = [
    groups.filter((group) => !mayHaveLaterRows(group, day)),
    groups.filter((group) => mayHaveLaterRows(group, day)),
  ];
  const columns = await Promise.all([
    release.columnsIn(SCREEN_HISTORY, earlier, ['cik']),
    release.columnsIn(SCREEN_HISTORY, last, ['cik', 'day']),
  ]);
  return columns.flat();
}

/** Whether a row group may have rows after the day: true if the row group ends in the day's month or later. */
const mayHaveLaterRows = ({ lastKey }: RowGroupRef, day: string): boolean => lastKey >= computeMonthKey(day);

function createRowTest(columns: GroupColumns, group: RowGroupRef, day: string): (row: number) => boolean {
  if (!mayHaveLaterRows(group, day)) return () => true;
  const days = columns.cells('day');
  return (row) => String(days[row]) <= day;
}
