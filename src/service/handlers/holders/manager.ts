/** `/v1/holders/{cik}`: one manager's latest report, compared with the previous report, and totals of each quarter. */
import type { Holder, HolderPosition } from '../../../contract/resources/holders.ts';
import { groupBy } from '../../../platform/collections.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import {
  HOLDER_POSITIONS,
  HOLDER_REPORTS,
  type HolderPositionRow,
  type HolderReportRow,
} from '../../../store/schema/holders.ts';
import type { Listing } from '../../../store/schema/listings.ts';
import { SPLITS } from '../../../store/schema/reported-values.ts';
import type { Handler } from '../../request/handler.ts';
import { ProblemError } from '../../request/problem-error.ts';
import { requireTable } from '../coverage/included-tables.ts';
import { findListingsOfCompanies } from '../coverage/listings.ts';
import { readSplitRatioField, type SplitRatioField } from './split-between-quarters.ts';

export const handleManager: Handler<'manager'> = async ({ release, parameters }) => {
  requireTable(release, HOLDER_REPORTS, 'Holders');
  const { cik, limit, offset } = parameters;
  const reports = await release.rowsOf(HOLDER_REPORTS, cik);
  const latestReport = reports.at(-1);
  if (latestReport === undefined) {
    throw new ProblemError(
      'not_found',
      `The release includes no 13F report of a manager with the CIK ${cik}. To find a manager by name: "/v1/holders?query=<name>".`,
    );
  }
  const positionsPage = await release.pageOf(HOLDER_POSITIONS, cik, { offset, limit });
  const data: Holder = {
    cik,
    name: latestReport.name,
    period: latestReport.period,
    accession_number: latestReport.accession,
    filed_at: latestReport.filed,
    positions: latestReport.positions,
    value_total: latestReport.valueTotal,
    other_managers: latestReport.otherManagers,
    opened: latestReport.opened,
    closed: latestReport.closed,
    rows: await readHolderPositions(release, positionsPage.rows, latestReport),
    rows_total: positionsPage.total,
    quarters: reports.toReversed().map(({ period, filed, accession, positions: count, valueTotal }) => ({
      period,
      filed_at: filed,
      accession_number: accession,
      positions: count,
      value_total: valueTotal,
    })),
    prior_period: latestReport.priorPeriod,
  };
  return { data };
};

async function readHolderPositions(
  release: ReleaseReader,
  rows: readonly HolderPositionRow[],
  { period, priorPeriod }: HolderReportRow,
): Promise<HolderPosition[]> {
  const ciks = new Set(rows.flatMap(({ cik }) => cik ?? []));
  const listingsByCik = await findListingsOfCompanies(release, ciks);
  const nameByCik = new Map<number, string>();
  for (const cik of ciks) {
    const name = listingsByCik.get(cik)?.[0]?.entityName ?? (await release.company(cik))?.entityName;
    if (name !== undefined) nameByCik.set(cik, name);
  }
  const splitsByCik = groupBy(priorPeriod === null ? [] : await release.rowsOfEach(SPLITS, ciks), ({ cik }) => cik);
  const splitRatioFields: SplitRatioField[] = [];
  for (const { cik, tickerNormalized, priorAmount, amountType } of rows) {
    const isComparedShare = cik !== null && tickerNormalized && priorAmount !== null && amountType === 'SH';
    splitRatioFields.push(
      isComparedShare && priorPeriod !== null
        ? await readSplitRatioField(release, { cik, tickerNormalized }, splitsByCik.get(cik) ?? [], {
            previousPeriod: priorPeriod,
            period,
          })
        : {},
    );
  }
  return rows.map((row, index) => {
    // Debt securities have no ticker, so they are shown under the company's primary ticker, as in `holders.ts`.
    const isListingOfPosition = ({ tickerNormalized, isPrimary }: Listing) =>
      row.tickerNormalized === '' ? isPrimary : tickerNormalized === row.tickerNormalized;
    const companyListings = row.cik === null ? [] : (listingsByCik.get(row.cik) ?? []);
    const entityName = (row.cik === null ? null : nameByCik.get(row.cik)) ?? null;
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
      ticker: companyListings.find(isListingOfPosition)?.ticker ?? null,
      prior_amount: row.priorAmount,
      prior_value: row.priorValue,
      weight: row.weight,
      ...splitRatioFields[index],
    };
  });
}
