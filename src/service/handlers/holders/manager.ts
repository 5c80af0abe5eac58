/**
 * `/v1/holders/{cik}`: one manager's report for the latest or a given quarter, compared with the previous report, and
 * totals of each quarter.
 */
import type { Holder, HolderPosition, OtherReporter } from '../../../contract/resources/holders.ts';
import { groupBy } from '../../../platform/collections.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import type { OtherReporterRow, PositionRow, ReportRow } from '../../../store/schema/holders.ts';
import { EARLIER_POSITIONS, HOLDER_POSITIONS, HOLDER_REPORTS, OTHER_REPORTERS } from '../../../store/schema/holders.ts';
import type { Listing } from '../../../store/schema/listings.ts';
import { SPLITS } from '../../../store/schema/reported-values.ts';
import type { PageRequest } from '../../../store/table-reader.ts';
import { type Handler, ProblemError } from '../../request/handler.ts';
import { findByCompanies } from '../coverage/find-listings.ts';
import { requireTable } from '../coverage/included-tables.ts';
import { readSplitRatio, refuseUnlessQuarterEnd } from './quarters.ts';

export const handleManager: Handler<'manager'> = async ({ release, parameters }) => {
  requireTable(release, HOLDER_REPORTS, 'Holders');
  const { cik, limit, offset, quarter } = parameters;
  refuseUnlessQuarterEnd(quarter);
  const reports = await release.rowsOf(HOLDER_REPORTS, cik);
  const otherReporters = await release.rowsOf(OTHER_REPORTERS, cik);
  const report = quarter === undefined ? reports.at(-1) : reports.find(({ period }) => period === quarter);
  if (report === undefined) throw makeNoReportError(cik, quarter, reports, otherReporters);
  const page = await readPage(release, reports, report, { offset, limit });
  const data: Holder = {
    cik,
    name: report.name,
    period: report.period,
    accession_number: report.accession,
    filed_at: report.filed,
    positions: report.positions,
    value_total: report.valueTotal,
    other_managers: report.otherManagers,
    opened: report.opened,
    closed: report.closed,
    rows: await readHolderPositions(release, page.rows, report),
    rows_total: page.total,
    quarters: reports.toReversed().map(({ period, filed, accession, positions: count, valueTotal }) => ({
      period,
      filed_at: filed,
      accession_number: accession,
      positions: count,
      value_total: valueTotal,
    })),
    prior_period: report.priorPeriod,
    ...(quarter === undefined ? makeNoticeField(otherReporters, report.period) : {}),
    ...makeReportedByField(otherReporters, report),
  };
  return { data };
};

function makeNoReportError(
  cik: number,
  quarter: string | undefined,
  reports: readonly ReportRow[],
  otherReporters: readonly OtherReporterRow[],
): ProblemError {
  const notice = otherReporters.findLast(({ form, period }) => isNotice(form) && period === (quarter ?? period));
  if (notice !== undefined) {
    const { reported_by: managers, period } = makeNotice(otherReporters, notice);
    const names = managers.map(({ cik, name }) => (cik === null ? name : `${name} (CIK ${cik})`)).join(', ');
    const place = names === '' ? 'other managers, which it does not name' : names;
    const detail = `${notice.name} filed a notice (13F-NT) for the quarter that ended on ${period}: its positions are reported by ${place}.`;
    return new ProblemError('not_found', detail);
  }
  if (quarter === undefined || reports.length === 0) {
    return new ProblemError(
      'not_found',
      `The release includes no 13F report of a manager with the CIK ${cik}. To find a manager by name: "/v1/holders?query=<name>".`,
    );
  }
  const quarters = reports.map(({ period }) => period).join(', ');
  const detail = `The release includes no 13F report of the manager ${cik} for the quarter that ended on ${quarter}. It includes reports for: ${quarters}.`;
  return new ProblemError('not_found', detail);
}

/** @param reports all reports of the manager, earliest first */
async function readPage(release: ReleaseReader, reports: readonly ReportRow[], report: ReportRow, page: PageRequest) {
  const laterReports = reports.slice(reports.indexOf(report) + 1);
  if (laterReports.length === 0) return release.pageOf(HOLDER_POSITIONS, report.holderCik, page);
  requireTable(release, EARLIER_POSITIONS, 'Holdings of earlier quarters');
  // The table has all quarters except the latest, one after another, latest first.
  const start = laterReports.slice(0, -1).reduce((sum, { positions }) => sum + positions, 0);
  const limit = Math.max(0, Math.min(page.limit, report.positions - page.offset));
  const offset = start + Math.min(page.offset, report.positions);
  const { rows } = await release.pageOf(EARLIER_POSITIONS, report.holderCik, { offset, limit });
  return { rows, total: report.positions };
}

const isNotice = (form: string): boolean => form.startsWith('13F-NT');

const makeNotice = (rows: readonly OtherReporterRow[], { accession, period, filed }: OtherReporterRow) => ({
  ...{ period, filed_at: filed, accession_number: accession },
  reported_by: listReporters(rows, accession),
});

/** Returns the manager's notice for its latest quarter, if it is after the quarter of the report. */
function makeNoticeField(rows: readonly OtherReporterRow[], period: string): Pick<Holder, 'notice'> {
  const notice = rows.findLast((row) => isNotice(row.form) && row.period > period);
  return notice === undefined ? {} : { notice: makeNotice(rows, notice) };
}

function makeReportedByField(rows: readonly OtherReporterRow[], { accession }: ReportRow): Pick<Holder, 'reported_by'> {
  const reporters = listReporters(rows, accession);
  return reporters.length === 0 ? {} : { reported_by: reporters };
}

const listReporters = (rows: readonly OtherReporterRow[], accession: string): OtherReporter[] =>
  rows
    .filter((row) => row.accession === accession && row.reporterName !== null)
    .map(({ reporterCik, reporterName }) => ({ cik: reporterCik, name: reporterName }));

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
  const quarters = priorPeriod === null ? null : { previousPeriod: priorPeriod, period };
  const splits = groupBy(priorPeriod === null ? [] : await release.rowsOfEach(SPLITS, ciks), ({ cik }) => cik);
  const positions: HolderPosition[] = [];
  for (const row of rows) {
    const { cik, tickerNormalized: ticker } = row;
    // Debt securities have no ticker, so they are shown under the company's primary ticker, as in `holders.ts`.
    const isListing = (listing: Listing) => (ticker === '' ? listing.isPrimary : listing.tickerNormalized === ticker);
    const listings = cik === null ? [] : (byCik.get(cik) ?? []);
    const entityName = (cik === null ? null : names.get(cik)) ?? null;
    const isCompared = quarters && cik !== null && ticker && row.priorAmount !== null && row.amountType === 'SH';
    const ratio = isCompared
      ? await readSplitRatio(release, { cik, tickerNormalized: ticker }, splits.get(cik) ?? [], quarters)
      : {};
    positions.push({
      cusip: row.cusip,
      issuer: row.issuer,
      class: row.titleOfClass,
      put_call: row.putCall === 'Put' || row.putCall === 'Call' ? row.putCall : '',
      amount: row.amount,
      amount_type: row.amountType,
      value: row.value,
      // A CUSIP may belong to a listed company that is not in the release; its CIK would lead to a 404.
      cik: entityName === null ? null : cik,
      entity_name: entityName,
      ticker: listings.find(isListing)?.ticker ?? null,
      prior_amount: row.priorAmount,
      prior_value: row.priorValue,
      weight: row.weight,
      ...ratio,
    });
  }
  return positions;
}
