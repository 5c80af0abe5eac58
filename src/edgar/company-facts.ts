/** Reads one member of the company facts: every undimensioned fact a company has tagged. */
import type { Decimal } from '../contract/decimal.ts';
import { parseDecimal } from '../contract/decimal.ts';
import type { Fact } from '../figures/types.ts';
import type { JsonObject } from './json.ts';
import { cikOf, isObject, parseFigures, textOf } from './json.ts';
import { Tally } from './tally.ts';

export interface CompanyFacts {
  readonly cik: number | null;
  /** As the file says it; not to be trusted (some name a subsidiary). */
  readonly entityName: string | null;
  readonly facts: readonly Fact[];
  /** Rows that were not read, by reason. */
  readonly setAside: Readonly<Record<string, number>>;
}

/** No figure of a filing needs more: a longer one is an attack or an accident. */
const LONGEST_VALUE = 100;
const ACCESSION = /^\d{10}-\d{2}-\d{6}$/;

/** The facts of one file. Throws SyntaxError when the text is not JSON; sets a bad row aside. */
export function readCompanyFacts(text: string): CompanyFacts {
  const document = parseFigures(text);
  const tally = new Tally();
  const facts: Fact[] = [];
  if (!isObject(document)) {
    tally.add('a file that is not an object');
    return { cik: null, entityName: null, facts, setAside: tally.counts() };
  }
  const taxonomies = isObject(document.facts) ? document.facts : {};
  for (const [taxonomy, concepts] of Object.entries(taxonomies)) {
    if (!isObject(concepts)) tally.add('a taxonomy that is not an object');
    else readConcepts(taxonomy, concepts, facts, tally);
  }
  return { cik: cikOf(document.cik), entityName: textOf(document.entityName), facts, setAside: tally.counts() };
}

function readConcepts(taxonomy: string, concepts: JsonObject, facts: Fact[], tally: Tally): void {
  for (const [concept, entry] of Object.entries(concepts)) {
    if (!isObject(entry) || !isObject(entry.units)) {
      tally.add('a concept without units');
      continue;
    }
    for (const [unit, rows] of Object.entries(entry.units)) {
      if (!Array.isArray(rows)) {
        tally.add('a unit without rows');
        continue;
      }
      for (const row of rows) {
        const fact = isObject(row) ? readRow(taxonomy, concept, unit, row) : 'a row that is not an object';
        if (typeof fact === 'string') tally.add(fact);
        else facts.push(fact);
      }
    }
  }
}

/** The fact, or the reason why the row is none. */
function readRow(taxonomy: string, concept: string, unit: string, row: JsonObject): Fact | string {
  const { end, accn, filed, form } = row;
  if (!isDay(end)) return 'a row without a valid end date';
  const start = row.start ?? null;
  if (start !== null && !isDay(start)) return 'a row with an invalid start date';
  if (start !== null && start > end) return 'a row that ends before it starts';
  if (typeof accn !== 'string' || !ACCESSION.test(accn)) return 'a row without a valid accession';
  if (!isDay(filed)) return 'a row without a valid filing date';
  if (typeof form !== 'string' || form === '') return 'a row without a form';
  const value = readValue(row.val);
  if (value === null) return 'a row without a decimal value';
  return {
    taxonomy,
    concept,
    unit,
    start,
    end,
    value,
    accession: accn,
    form,
    filed,
    frame: textOf(row.frame),
    focusYear: typeof row.fy === 'number' && Number.isInteger(row.fy) ? row.fy : null,
    focusPeriod: textOf(row.fp),
  };
}

/** YYYY-MM-DD; by character, as this runs three times for each of tens of millions of rows. */
function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || value.length !== 10) return false;
  if (value.charCodeAt(4) !== DASH || value.charCodeAt(7) !== DASH) return false;
  const year = twoDigits(value, 0) * 100 + twoDigits(value, 2);
  const month = twoDigits(value, 5);
  const day = twoDigits(value, 8);
  return year >= 1900 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

const DASH = 45;

/** NaN, which passes no comparison, where a character is no digit. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

const PLAIN = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

function readValue(value: unknown): Decimal | null {
  if (typeof value !== 'string' || value.length > LONGEST_VALUE) return null;
  if (PLAIN.test(value)) return value === '-0' ? '0' : value;
  const decimal = parseDecimal(value);
  return decimal === null || decimal.length > LONGEST_VALUE ? null : decimal;
}
