/** `/v1/securities/{ticker}/raw-concepts`: the tagged concepts of a company, the most frequent first. */
import { compareText } from '../../../contract/compare-text.ts';
import type { RawConcept } from '../../../contract/resources/metrics.ts';
import type { RawConceptCount } from '../../../edgar/facts/company-facts.ts';
import type { Handler } from '../../handler.ts';
import { coveredSecurity } from '../covered-security.ts';

export const rawConcepts: Handler<'raw-concepts'> = async ({ release, parameters }) => {
  const { security, company } = await coveredSecurity(release, parameters.ticker);
  const counts = [...(await release.rawConcepts(company.cik))].sort(compare);
  const data = counts.slice(0, parameters.limit).map(
    (count): RawConcept => ({
      ticker: security.ticker,
      exchange: security.exchange,
      cik: company.cik,
      entity_name: company.entityName,
      taxonomy: count.taxonomy,
      concept: count.concept,
      unit: count.unit,
      fact_count: count.factCount,
      earliest_end_date: count.earliestEnd,
      latest_end_date: count.latestEnd,
    }),
  );
  return { data, meta: { ticker: security.ticker } };
};

function compare(a: RawConceptCount, b: RawConceptCount): number {
  return b.factCount - a.factCount || compareText(nameOf(a), nameOf(b));
}

const nameOf = ({ taxonomy, concept, unit }: RawConceptCount): string => `${taxonomy}:${concept} ${unit}`;
