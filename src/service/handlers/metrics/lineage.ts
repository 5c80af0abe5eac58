/**
 * `/v1/securities/{ticker}/metrics/{metric_key}/lineage`: the tagged facts that each value is computed from, one row
 * per fact.
 */
import type { MetricLineage } from '../../../contract/resources/metrics.ts';
import { convertToDecimal } from '../../../contract/split-ratio.ts';
import type { Figure, FigureInput, FigureValue } from '../../../figures/derived/figure.ts';
import { countInputs, toFigureValue } from '../../../figures/derived/figure.ts';
import type { AdjustedFigure } from '../../../figures/derived/shares-of-today.ts';
import { mergeAndSortFigures } from '../../../figures/figure-values.ts';
import { prefixConcept } from '../../../figures/metrics/concepts.ts';
import { findMark } from '../../../figures/relations/unconfirmed.ts';
import { type ReportedValue, toFiledPeriod } from '../../../figures/revisions/revision-chain.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import { FACT_LOCATIONS, type FactLocationRow } from '../../../store/schema/segments.ts';
import { makeCondition } from '../../../store/table-reader.ts';
import type { Handler } from '../../request/handler.ts';
import { type CoveredSecurity, findSecurity } from '../coverage/covered-security.ts';
import { makeMetricValueId, makeRawFactId } from '../coverage/identity.ts';
import { openAdjuster, selectCompanyFigures } from './company-figures.ts';
import { makePeriodFields, makeSubjectFields, markPartialFacts, requireMetric } from './metric-fields.ts';

export const handleLineage: Handler<'lineage'> = async ({ release, parameters }) => {
  const security = await findSecurity(release, parameters.ticker);
  const { metric_key: key, metric_value_id: id, as_of: asOf = null, limit, values } = parameters;
  const { split_adjusted: adjusted } = parameters;
  requireMetric(key);
  const { cik } = security.company;
  // Figures for the trailing twelve months repeat the lineage of their quarters, so they are included only if requested
  // by id.
  const query = { keys: [key], asOf, values, twelveMonths: id !== undefined, includesContradicted: true };
  const figures = mergeAndSortFigures(await selectCompanyFigures(release, cik, query));
  const matches = id === undefined ? figures : figures.filter((figure) => makeMetricValueId(cik, figure) === id);
  const adjust = adjusted ? await openAdjuster(release, cik, asOf) : null;
  const shownValues = takeWholeFigures(matches, limit).map((filed) => {
    const { figure, ratio } = adjust?.(filed) ?? { figure: filed, ratio: undefined };
    return { ...toFigureValue(figure), ratio };
  });
  const valuesWithInput = shownValues.flatMap((value) => value.inputs.map((input) => ({ value, input })));
  const reported = valuesWithInput.map(({ input }) => input.reported);
  const locations = await readLocations(release, cik, reported);
  const data = valuesWithInput.map(({ value, input }) => toLineageRow(security, value, input, locations, asOf));
  const total = matches.reduce((count, figure) => count + countInputs(figure), 0);
  return { data: markPartialFacts(security, data), meta: { ticker: security.security.ticker, total } };
};

/** Returns the first figures that have at most `limit` facts in total, but at least one figure with all its facts. */
function takeWholeFigures(figures: readonly Figure[], limit: number): readonly Figure[] {
  let count = 0;
  const end = figures.findIndex((figure, index) => {
    count += countInputs(figure);
    return count > limit && index > 0;
  });
  return end < 0 ? figures : figures.slice(0, end);
}

/** Returns the locations of facts, by `makeFactKey`; may include locations of other facts. */
async function readLocations(release: ReleaseReader, cik: number, values: readonly ReportedValue[]) {
  const accessions = new Set(values.map(({ accession }) => accession));
  const rows = await release.rowsOf(FACT_LOCATIONS, cik, makeCondition('accession_number', accessions));
  return new Map(rows.map((row) => [makeFactKey(row), row]));
}

function toLineageRow(
  security: CoveredSecurity,
  value: FigureValue & Pick<AdjustedFigure, 'ratio'>,
  { role, reported }: FigureInput,
  locations: ReadonlyMap<string, FactLocationRow>,
  asOf: string | null,
): MetricLineage {
  const unconfirmed = findMark(reported, asOf);
  return {
    metric_value_id: makeMetricValueId(security.company.cik, value),
    ...makeSubjectFields(security, value),
    metric_value: value.value,
    metric_unit: value.unit,
    ...makePeriodFields(value),
    role,
    raw_fact_id: makeRawFactId(security.company.cik, reported),
    taxonomy: reported.taxonomy,
    concept: reported.concept,
    raw_unit: reported.unit,
    raw_value: reported.rawValue,
    frame: reported.frame,
    accession_number: reported.accession,
    form: reported.form,
    filed_at: reported.filed,
    ...makeLocationField(reported, locations),
    ...(reported.source === null ? {} : { fact_source: reported.source }),
    ...(unconfirmed === null ? {} : { unconfirmed }),
    ...(value.ratio === undefined ? {} : { split_ratio: value.ratio && convertToDecimal(value.ratio) }),
    raw_ingestion_run_id: null,
    source_payload_id: null,
  };
}

/** Returns the location of a fact as a field; empty if the release does not contain the fact's location. */
function makeLocationField(value: ReportedValue, locations: ReadonlyMap<string, FactLocationRow>) {
  const { taxonomy, concept, accession, unit } = value;
  const { start, end } = toFiledPeriod(value);
  const place = locations.get(makeFactKey({ accession, concept: prefixConcept(taxonomy, concept), unit, start, end }));
  if (place === undefined) return {};
  const { matchQuality, context, document, lineId } = place;
  return { location: { match_quality: matchQuality, concept: place.concept, context, document, line_id: lineId } };
}

const makeFactKey = ({
  accession,
  concept,
  unit,
  start,
  end,
}: Pick<FactLocationRow, 'accession' | 'concept' | 'unit' | 'start' | 'end'>) =>
  `${accession} ${concept} ${unit} ${start} ${end}`;
