/** `/v1/securities/{ticker}/metrics/{metric_key}/lineage`: the tagged facts behind each value, one row for each. */

import type { FactLocation, MetricLineage } from '../../../contract/resources/metrics.ts';
import { conceptName } from '../../../figures/metrics/concepts.ts';
import type { FigureInput, FigureValue } from '../../../figures/metrics/figure.ts';
import type { ReportedValue } from '../../../figures/revisions/revision-chain.ts';
import { FACT_LOCATIONS, type LocationRow } from '../../../release/schema/segments.ts';
import type { Handler } from '../../handler.ts';
import { type CoveredSecurity, coveredSecurity } from '../covered-security.ts';
import { metricValueId, rawFactId } from '../identity.ts';
import { companyFigures } from './company-figures.ts';
import { periodFields, subjectFields } from './metric-fields.ts';
import { requireMetric } from './metric-keys.ts';

export const lineage: Handler<'lineage'> = async ({ release, parameters }) => {
  const covered = await coveredSecurity(release, parameters.ticker);
  const key = parameters.metric_key;
  requireMetric(key);
  const { cik } = covered.company;
  const only = parameters.metric_value_id;
  const asOf = parameters.as_of ?? null;
  const values = await companyFigures(release, cik, { keys: [key], asOf });
  const rows = values
    .filter((value) => only === undefined || metricValueId(cik, value) === only)
    .flatMap((value) => value.inputs.map((input) => ({ value, input })))
    .slice(0, parameters.limit);
  const places = new Map((await release.rowsOf(FACT_LOCATIONS, cik)).map((row) => [placeKey(row), row]));
  const data = rows.map(({ value, input }) => rowOf(covered, value, input, places));
  return { data, meta: { ticker: covered.security.ticker } };
};

function rowOf(
  covered: CoveredSecurity,
  value: FigureValue,
  { role, reported: statement }: FigureInput,
  places: ReadonlyMap<string, LocationRow>,
): MetricLineage {
  return {
    ...subjectFields(covered, value),
    metric_value: value.value,
    metric_unit: value.unit,
    ...periodFields(value),
    role,
    raw_fact_id: rawFactId(covered.company.cik, statement),
    taxonomy: statement.taxonomy,
    concept: statement.concept,
    raw_unit: statement.unit,
    raw_value: statement.rawValue,
    frame: statement.frame,
    accession_number: statement.accession,
    form: statement.form,
    filed_at: statement.filed,
    location: locationOf(statement, places),
    raw_ingestion_run_id: null,
    source_payload_id: null,
  };
}

/** Null where the filing's own document is not at hand. */
function locationOf(
  { taxonomy, concept, accession, unit, start, end }: ReportedValue,
  places: ReadonlyMap<string, LocationRow>,
): FactLocation | null {
  const place = places.get(placeKey({ accession, concept: conceptName(taxonomy, concept), unit, start, end }));
  if (place === undefined) return null;
  const { matchQuality, context, document, lineId } = place;
  return { match_quality: matchQuality, concept: place.concept, context, document, line_id: lineId };
}

function placeKey({
  accession,
  concept,
  unit,
  start,
  end,
}: Pick<LocationRow, 'accession' | 'concept' | 'unit' | 'start' | 'end'>) {
  return `${accession} ${concept} ${unit} ${start} ${end}`;
}
