/** `/v1/holders`: managers matching a name, or the managers whose latest report has the largest value. */
import { compareDecimals, type Decimal } from '../../../contract/decimal-text.ts';
import { splitNameIntoWords } from '../../../contract/identifiers.ts';
import type { HolderHit } from '../../../contract/resources/holders.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import { HOLDER_REPORTS } from '../../../store/schema/holders.ts';
import { type Handler, keepPerRelease } from '../../request/handler.ts';
import { nameHasWords } from '../coverage/find-listings.ts';
import { requireTable } from '../coverage/included-tables.ts';

export const handleManagers: Handler<'managers'> = async ({ release, parameters }) => {
  requireTable(release, HOLDER_REPORTS, 'Holders');
  const { query = '' } = parameters;
  const latest = await readLatestRowNumbers(release);
  // A text without letters and digits matches no name.
  const numbers = query === '' ? latest : await filterRowsByName(release, latest, splitNameIntoWords(query));
  return { data: await readHolderHits(release, numbers.slice(0, parameters.limit)), meta: { total: numbers.length } };
};

/** Returns the row numbers of each manager's latest report, largest value first. */
const readLatestRowNumbers = keepPerRelease(async (release): Promise<readonly number[]> => {
  const columns = await release.columnsOf(HOLDER_REPORTS, ['holder_cik', 'value_total']);
  const [ciks, totals] = columns as [number[], Decimal[]];
  // The last row of each manager has the latest quarter.
  const newest = [...ciks.keys()].filter((row) => ciks[row] !== ciks[row + 1]);
  // Sorting is stable: among equal values, the lower CIK comes first.
  return newest.sort((a, b) => compareDecimals(totals[b] as Decimal, totals[a] as Decimal));
});

async function filterRowsByName(release: ReleaseReader, rows: readonly number[], words: readonly string[]) {
  const [names] = (await release.columnsOf(HOLDER_REPORTS, ['holder_name'])) as [string[]];
  return words.length === 0 ? [] : rows.filter((row) => nameHasWords(names[row] as string, words));
}

async function readHolderHits(release: ReleaseReader, rows: readonly number[]): Promise<HolderHit[]> {
  const columns = ['holder_cik', 'holder_name', 'period', 'positions', 'value_total'];
  const cells = await release.columnsOf(HOLDER_REPORTS, columns, rows);
  const [ciks, names, periods, positions, values] = cells as [number[], string[], string[], number[], Decimal[]];
  return rows.map((_, index) => ({
    cik: ciks[index] as number,
    name: names[index] as string,
    latest_period: periods[index] as string,
    latest_positions: positions[index] as number,
    latest_value: values[index] as Decimal,
  }));
}
