/** Reads one member of the company facts: every undimensioned fact a company has tagged. */

import { cikOf } from '../files/json.ts';
import { JsonReader } from '../files/json-reader.ts';
import { SkippedRows } from '../files/skipped-rows.ts';
import type { Fact, SeriesName } from './fact-row.ts';
import { nextCounted, nextFact } from './fact-row.ts';

/** One tagged concept as a company used it. */
export interface RawConceptCount {
  readonly taxonomy: string;
  readonly concept: string;
  readonly unit: string;
  readonly factCount: number;
  readonly earliestEnd: string | null;
  readonly latestEnd: string | null;
}

export interface CompanyFacts {
  readonly cik: number | null;
  /** As the file says it; not to be trusted (some name a subsidiary). */
  readonly entityName: string | null;
  /** Those that were asked for. */
  readonly facts: readonly Fact[];
  /** Every concept and unit of the file, with its facts counted whether they were asked for or not. */
  readonly rawConcepts: readonly RawConceptCount[];
  /** The filings that stated these facts; none where they were not asked for. */
  readonly accessions: readonly string[];
  /** The day of the latest of them. */
  readonly latestFiled: string | null;
  /** The latest day of facts that were filed too late. */
  readonly filedLater: string | null;
  /** Rows that were not read, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
}

/** What a company without a file has. */
export const NO_FACTS: CompanyFacts = {
  cik: null,
  entityName: null,
  facts: [],
  rawConcepts: [],
  accessions: [],
  latestFiled: null,
  filedLater: null,
  skipped: {},
};

export interface FactsSelection {
  /** Which concepts' facts to give, beside counting them; absent: all. */
  readonly wanted?: (taxonomy: string, concept: string) => boolean;
  /** Sets aside what was filed after this day; absent: nothing. */
  readonly filedBy?: string;
  /** Whether to gather the filings that stated the facts; they are counted a hundred times over. Absent: yes. */
  readonly filings?: boolean;
}

/** The facts of one file, as UTF-8 or text. Throws SyntaxError when it is not JSON; sets a bad row aside. */
export function readCompanyFacts(source: Uint8Array | string, question: FactsSelection = {}): CompanyFacts {
  return new FactsFile(source, question).read();
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

class FactsFile {
  readonly #json: JsonReader;
  readonly #wanted: (taxonomy: string, concept: string) => boolean;
  readonly #filedBy: string;
  readonly #skipped = new SkippedRows();
  readonly #facts: Fact[] = [];
  readonly #series = new Map<string, Writable<RawConceptCount>>();
  readonly #accessions: Set<string> | null;
  #cik: number | null = null;
  #entityName: string | null = null;
  #latestFiled: string | null = null;
  #filedLater: string | null = null;

  constructor(
    source: Uint8Array | string,
    { wanted = () => true, filedBy = '9999-12-31', filings = true }: FactsSelection,
  ) {
    this.#json = new JsonReader(
      typeof source === 'string' ? Buffer.from(source) : Buffer.from(source.buffer, source.byteOffset, source.length),
    );
    this.#wanted = wanted;
    this.#filedBy = filedBy;
    this.#accessions = filings ? new Set() : null;
  }

  read(): CompanyFacts {
    if (!this.#members((key) => this.#field(key))) this.#skipped.add('a file that is not an object');
    this.#json.expectEnd();
    return {
      cik: this.#cik,
      entityName: this.#entityName,
      facts: this.#facts,
      rawConcepts: [...this.#series.values()],
      accessions: [...(this.#accessions ?? [])],
      latestFiled: this.#latestFiled,
      filedLater: this.#filedLater,
      skipped: this.#skipped.counts(),
    };
  }

  /** Calls `visit` at the value of each member; false where what comes is no object, which is then skipped. */
  #members(visit: (key: string) => void): boolean {
    const json = this.#json;
    if (!json.enterObject()) {
      json.skip();
      return false;
    }
    for (let more = json.nextKey(true); more; more = json.nextKey(false)) visit(json.text());
    return true;
  }

  #field(key: string): void {
    const json = this.#json;
    if (key === 'facts') this.#members((taxonomy) => this.#taxonomy(taxonomy));
    else if (key === 'cik' && (json.readString() || json.readBare())) this.#cik = cikOf(json.text());
    else if (key === 'entityName' && json.readString()) this.#entityName = json.text() || null;
    else json.skip();
  }

  #taxonomy(taxonomy: string): void {
    const isObject = this.#members((concept) => {
      let hasUnits = false;
      this.#members((key) => {
        if (key === 'units') hasUnits = this.#members((unit) => this.#unit({ taxonomy, concept, unit }));
        else this.#json.skip();
      });
      if (!hasUnits) this.#skipped.add('a concept without units');
    });
    if (!isObject) this.#skipped.add('a taxonomy that is not an object');
  }

  #unit(name: SeriesName): void {
    const json = this.#json;
    if (!json.enterArray()) {
      json.skip();
      this.#skipped.add('a unit without rows');
      return;
    }
    const wanted = this.#wanted(name.taxonomy, name.concept);
    let series: Writable<RawConceptCount> | null = null;
    for (let more = json.nextElement(true); more; more = json.nextElement(false)) {
      const row = wanted ? nextFact(json, name) : nextCounted(json);
      if (typeof row === 'string') this.#skipped.add(row);
      else if (row.filed > this.#filedBy) {
        this.#skipped.add('a fact filed after the release');
        if (this.#filedLater === null || row.filed > this.#filedLater) this.#filedLater = row.filed;
      } else {
        series ??= this.#seriesOf(name);
        series.factCount++;
        if (series.earliestEnd === null || row.end < series.earliestEnd) series.earliestEnd = row.end;
        if (series.latestEnd === null || row.end > series.latestEnd) series.latestEnd = row.end;
        if (this.#latestFiled === null || row.filed > this.#latestFiled) this.#latestFiled = row.filed;
        this.#accessions?.add(row.accession);
        if (wanted) this.#facts.push(row as Fact);
      }
    }
  }

  #seriesOf(name: SeriesName): Writable<RawConceptCount> {
    const key = keyOf(name);
    const series = this.#series.get(key) ?? { ...name, factCount: 0, earliestEnd: null, latestEnd: null };
    this.#series.set(key, series);
    return series;
  }
}

function keyOf({ taxonomy, concept, unit }: SeriesName): string {
  return `${taxonomy}:${concept} ${unit}`;
}
