/**
 * Reads past screens of ascending days: keeps the cells of each column on the last day that was asked, and applies only
 * the rows since then. So each month is read once, however many days are asked.
 */
import { MAX_FISCAL_YEAR_AGE_MONTHS } from '../../../figures/screen/screen-states.ts';
import { getOrInsert } from '../../../platform/collections.ts';
import { addDays, addMonths } from '../../../platform/dates.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import type { Cell } from '../../../store/schema/columns.ts';
import { computeMonthKey, EMPTIED_CELL, REPEAT_MONTHS, SCREEN_HISTORY } from '../../../store/schema/screen.ts';

/** The cells of a column on a day, by position of the company. */
interface ReplayedColumn {
  /** The last day whose rows are applied; null before the first. */
  day: string | null;
  readonly cells: Cell[];
  /** Whether a complete row was applied to the company: rows of changes before it say nothing. */
  readonly isComplete: boolean[];
}

const ROW_COLUMNS = ['cik', 'day', 'whole'];

export class HistoryReplay {
  readonly #positionByCik: ReadonlyMap<Cell, number>;
  readonly #columns = new Map<string, ReplayedColumn>();
  /** Reads one after the other, because a read changes the columns. */
  #reading: Promise<unknown> = Promise.resolve();

  /** @param ciks the companies of the release, whose cells are in this order */
  constructor(ciks: readonly Cell[]) {
    this.#positionByCik = new Map(ciks.map((cik, position) => [cik, position]));
  }

  /**
   * Returns the cells of columns on a day; null if a later day was already read. A company whose last complete row is
   * older than the months that a single day needs keeps its cells, but its fiscal year is then too old to be shown.
   */
  async read(release: ReleaseReader, day: string, names: readonly string[]): Promise<(readonly Cell[])[] | null> {
    const reading = this.#reading.catch(() => undefined).then(() => this.#readNext(release, day, names));
    this.#reading = reading;
    return reading;
  }

  async #readNext(release: ReleaseReader, day: string, names: readonly string[]) {
    const columns = names.map((name) => this.#getColumn(name));
    if (columns.some((column) => column.day !== null && column.day > day)) return null;
    for (const since of new Set(columns.map((column) => column.day))) {
      if (since === day) continue;
      const behind = names.filter((name) => this.#getColumn(name).day === since);
      await this.#apply(release, since, day, behind);
    }
    return columns.map(({ cells }) => cells.slice());
  }

  #getColumn(name: string): ReplayedColumn {
    const { size } = this.#positionByCik;
    return getOrInsert(this.#columns, name, () => {
      return { day: null, cells: Array<Cell>(size).fill(null), isComplete: Array<boolean>(size).fill(false) };
    });
  }

  /** Applies the rows after `since` up to `day`; without `since`, the rows of all months that may be valid on the day. */
  async #apply(release: ReleaseReader, since: string | null, day: string, names: readonly string[]): Promise<void> {
    const last = day < release.manifest.date ? day : release.manifest.date;
    const months = release.includes(SCREEN_HISTORY, 'repeated') ? REPEAT_MONTHS : MAX_FISCAL_YEAR_AGE_MONTHS;
    const first = since === null ? addMonths(last, -months) : addDays(since, 1);
    const groups = await release.groupsBetween(SCREEN_HISTORY, computeMonthKey(first), computeMonthKey(last));
    const read = await release.columnsIn(SCREEN_HISTORY, groups, [...ROW_COLUMNS, ...names]);
    for (const group of read) {
      const [ciks, days, whole] = [group.integers('cik'), group.cells('day'), group.cells('whole')];
      const rows = [...ciks.keys()].filter((row) => {
        const valid = days[row] as string;
        return valid <= day && (since === null || valid > since);
      });
      if (rows.length === 0) continue;
      const positions = ciks.map((cik) => this.#positionByCik.get(cik) ?? -1);
      for (const name of names) apply(this.#getColumn(name), group.cells(name), { rows, positions, whole });
    }
    for (const name of names) this.#getColumn(name).day = day;
  }
}

interface AppliedRows {
  readonly rows: readonly number[];
  /** Position of each row's company; -1 if the release does not list the company. */
  readonly positions: Int32Array;
  readonly whole: readonly Cell[];
}

function apply({ cells, isComplete }: ReplayedColumn, read: readonly Cell[], { rows, positions, whole }: AppliedRows) {
  for (const row of rows) {
    const [position, cell] = [positions[row] as number, read[row] as Cell];
    if (position < 0) continue;
    if (whole[row] === true) isComplete[position] = true;
    else if (cell === null || isComplete[position] !== true) continue;
    cells[position] = cell === EMPTIED_CELL ? null : cell;
  }
}
