/**
 * Reads the cells of past screens. A complete row has all figures of a company; later rows have only the figures that
 * changed. Therefore rows of earlier months are read, too. Keeps the cells of each column on the last requested day,
 * and applies only the rows since that day for a later one. So for ascending days, each month is read only once.
 */
import { MAX_FISCAL_YEAR_AGE_MONTHS } from '../../../figures/screen/screen-states.ts';
import { addDays, addMonths } from '../../../platform/dates.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import type { Cell } from '../../../store/schema/columns.ts';
import { computeMonthKey, EMPTIED_CELL, REPEAT_MONTHS, SCREEN_HISTORY } from '../../../store/schema/screen.ts';
import type { GroupColumns, RowGroupRef } from '../../../store/table-reader.ts';

const NO_COMPANY = -1;
/**
 * Maximum number of companies for which single rows are decoded. For more companies, the whole column is decoded and
 * kept.
 */
const MAX_SELECTED_COMPANIES = 100;

/**
 * The rows of a row group that apply on a day: for each company, its last complete row and the later rows up to the
 * day.
 */
interface AppliedRows {
  readonly group: RowGroupRef;
  /** Company position of each row; `NO_COMPANY` if the row does not apply, or the release does not list the company. */
  readonly positions: Int32Array;
  readonly whole: readonly Cell[];
  /** Indices of the rows that have a company position; present if only these rows are decoded. */
  readonly numbers?: readonly number[];
}

/** The cells of a column on `day`, by company position; `day` is null until the first rows are applied. */
interface KeptColumn {
  day: string | null;
  readonly cells: Cell[];
}

interface CellRequest {
  readonly day: string;
  readonly names: readonly string[];
  /** Company positions: indices in the list of the release's companies. */
  readonly companies: readonly number[];
  /** Whether later days probably follow, so that every column is kept. */
  readonly isSequence: boolean;
}

export class PastCells {
  readonly #positionByCik: ReadonlyMap<Cell, number>;
  readonly #columns = new Map<string, KeptColumn>();
  /**
   * Whether a complete row of each company was read, by company position. Rows of changes before the first complete row
   * are ignored.
   */
  readonly #hasCompleteRow: Uint8Array;
  /** Rows that were read up to a day, by the day after which they begin. */
  #rows: { readonly day: string; readonly since: Map<string | null, readonly AppliedRows[]> } | null = null;
  /** The last read: each read waits for the one before it, because a read changes the columns. */
  #reading: Promise<unknown> = Promise.resolve();

  /** @param ciks the companies of the release, whose cells are in this order */
  constructor(ciks: readonly Cell[]) {
    this.#positionByCik = new Map(ciks.map((cik, position) => [cik, position]));
    this.#hasCompleteRow = new Uint8Array(ciks.length);
  }

  /**
   * Returns the cells of each column on a day, in the order of `request.companies`; null if a later day of a column was
   * already read. A company without a complete row in the months that are read for a single day may have outdated
   * cells, but its fiscal year is then too old to be shown.
   */
  async read(release: ReleaseReader, request: CellRequest): Promise<(readonly Cell[])[] | null> {
    const reading = this.#reading.catch(() => undefined).then(() => this.#readNext(release, request));
    this.#reading = reading;
    return reading;
  }

  async #readNext(release: ReleaseReader, { day, names, companies, isSequence }: CellRequest) {
    const dayOf = (name: string): string | null => this.#columns.get(name)?.day ?? null;
    if (names.some((name) => (dayOf(name) ?? '') > day)) return null;
    const keeps = isSequence || companies.length > MAX_SELECTED_COMPANIES;
    const keptNames = names.filter((name) => keeps || this.#columns.has(name));
    for (const since of new Set(keptNames.map(dayOf))) {
      if (since === day) continue;
      const outdated = keptNames.filter((name) => dayOf(name) === since);
      const rows = await this.#getRows(release, since, day);
      const read = await readColumns(release, rows, outdated);
      for (const name of outdated) {
        const cells = this.#columns.get(name)?.cells ?? Array<Cell>(this.#hasCompleteRow.length).fill(null);
        apply(cells, name, rows, read, since);
        this.#columns.set(name, { day, cells });
      }
    }
    const otherNames = names.filter((name) => !keptNames.includes(name));
    const selected = otherNames.length === 0 ? null : await this.#readSelected(release, day, otherNames, companies);
    return names.map((name) => {
      const cells = this.#columns.get(name)?.cells ?? [];
      return selected?.get(name) ?? companies.map((position) => cells[position] ?? null);
    });
  }

