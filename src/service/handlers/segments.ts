/** `/v1/securities/{ticker}/segments`: figures by business segment, geography and product. */
import type { SegmentAxis, SegmentMeasure, Segments } from '../../contract/resources/segments.ts';
import type { SegmentSeries } from '../../figures/segments/series.ts';
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
  const data: Segments = {
    cik: company.cik,
    ticker: security.ticker,
    entity_name: company.entityName,
    period,
    axes: groupByAxis(toSegmentSeries(rows.filter((row) => row.period === period))),
    documents: reports.length,
    updated_at: reports.reduce<string | null>((last, { acceptedAt }) => selectLaterTime(last, acceptedAt), null),
  };
  return { data, meta: { ticker: security.ticker } };
};

/** @param series sorted by axis */
function groupByAxis(series: readonly SegmentSeries[]): SegmentAxis[] {
  const axes: SegmentAxis[] = [];
  for (const oneSeries of series) {
    const last = axes.at(-1);
    if (last?.axis === oneSeries.axis) last.measures.push(toMeasure(oneSeries));
    else axes.push({ axis: oneSeries.axis, measures: [toMeasure(oneSeries)] });
  }
  return axes;
}

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
    ...{ member, label, values: [...values] },
    ...(parent === null ? {} : { parent }),
    ...(role === 'member' ? {} : { role }),
  })),
  totals: periods.map(({ total }) => total),
});

/** Returns the later of two times, whose UTC offsets may differ. */
function selectLaterTime(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return Date.parse(b) > Date.parse(a) ? b : a;
}
