/** `/v1/securities/{ticker}/segments`: figures by business segment, geography and product. */
import type { SegmentAxis, SegmentMeasure, Segments } from '../../contract/resources/segments.ts';
import type { SegmentSeries } from '../../figures/segments/series.ts';
import { groupBy } from '../../platform/collections.ts';
import { SEGMENTS, TAGGED_REPORTS, toSegmentSeries } from '../../store/schema/segments.ts';
import type { Handler } from '../request/handler.ts';
import { findSecurity } from './coverage/covered-security.ts';
import { requireTable } from './coverage/included-tables.ts';

export const handleSegments: Handler<'segments'> = async ({ release, parameters }) => {
  const { security, company } = await findSecurity(release, parameters.ticker);
  requireTable(release, SEGMENTS, 'Segments');
  const { period } = parameters;
  const rows = await release.rowsOf(SEGMENTS, company.cik);
  const reports = await release.rowsOf(TAGGED_REPORTS, company.cik);
  // Texts are compared as times, because their UTC offsets may differ.
  const times = reports.flatMap(({ acceptedAt }) => acceptedAt ?? []).sort((a, b) => Date.parse(b) - Date.parse(a));
  const data: Segments = {
    cik: company.cik,
    ticker: security.ticker,
    entity_name: company.entityName,
    period,
    axes: groupByAxis(toSegmentSeries(rows.filter((row) => row.period === period))),
    documents: reports.length,
    updated_at: times[0] ?? null,
  };
  return { data, meta: { ticker: security.ticker } };
};

/** @param series sorted by axis */
const groupByAxis = (series: readonly SegmentSeries[]): SegmentAxis[] =>
  [...groupBy(series, ({ axis }) => axis)].map(([axis, own]) => ({ axis, measures: own.map(toMeasure) }));

const toMeasure = ({ measure, concept, unit, periods, members }: SegmentSeries): SegmentMeasure => ({
  measure,
  concept,
  unit,
  periods: periods.map(({ fiscalYear, fiscalPeriod, end, accession, form, filed, derived, basis }) => ({
    fiscal_year: fiscalYear,
    fiscal_period: fiscalPeriod,
    end_date: end,
    accession_number: accession,
    form,
    ...(derived ? { derived } : {}),
    ...(basis > 1 ? { basis } : {}),
    filed_at: filed,
  })),
  members: members.map(({ member, label, parent, role, values }) => ({
    member,
    label,
    values: [...values],
    ...(parent === null ? {} : { parent }),
    ...(role === 'member' ? {} : { role }),
  })),
  totals: periods.map(({ total }) => total),
});
