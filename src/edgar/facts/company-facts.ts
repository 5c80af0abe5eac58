/**
 * Reads the company facts file (JSON) of one company, which contains all facts that the company has tagged without
 * dimensions.
 */

import { getOrInsert } from '../../platform/collections.ts';
import { toCik, toName } from '../files/fields.ts';
import { JsonReader } from '../files/json-reader.ts';
import { SkippedRowCounts } from '../files/skipped-rows.ts';
import { type Fact, type FactSeries, readNextFact, readNextFactFiling } from './fact-row.ts';

/** Number of facts that a company reported for one concept in one unit. */
export interface RawConceptSummary {
  readonly taxonomy: string;
  readonly concept: string;
  readonly unit: string;
  readonly factCount: number;
  readonly earliestEnd: string | null;
  readonly latestEnd: string | null;
}

/** The fields of a fact's row that describe its filing. */
export type FilingReference = Pick<Fact, 'accession' | 'form' | 'filed'>;

export interface CompanyFacts {
  readonly cik: number | null;
  /** The entity name in the file, which may be the name of a subsidiary. */
  readonly entityName: string | null;
  /** Facts of the wanted concepts, filed by the cutoff day. */
  readonly facts: readonly Fact[];
  /** Number of facts filed by the cutoff day, for each concept and unit. Includes unwanted concepts. */
  readonly rawConcepts: readonly RawConceptSummary[];
  /** Filings that reported any fact by the cutoff day, except the filings in `listedAccessions`. */
  readonly filings: readonly FilingReference[];
  /** The latest filing day after `cutoffDay`; null if no fact was filed after the cutoff. */
  readonly filedAfterCutoff: string | null;
  /**
   * A filing day after `today`, as an example; null if all filing days are on or before `today`. Facts filed after
   * `today` are skipped.
   */
  readonly filedAfterToday: string | null;
  /** Number of skipped rows, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
}

/** The result for a company that has no facts file. */
export const NO_FACTS: CompanyFacts = {
  cik: null,
  entityName: null,
  facts: [],
  rawConcepts: [],
  filings: [],
  filedAfterCutoff: null,
  filedAfterToday: null,
  skipped: {},
};

export interface FactsFilter {
  /** Whether to return the facts of a concept (default: all concepts); facts of other concepts are only counted. */
  readonly isConceptWanted?: (taxonomy: string, concept: string) => boolean;
  /** Skips facts filed after this day. */
  readonly cutoffDay?: string;
  /** The current day; facts filed later are errors and skipped. */
  readonly today?: string;
  /** Accession numbers of filings that `filings` omits. */
  readonly listedAccessions?: ReadonlySet<string>;
}

const MAX_DAY = '9999-12-31';
const NO_FILTER: Required<FactsFilter> = {
  isConceptWanted: () => true,
  cutoffDay: MAX_DAY,
  today: MAX_DAY,
  listedAccessions: new Set(),
};

/** Reads the facts of one file, as UTF-8 or text. Skips bad rows. Throws SyntaxError if the file is not JSON. */
export function readCompanyFacts(source: Uint8Array | string, filter: FactsFilter = {}): CompanyFacts {
  const bytes =
    typeof source === 'string' ? Buffer.from(source) : Buffer.from(source.buffer, source.byteOffset, source.length);
  return new CompanyFactsParser(bytes, { ...NO_FILTER, ...filter }).read();
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

class CompanyFactsParser {
  readonly #json: JsonReader;
  readonly #skipped = new SkippedRowCounts();
  readonly #facts: Fact[] = [];
  readonly #rawConceptByKey = new Map<string, Mutable<RawConceptSummary>>();
  /** All filings, including those in `listedAccessions`. */
  readonly #filingByAccession = new Map<string, FilingReference>();
  readonly #sharedDayByText = new Map<string, string>();
  readonly #result: Mutable<CompanyFacts> = { ...NO_FACTS };

  constructor(
    bytes: Buffer,
    private readonly filter: Required<FactsFilter>,
  ) {
    this.#json = new JsonReader(bytes);
  }

  read(): CompanyFacts {
    if (!this.#json.visitMembers((key) => this.#readField(key)))
      this.#skipped.add('a facts file that is not a JSON object');
    this.#json.expectEnd();
    const { listedAccessions } = this.filter;
    return {
      ...this.#result,
      facts: this.#facts,
      rawConcepts: [...this.#rawConceptByKey.values()],
      filings: [...this.#filingByAccession.values()].filter(({ accession }) => !listedAccessions.has(accession)),
      skipped: this.#skipped.getCounts(),
    };
  }

  #readField(key: string): void {
    const json = this.#json;
    if (key === 'facts') json.visitMembers((taxonomy) => this.#readTaxonomy(taxonomy));
    else if (key === 'cik' && (json.readString() || json.readScalar())) this.#result.cik = toCik(json.getText());
    else if (key === 'entityName' && json.readString()) this.#result.entityName = toName(json.getText());
    else json.skip();
  }

  #readTaxonomy(taxonomy: string): void {
    const isObject = this.#json.visitMembers((concept) => {
      let hasUnits = false;
      this.#json.visitMembers((key) => {
        if (key === 'units') hasUnits = this.#json.visitMembers((unit) => this.#readUnit({ taxonomy, concept, unit }));
        else this.#json.skip();
      });
      if (!hasUnits) this.#skipped.add('a concept without units of measure');
    });
    if (!isObject) this.#skipped.add('a taxonomy that is not a JSON object');
  }