  async #readSelected(release: ReleaseReader, day: string, names: readonly string[], companies: readonly number[]) {
    const places = new Int32Array(this.#hasCompleteRow.length).fill(NO_COMPANY);
    for (const [place, position] of companies.entries()) places[position] = place;
    const rows = (await this.#getRows(release, null, day)).map((applied) => {
      const positions = applied.positions.map((position) => places[position] ?? NO_COMPANY);
      const numbers: number[] = [];
      for (let row = 0; row < positions.length; row += 1) if (positions[row] !== NO_COMPANY) numbers.push(row);
      return { ...applied, positions, numbers };
    });
    const read = await readColumns(release, rows, names);
    return new Map(
      names.map((name) => {
        const cells = Array<Cell>(companies.length).fill(null);
        apply(cells, name, rows, read, null);
        return [name, cells] as const;
      }),
    );
  }

  async #getRows(release: ReleaseReader, since: string | null, day: string): Promise<readonly AppliedRows[]> {
    if (this.#rows?.day !== day) this.#rows = { day, since: new Map() };
    const bySince = this.#rows.since;
    const rows = bySince.get(since) ?? (await this.#readRows(release, since, day));
    bySince.set(since, rows);
    return rows;
  }

  /**
   * Returns the rows after `since` up to `day`; if `since` is null, the rows of all months that may be valid on the
   * day.
   */
  async #readRows(release: ReleaseReader, since: string | null, day: string): Promise<readonly AppliedRows[]> {
    const lastDay = day < release.manifest.date ? day : release.manifest.date;
    const months = release.includes(SCREEN_HISTORY, 'repeated') ? REPEAT_MONTHS : MAX_FISCAL_YEAR_AGE_MONTHS;
    const firstDay = since === null ? addMonths(lastDay, -months) : addDays(since, 1);
    const groups = await release.groupsBetween(SCREEN_HISTORY, computeMonthKey(firstDay), computeMonthKey(lastDay));
    // Row groups are sorted by month. Days are read only if some rows may be after the day, or not after `since`.
    const needsDays = ({ lastKey }: RowGroupRef) => since !== null || lastKey >= computeMonthKey(day);
    const read = await Promise.all([
      release.columnsIn(
        SCREEN_HISTORY,
        groups.filter((group) => !needsDays(group)),
        ['cik', 'whole'],
      ),
      release.columnsIn(SCREEN_HISTORY, groups.filter(needsDays), ['cik', 'whole', 'day']),
    ]);
    const rows = read.flat().map((columns, index): AppliedRows => {
      const group = groups[index] as RowGroupRef;
      const days = needsDays(group) ? columns.cells('day') : null;
      const isValid = (valid: string) => valid <= day && (since === null || valid > since);
      const positions = columns.integers('cik').map((cik) => this.#positionByCik.get(cik) ?? NO_COMPANY);
      for (const [row, valid] of days?.entries() ?? []) if (!isValid(valid as string)) positions[row] = NO_COMPANY;
      return { group, positions, whole: columns.cells('whole') };
    });
    this.#skipRowsBeforeComplete(rows, since !== null);
    return rows;
  }

  /**
   * Excludes the rows before a company's last complete row, and all rows of a company without a complete row.
   * @param hasKeptCells whether the rows change cells of an earlier day; if so, a complete row that was read for an
   * earlier day is sufficient
   */
  #skipRowsBeforeComplete(rows: readonly AppliedRows[], hasKeptCells: boolean): void {
    /**
     * For each company position, the index (over all row groups) of its first row that applies: 0 if all rows apply,
     * Infinity if none does.
     */
    const starts = Float64Array.from(this.#hasCompleteRow, (has) => (hasKeptCells && has === 1 ? 0 : Infinity));
    let count = 0;
    for (const { positions, whole } of rows) {
      for (let row = whole.indexOf(true); row >= 0; row = whole.indexOf(true, row + 1)) {
        const position = positions[row] as number;
        if (position === NO_COMPANY) continue;
        starts[position] = count + row;
        this.#hasCompleteRow[position] = 1;
      }
      count += positions.length;
    }
    count = 0;
    for (const { positions } of rows) {
      for (let row = 0; row < positions.length; row += 1)
        if (count + row < (starts[positions[row] as number] ?? 0)) positions[row] = NO_COMPANY;
      count += positions.length;
    }
  }
}

const readColumns = (release: ReleaseReader, rows: readonly AppliedRows[], names: readonly string[]) =>
  release.columnsIn(
    SCREEN_HISTORY,
    rows.map(({ group }) => group),
    names,
  );

/** Sets the cells of companies to the cells of the rows, in order. If `since` is null, all cells are empty before. */
function apply(
  cells: Cell[],
  name: string,
  rows: readonly AppliedRows[],
  read: readonly GroupColumns[],
  since: string | null,
): void {
  for (const [index, { positions, whole, numbers }] of rows.entries()) {
    const columns = read[index] as GroupColumns;
    if (numbers?.length === 0 || (since === null && columns.isEmpty(name))) continue;
    const values = columns.cells(name, numbers);
    for (let place = 0; place < values.length; place += 1) {
      const row = numbers === undefined ? place : (numbers[place] as number);
      const position = positions[row] as number;
      const cell = values[place] as Cell;
      if (position === NO_COMPANY || (cell === null && (since === null || whole[row] !== true))) continue;
      cells[position] = cell === EMPTIED_CELL ? null : cell;
    }
  }
}
