/**
 * The table of past screens, made year by year. Each company's states are written by year when it is derived; when
 * all companies are done, the states of a year become the rows of its months.
 */
import { compareText } from '../../contract/compare-text.ts';
import { chainsOf, type ReportedValue } from '../../figures/revisions/revision-chain.ts';
import type { ScreenFigures } from '../../figures/screen/screen.ts';
import { screenStates } from '../../figures/screen/screen-states.ts';
import type { Split } from '../../figures/shares/splits.ts';
import { groupBy, pushTo } from '../../platform/collections.ts';
import {
  HISTORY_COLUMNS,
  type HistoryRow,
  monthKey,
  NOW_EMPTY,
  SCREEN_HISTORY,
} from '../../store/schema/screen-history.ts';
import { PartSink, type TablePart } from '../../store/table-part.ts';
import { readSlices, type Slice } from '../tasks/slices.ts';

/** A row as a line of JSON: CIK, day, whether all cells are stored, and the cells in the order of `HISTORY_COLUMNS`. */
type HistoryLine = readonly [cik: number, day: string, whole: 0 | 1, ...cells: (string | null)[]];

/** Returns the lines of a company's states, by year. */
export function linesByYear(
  cik: number,
  values: readonly ReportedValue[],
  splits: readonly Split[],
): ReadonlyMap<number, string> {
  const lines = new Map<number, string[]>();
  let before: readonly (string | null)[] | null = null;
  for (const { day, row } of screenStates(chainsOf(values), splits)) {
    const cells = row === null ? null : cellsOf(row);
    const whole = isWhole(before, cells);
    const changed =
      cells === null ? NONE : whole ? cells : cells.map((cell, at) => changeOf(before?.[at] ?? null, cell));
    const line: HistoryLine = [cik, day, whole ? 1 : 0, ...changed];
    pushTo(lines, Number(day.slice(0, 4)), `${JSON.stringify(line)}\n`);
    before = cells;
  }
  return new Map([...lines].map(([year, own]) => [year, own.join('')]));
}

const NONE: readonly null[] = HISTORY_COLUMNS.map(() => null);
const YEAR_END = HISTORY_COLUMNS.indexOf('annual_end_date');

/** Whether a fiscal year begins. Such a row stores all cells, so that its days never need rows of earlier years. */
function isWhole(before: readonly (string | null)[] | null, cells: readonly (string | null)[] | null): boolean {
  return before === null || cells === null || before[YEAR_END] !== cells[YEAR_END];
}

function changeOf(before: string | null, now: string | null): string | null {
  return before === now ? null : (now ?? NOW_EMPTY);
}

function cellsOf({ fiscalYear, figures, dates }: ScreenFigures): (string | null)[] {
  return HISTORY_COLUMNS.map((name) => {
    if (name === 'fiscal_year') return fiscalYear === null ? null : String(fiscalYear);
    const cell = figures[name] === undefined ? dates[name] : figures[name];
    if (cell === undefined) throw new Error(`a past row of the screener has no ${name}`);
    return cell;
  });
}

export interface ScreenMonthsTask {
  readonly kind: 'screen months';
  /** The lines of one year, companies ascending. */
  readonly lines: readonly Slice[];
}

export interface ScreenMonthsPart {
  readonly parts: readonly TablePart[];
  /** The companies with rows, CIKs ascending. */
  readonly ciks: readonly number[];
}

export async function screenMonthsOf({ lines }: ScreenMonthsTask): Promise<ScreenMonthsPart> {
  const rows = readSlices(lines)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => rowOf(JSON.parse(line) as HistoryLine));
  const sink = new PartSink(SCREEN_HISTORY);
  const months = [...groupBy(rows, ({ month }) => month)].sort(([a], [b]) => a - b);
  for (const [month, own] of months)
    sink.add(
      month,
      own.toSorted((a, b) => a.cik - b.cik || compareText(a.day, b.day)),
    );
  return {
    parts: [sink.done({ complete: true })],
    ciks: [...new Set(rows.map(({ cik }) => cik))].sort((a, b) => a - b),
  };
}

function rowOf([cik, day, whole, ...cells]: HistoryLine): HistoryRow {
  const row: Record<string, string | number | boolean | null> = { month: monthKey(day), cik, day, whole: whole === 1 };
  for (const [at, name] of HISTORY_COLUMNS.entries()) row[name] = cells[at] ?? null;
  return row as HistoryRow;
}