  #readUnit(series: FactSeries): void {
    const json = this.#json;
    if (!json.enterArray()) {
      json.skip();
      this.#skipped.add('a unit of measure whose facts are not a list');
      return;
    }
    const isWanted = this.filter.isConceptWanted(series.taxonomy, series.concept);
    let concept: Mutable<RawConceptSummary> | null = null;
    while (json.moveToNextElement()) {
      const fact = isWanted ? readNextFact(json, series) : null;
      const row = fact ?? readNextFactFiling(json);
      if (typeof row === 'string') {
        this.#skipped.add(row);
        continue;
      }
      if (!this.#isFiledByCutoff(row)) continue;
      concept ??= this.#getRawConcept(series);
      countFact(concept, row.end);
      const filing = this.#getFiling(row);
      if (fact === null || typeof fact === 'string') continue;
      this.#shareTexts(fact, filing);
      this.#facts.push(fact);
    }
  }

  /** Whether a fact was filed by the cutoff day. Counts a later fact as skipped, and remembers its filing day. */
  #isFiledByCutoff({ filed }: FilingReference): boolean {
    if (filed > this.filter.today) {
      this.#skipped.add('a fact with a filing date in the future');
      this.#result.filedAfterToday = filed;
      return false;
    }
    if (filed <= this.filter.cutoffDay) return true;
    this.#skipped.add('a fact filed after the date of the release');
    if (this.#result.filedAfterCutoff === null || filed > this.#result.filedAfterCutoff)
      this.#result.filedAfterCutoff = filed;
    return false;
  }

  /** Returns the filing of a row. If a filing's rows differ in form or filing day, the first row applies. */
  #getFiling({ accession, form, filed }: FilingReference): FilingReference {
    return getOrInsert(this.#filingByAccession, accession, () => ({ accession, form, filed }));
  }

  /** Replaces equal strings by one shared string, which takes less memory and is compared faster. */
  #shareTexts(fact: Mutable<Fact>, { accession, form, filed }: FilingReference): void {
    fact.accession = accession;
    if (fact.form === form) fact.form = form;
    if (fact.filed === filed) fact.filed = filed;
    fact.end = this.#shareDay(fact.end);
    if (fact.start !== null) fact.start = this.#shareDay(fact.start);
  }

  #shareDay(text: string): string {
    return getOrInsert(this.#sharedDayByText, text, () => text);
  }

  #getRawConcept(series: FactSeries): Mutable<RawConceptSummary> {
    const key = `${series.taxonomy}:${series.concept} ${series.unit}`;
    const makeSummary = () => ({ ...series, factCount: 0, earliestEnd: null, latestEnd: null });
    return getOrInsert(this.#rawConceptByKey, key, makeSummary);
  }
}

function countFact(concept: Mutable<RawConceptSummary>, end: string): void {
  concept.factCount++;
  if (concept.earliestEnd === null || end < concept.earliestEnd) concept.earliestEnd = end;
  if (concept.latestEnd === null || end > concept.latestEnd) concept.latestEnd = end;
}
