/**
 * Adjusts the screener's table for splits: converts earnings per share, dividends per share and share counts to the
 * shares of today, or of the screened day. Empties a cell if filings do not show whether its figure predates a split.
 */
import { SCREEN_FIGURES } from '../../../contract/screen-columns.ts';
import { findSplitEffect } from '../../../figures/metrics/metric-rules.ts';
import { type Split, selectSplitsProvenBy } from '../../../figures/shares/splits.ts';
import { getOrInsert, groupBy } from '../../../platform/collections.ts';
import type { ReleaseReader, ScreenTable } from '../../../store/reader.ts';
import type { Cell } from '../../../store/schema/columns.ts';
import { SPLITS } from '../../../store/schema/reported-values.ts';
import { openAdjuster, selectCompanyFigures } from '../metrics/company-figures.ts';

/** For each metric whose values a stock split changes: the screener's column with the date of the value. */
const DAY_COLUMN_BY_METRIC: ReadonlyMap<string, string> = new Map(
  SCREEN_FIGURES.flatMap(({ key }) => {
    const effect = findSplitEffect(key);
    if (effect === null) return [];
    return [[key, effect === 'shares' ? 'shares_outstanding_end_date' : 'annual_end_date'] as const];
  }),
);

type ScreenSource = Pick<ReleaseReader, 'screen'>;

/** @param asOf the screened day; null for today */
export function adjustForSplits(release: ReleaseReader, source: ScreenSource, asOf: string | null): ScreenSource {
  const companies = new Map<number, ReturnType<typeof readCompany>>();

  async function adjustCell(cik: number, key: string, day: string, cell: string): Promise<Cell> {
    const { figures, adjust } = await getOrInsert(companies, cik, () => readCompany(release, cik, asOf));
    const figure = figures.find(
      ({ metricKey, end, periodKind, value }) =>
        metricKey === key && end === day && value === cell && (periodKind === 'annual' || periodKind === 'instant'),
    );
    const adjusted = figure && adjust(figure);
    return adjusted?.ratio == null ? null : adjusted.figure.value;
  }

  async function readAdjusted(columns: readonly string[], rows?: readonly number[]): Promise<ScreenTable> {
    const keys = columns.filter((name) => DAY_COLUMN_BY_METRIC.has(name));
    if (keys.length === 0) return source.screen(columns, rows);
    const dayColumns = keys.map((name) => DAY_COLUMN_BY_METRIC.get(name) as string);
    const table = await source.screen([...new Set([...columns, ...dayColumns, 'cik'])], rows);
    const ciks = (table.columns.cik ?? []).map(Number);
    const byCik = groupBy(await release.rowsOfEach(SPLITS, ciks), ({ cik }) => cik);
    const cells = { ...table.columns };
    for (const key of keys) {
      const days = table.columns[DAY_COLUMN_BY_METRIC.get(key) as string] ?? [];
      cells[key] = await Promise.all(
        (table.columns[key] ?? []).map((cell, row) => {
          const cik = ciks[row] as number;
          const day = days[row];
          const splits = selectSplitsProvenBy(asOf, byCik.get(cik) ?? []);
          if (cell === null || day == null || !splits.some((split) => mayAffect(split, String(day)))) return cell;
          return adjustCell(cik, key, String(day), String(cell));
        }),
      );
    }
    return { length: table.length, columns: Object.fromEntries(columns.map((name) => [name, cells[name] ?? []])) };
  }

  return { screen: readAdjusted };
}

async function readCompany(release: ReleaseReader, cik: number, asOf: string | null) {
  const query = { keys: [...DAY_COLUMN_BY_METRIC.keys()], asOf };
  const { currentFigures: figures } = await selectCompanyFigures(release, cik, query);
  return { figures, adjust: await openAdjuster(release, cik, asOf) };
}

/** Whether a figure of this day may need adjustment for the split: one of the split's dates is on or after the day. */
const mayAffect = ({ effective, until, proven }: Split, day: string): boolean =>
  [effective, until, proven].some((splitDay) => splitDay !== null && splitDay >= day);
