/** `/v1/holders/{cik}`: one manager's latest report, compared with the previous report, and totals of each quarter. */
import type { Holder, HolderPosition } from '../../../contract/resources/holders.ts';
import { groupBy } from '../../../platform/collections.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import { HOLDER_POSITIONS, HOLDER_REPORTS, type PositionRow, type ReportRow } from '../../../store/schema/holders.ts';
import type { Listing } from '../../../store/schema/listings.ts';
import { SPLITS } from '../../../store/schema/reported-values.ts';
import type { Handler } from '../../request/handler.ts';
import { ProblemError } from '../../request/problem-error.ts';
import { requireTable } from '../coverage/included-tables.ts';
import { findByCompanies } from '../coverage/listings.ts';
import { readSplitRatio, type SplitRatioField } from './split-between-quarters.ts';

export const handleManager: Handler<'manager'> = async ({ release, parameters }) => {
  requireTable(release, HOLDER_REPORTS, 'Holders');
  const { cik, limit, offset } = parameters;
  const reports = await release.rowsOf(HOLDER_REPORTS, cik);
  const latest = reports.at(-1);
  if (latest === undefined) {
    throw new ProblemError(
      'not_found',
      `The release includes no 13F report of a manager with the CIK ${cik}. To find a manager by name: "/v1/holders?query=<name>".`,
    );
  }
  const page = await release.pageOf(HOLDER_POSITIONS, cik, { offset, limit });
  const data: Holder = {
    cik,
    name: latest.name,
    period: latest.period,
    accession_number: latest.accession,
    filed_at: latest.filed,
    positions: latest.positions,
    value_total: latest.valueTotal,
    other_managers: latest.otherManagers,
    opened: latest.opened,
    closed: latest.closed,
    rows: await readHolderPositions(release, page.rows, latest),
    rows_total: page.total,
    quarters: reports.toReversed().map(({ period, filed, accession, positions: count, valueTotal }) => ({
      period,
      filed_at: filed,
      accession_number: accession,
      positions: count,
      value_total: valueTotal,
    })),
    prior_period: latest.priorPeriod,
  };
  return { data };
};

async function readHolderPositions(
  release: ReleaseReader,
  rows: readonly PositionRow[],
  { period, priorPeriod }: ReportRow,
): Promise<HolderPosition[]> {
  const ciks = new Set(rows.flatMap(({ cik }) => cik ?? []));
  const byCik = await findByCompanies(release, ciks);
  const names = new Map<number, string>();
  for (const cik of ciks) {
    const name = byCik.get(cik)?.[0]?.entityName ?? (await release.company(cik))?.entityName;
    if (name !== undefined) names.set(cik, name);
  }
  const splits = groupBy(priorPeriod === null ? [] : await release.rowsOfEach(SPLITS, ciks), ({ cik }) => cik);
  const ratio: SplitRatioField[] = [];
  for (const { cik, tickerNormalized, priorAmount, amountType } of rows) {
    const isCompared = cik !== null && tickerNormalized && priorAmount !== null && amountType === 'SH';
    ratio.push(
      isCompared && priorPeriod !== null
        ? await readSplitRatio(release, { cik, tickerNormalized }, splits.get(cik) ?? [], {
            previousPeriod: priorPeriod,
            period,
          })
        : {},
    );
  }
  return rows.map((row, index) => {
    // Debt securities have no ticker, so they are shown under the company's primary ticker, as in `holders.ts`.
    const isListing = ({ tickerNormalized, isPrimary }: Listing) =>
      row.tickerNormalized === '' ? isPrimary : tickerNormalized === row.tickerNormalized;
    const listings = row.cik === null ? [] : (byCik.get(row.cik) ?? []);
    const entityName = (row.cik === null ? null : names.get(row.cik)) ?? null;
    return {
      cusip: row.cusip,
      issuer: row.issuer,
      class: row.titleOfClass,
      put_call: row.putCall === 'Put' || row.putCall === 'Call' ? row.putCall : '',
      amount: row.amount,
      amount_type: row.amountType,
      value: row.value,
      // A CUSIP may belong to a listed company that is not in the release; its CIK would lead to a 404.
      cik: entityName === null ? null : row.cik,
      entity_name: entityName,
      ticker: listings.find(isListing)?.ticker ?? null,
      prior_amount: row.priorAmount,
      prior_value: row.priorValue,
      weight: row.weight,
      ...ratio[index],
    };
  });
}
