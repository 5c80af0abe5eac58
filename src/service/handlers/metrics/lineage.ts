/** `/v1/securities/{ticker}/metrics/{metric_key}/lineage`: the tagged facts behind each value, one row for each. */
import type { MetricLineage } from '../../../contract/resources/metrics.ts';
import { conceptName } from '../../../figures/metrics/concepts.ts';
import type { FigureInput, FigureValue } from '../../../figures/metrics/figure.ts';
import { periodAsFiled, type ReportedValue } from '../../../figures/revisions/revision-chain.ts';
import { FACT_LOCATIONS, type LocationRow } from '../../../release/schema/segments.ts';
import type { Handler } from '../../handler.ts';
import { type CoveredSecurity, coveredSecurity } from '../covered-security.ts';
import { metricValueId, rawFactId } from '../identity.ts';
import { companyFigures } from './company-figures.ts';
import { periodFields, requireMetric, subjectFields } from './metric-fields.ts';

export const lineage: Handler<'lineage'> = async ({ release, parameters }) => {
  const covered = await coveredSecurity(release, parameters.ticker);
  const { metric_key: key, metric_value_id: id, as_of: asOf = null, limit } = parameters;
  requireMetric(key);
  const { cik } = covered.company;
  // Twelve months repeat the lineage of their quarters, so they come only when they are meant.
  const query = { keys: [key], asOf, twelveMonths: id !== undefined, contradicted: true };
  const values = await companyFigures(release, cik, query);
  const matching = values.filter((value) => id === undefined || metricValueId(cik, value) === id);
  const rows = factsOf(wholeValues(matching, limit));
  const locations = new Map((await release.rowsOf(FACT_LOCATIONS, cik)).map((row) => [factKey(row), row]));
  const data = rows.map(({ value, input }) => rowOf(covered, value, input, locations));
  return { data, meta: { ticker: covered.security.ticker, total: factsOf(matching).length } };
};

const factsOf = (values: readonly FigureValue[]) =>
  values.flatMap((value) => value.inputs.map((input) => ({ value, input })));

/** The first values that have no more facts than this in all, each with all of its facts; one value at least. */
function wholeValues(values: readonly FigureValue[], limit: number): readonly FigureValue[] {
  let facts = 0;
  const end = values.findIndex(({ inputs }, index) => {
    facts += inputs.length;
    return facts > limit && index > 0;
  });
  return end < 0 ? values : values.slice(0, end);
}

function rowOf(
  covered: CoveredSecurity,
  value: FigureValue,
  { role, reported }: FigureInput,
  locations: ReadonlyMap<string, LocationRow>,
): MetricLineage {
  return {
    ...subjectFields(covered, value),
    metric_value: value.value,
    metric_unit: value.unit,
    ...periodFields(value),
    role,
    raw_fact_id: rawFactId(covered.company.cik, reported),
    taxonomy: reported.taxonomy,
    concept: reported.concept,
    raw_unit: reported.unit,
    raw_value: reported.rawValue,
    frame: reported.frame,
    accession_number: reported.accession,
    form: reported.form,
    filed_at: reported.filed,
    ...locationOf(reported, locations),
    raw_ingestion_run_id: null,
    source_payload_id: null,
  };
}

/** Without the field where the filing's own document is not in the release. */
function locationOf(
  reported: ReportedValue,
  locations: ReadonlyMap<string, LocationRow>,
): Pick<MetricLineage, 'location'> {
  const { taxonomy, concept, accession, unit } = reported;
  const { start, end } = periodAsFiled(reported);
  const location = locations.get(factKey({ accession, concept: conceptName(taxonomy, concept), unit, start, end }));
  if (location === undefined) return {};
  const { matchQuality, context, document, lineId } = location;
  return {
    location: { match_quality: matchQuality, concept: location.concept, context, document, line_id: lineId },
  };
}

function factKey({
  accession,
  concept,
  unit,
  start,
  end,
}: Pick<LocationRow, 'accession' | 'concept' | 'unit' | 'start' | 'end'>) {
  return `${accession} ${concept} ${unit} ${start} ${end}`;
}
