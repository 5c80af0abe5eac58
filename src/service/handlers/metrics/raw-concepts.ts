/**
 * `/v1/securities/{ticker}/raw-concepts`: the tagged concepts of a company, the most frequent first. `search` selects
 * concepts whose names contain its words; `concept` selects one concept and adds its facts as filed.
 */
import { compareText } from '../../../contract/compare-text.ts';
import { isNameOfConcept, makeFilingIndexUrl } from '../../../contract/identifiers.ts';
import { didYouMean } from '../../../contract/nearest.ts';
import type { RawConcept, TaggedFact } from '../../../contract/resources/metrics.ts';
import { quote } from '../../../contract/text/quote.ts';
import type { RawConceptSummary } from '../../../edgar/facts/company-facts.ts';
import { rankFacts } from '../../../figures/facts/tagged-facts.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import { FACTS } from '../../../store/schema/reported-values.ts';
import { type Handler, ProblemError } from '../../request/handler.ts';
import { type CoveredSecurity, findSecurity } from '../coverage/covered-security.ts';
import { requireTable } from '../coverage/included-tables.ts';
import { markPartialFacts } from './metric-fields.ts';

export const handleRawConcepts: Handler<'raw-concepts'> = async ({ release, parameters }) => {
  const { concept, search, as_of: asOf = null, limit } = parameters;
  if (asOf !== null && concept === undefined)
    throw new ProblemError(
      'bad_request',
      'The parameter as_of can be used only with the parameter "concept", because a list of concepts counts the facts of all filings.',
    );
  const security = await findSecurity(release, parameters.ticker);
  const all = [...(await release.rawConcepts(security.company.cik))].sort(compareByFactCount);
  const words = search === undefined ? [] : splitCamelCaseWords(search);
  const matches = all.filter((row) => (concept === undefined || isNameOfConcept(concept, row)) && hasWords(row, words));
  const conceptRows = matches.map((count) => toConceptRow(security, count));
  const rows = markPartialFacts(security, conceptRows);
  const meta = { ticker: security.security.ticker };
  if (concept === undefined) return { data: rows.slice(0, limit), meta: { ...meta, total: rows.length } };
  if (rows.length === 0) throw makeUnknownConceptError(security, concept, all);
  const rowsWithFacts = await addFacts(release, security, rows, asOf);
  return { data: (asOf === null ? rowsWithFacts : summarizeListedFacts(rowsWithFacts)).slice(0, limit), meta };
};

/**
 * Counts the facts of each concept, because the stored counts include filings after the requested day. Drops concepts
 * without facts.
 */
const summarizeListedFacts = (rows: readonly RawConcept[]): RawConcept[] =>
  rows
    .flatMap((row) => {
      // Facts are sorted by period, latest first.
      const { facts = [] } = row;
      const [latest, earliest] = [facts[0]?.end_date, facts.at(-1)?.end_date];
      if (latest === undefined || earliest === undefined) return [];
      return [{ ...row, fact_count: facts.length, earliest_end_date: earliest, latest_end_date: latest }];
    })
    .sort((a, b) => b.fact_count - a.fact_count);

const toConceptRow = ({ security, company }: CoveredSecurity, count: RawConceptSummary): RawConcept => ({
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
});

/** @param asOf excludes facts filed after this day; null includes all facts */
async function addFacts(
  release: ReleaseReader,
  { security, company: { cik } }: CoveredSecurity,
  rows: readonly RawConcept[],
  asOf: string | null,
): Promise<RawConcept[]> {
  requireTable(release, FACTS, 'Tagged facts');
  const concepts = new Set(rows.map(({ concept }) => concept));
  const facts = await release.rowsOf(FACTS, cik, { column: 'concept', passes: (name) => concepts.has(String(name)) });
  if (facts.length === 0) {
    const hasFacts = (await release.rowsOf(FACTS, cik)).length > 0;
    const detail = hasFacts
      ? `The release includes tagged facts of ${security.ticker}, but none of ${[...concepts].join(', ')}.`
      : `The release includes tagged facts of only some companies, and none of ${security.ticker}. To include the facts of ${security.ticker}: fin data build --facts ${security.ticker}`;
    throw new ProblemError('not_found', detail);
  }
  return rows.map((row) => {
    const conceptFacts = facts.filter(
      ({ taxonomy, concept, unit, filed }) =>
        taxonomy === row.taxonomy && concept === row.concept && unit === row.unit && (asOf === null || filed <= asOf),
    );
    return {
      ...row,
      facts: rankFacts(conceptFacts).map(
        ({ fact, rank, kind }): TaggedFact => ({
          end_date: fact.end,
          value: fact.value,
          kind,
          revision_rank: rank,
          accession_number: fact.accession,
          form: fact.form,
          filed_at: fact.filed,
          source_url: makeFilingIndexUrl(cik, fact.accession),
          start_date: fact.start,
          focus_year: fact.focusYear,
          focus_period: fact.focusPeriod,
        }),
      ),
    };
  });
}

/** Whether each search word begins a word of the concept's name: "lease cost" finds OperatingLeaseCost. */
const hasWords = ({ concept }: RawConceptSummary, words: readonly string[]): boolean => {
  const conceptWords = splitCamelCaseWords(concept);
  return words.every((word) => conceptWords.some((conceptWord) => conceptWord.startsWith(word)));
};

/** Returns the words of a text, or of a name in camel case. */
const splitCamelCaseWords = (text: string): string[] =>
  text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');

function makeUnknownConceptError({ security }: CoveredSecurity, name: string, counts: readonly RawConceptSummary[]) {
  const localName = name.slice(name.indexOf(':') + 1);
  const concepts = [...new Set(counts.map(({ concept }) => concept))];
  const detail = `${security.ticker} has no facts of the concept ${quote(name)}.${didYouMean(localName, concepts)}`;
  return new ProblemError('not_found', detail);
}

const compareByFactCount = (a: RawConceptSummary, b: RawConceptSummary): number =>
  b.factCount - a.factCount || compareText(makeSortText(a), makeSortText(b));

const makeSortText = ({ taxonomy, concept, unit }: RawConceptSummary): string => `${taxonomy}:${concept} ${unit}`;
