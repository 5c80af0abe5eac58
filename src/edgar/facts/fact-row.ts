/** Reads the rows of company facts: each is a fact, or the reason why it is skipped. */
import type { Decimal } from '../../contract/decimal-text.ts';
import { parseDecimal } from '../../contract/decimal-text.ts';
import { isDay } from '../../contract/identifiers.ts';
import { type JsonObject, textOf } from '../../platform/json-object.ts';
import type { JsonReader } from '../files/json-reader.ts';

/** The kind of public file that a fact was read from, other than company facts. */
export type FactSource = 'inline' | 'instance' | 'data_set';

/** One axis and member of a fact. The member of a typed dimension is null. */
export interface Dimension {
  /** prefix:Name, or abbreviated as in a data set: `BusinessSegments`. */
  readonly axis: string;
  readonly member: string | null;
}

/** One consolidated fact without dimensions, as one filing stated it. Dates are YYYY-MM-DD, both ends inclusive. */
export interface Fact {
  readonly taxonomy: string;
  readonly concept: string;
  readonly unit: string;
  readonly start: string | null;
  readonly end: string;
  /** The digits as filed. */
  readonly value: Decimal;
  readonly accession: string;
  readonly form: string;
  readonly filed: string;
  readonly frame: string | null;
  /** The fiscal focus of the filing, not of the fact: a comparative has that of the filing that repeats it. */
  readonly focusYear: number | null;
  readonly focusPeriod: string | null;
  /** For a share count that a cover states by class: a list of `member=count`, with their sum in `value`. */
  readonly classCounts?: string;
  /** Absent for company facts. */
  readonly source?: FactSource;
}

/** The fields that all facts of one concept and unit share. */
export type SeriesName = Pick<Fact, 'taxonomy' | 'concept' | 'unit'>;
type Row = Omit<Fact, keyof SeriesName>;

/** Maximum number of characters of a value; no reported figure is longer. */
const MAX_VALUE_LENGTH = 100;

const ENDS_BEFORE = 'a fact that ends before it starts';
const YEAR = '(?:19|[2-9]\\d)\\d\\d';
/** A month and day that every year has; February 29 needs the calendar. */
const MONTH_DAY = '(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)';
const YYYY_MM_DD = `${YEAR}-${MONTH_DAY}`;
const NUMBERED = '\\d{10}-\\d{2}-\\d{6}';
const FIRST_YEAR = '1900';
const ACCESSION = new RegExp(`^${NUMBERED}$`);
/** Shorter than MAX_VALUE_LENGTH. */
const NUMBER = '-?(?:0|[1-9]\\d{0,60})(?:\\.\\d{1,30})?';

/**
 * One match finds and checks a whole row, several times faster than reading byte by byte. Fields are in the order in
 * which the files have them; a space in the pattern matches optional white space.
 * @param own wraps the fields that only a kept row needs, in a capturing group or not
 */
function rowPattern(own: (field: string) => string): RegExp {
  const fields = [
    `(?:"start": "(${YYYY_MM_DD})", )?"end": "(${YYYY_MM_DD})", "val": ${own(NUMBER)}, "accn": "(${NUMBERED})", `,
    `"fy": (?:${own('\\d{1,4}')}|null), "fp": (?:"${own('\\w*')}"|null), "form": "([\\w/-]+(?:\\x20[\\w/-]+)*)", `,
    `"filed": "(${YYYY_MM_DD})"(?:, "frame": "${own('\\w*')}")?`,
  ];
  return new RegExp(`\\{ ${fields.join('')} \\}`.replaceAll(' ', '\\s*'), 'y');
}

const USUAL = rowPattern((field) => `(${field})`);
const COUNTED = rowPattern((field) => `(?:${field})`);
const FIGURE = /^-?\d/;

export type CountedRow = Pick<Row, 'end' | 'accession' | 'form' | 'filed'>;

/** Reads the next row: the fact, or the reason why it is skipped. */
export function nextFact(json: JsonReader, { taxonomy, concept, unit }: SeriesName): Fact | string {
  const match = json.match(USUAL);
  if (match === null) {
    const row = parsedRow(json);
    return typeof row === 'string' ? row : { taxonomy, concept, unit, ...row };
  }
  const {
    1: start = null,
    2: end = '',
    3: val = '',
    4: accession = '',
    5: fy,
    6: fp,
    7: form = '',
    8: filed = '',
    9: frame,
  } = match;
  if (start !== null && start > end) return ENDS_BEFORE;
  const value = val === '-0' ? '0' : val;
  const focusYear = fy === undefined ? null : Number(fy);
  // Written out, because spreading takes ten times as long.
  return {
    taxonomy,
    concept,
    unit,
    start,
    end,
    value,
    accession,
    form,
    filed,
    frame: frame || null,
    focusYear,
    focusPeriod: fp || null,
  };
}

/** Reads only the fields that counting needs, which creates half as many strings. */
export function nextCounted(json: JsonReader): CountedRow | string {
  const match = json.match(COUNTED);
  if (match === null) return parsedRow(json);
  const { 1: start, 2: end = '', 3: accession = '', 4: form = '', 5: filed = '' } = match;
  return start !== undefined && start > end ? ENDS_BEFORE : { end, accession, form, filed };
}

/** Reads a row in any other notation, such as with escaped keys; reads the figure as text to keep all digits. */
function parsedRow(json: JsonReader): Row | string {
  if (!json.enterObject()) {
    json.skip();
    return 'a fact that is not a JSON object';
  }
  const row = new Map<string, unknown>();
  for (let more = json.nextKey(true); more; more = json.nextKey(false)) {
    const key = json.text();
    if (json.readString()) row.set(key, json.text());
    else {
      const raw = json.raw();
      row.set(key, key === 'val' && FIGURE.test(raw) ? raw : JSON.parse(raw));
    }
  }
  return readRow(Object.fromEntries(row));
}

function readRow(row: JsonObject): Row | string {
  const { end, accn, filed, form } = row;
  if (!isFactDay(end)) return 'a fact without a valid end date';
  const start = row.start ?? null;
  if (start !== null && !isFactDay(start)) return 'a fact with an invalid start date';
  if (start !== null && start > end) return ENDS_BEFORE;
  if (typeof accn !== 'string' || !ACCESSION.test(accn)) return 'a fact without a valid accession number';
  if (!isFactDay(filed)) return 'a fact without a valid filing date';
  if (typeof form !== 'string' || form === '') return 'a fact without a form type';
  const value = readValue(row.val);
  if (value === null) return 'a fact whose value is not a number';
  return {
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

function isFactDay(value: unknown): value is string {
  return typeof value === 'string' && value >= FIRST_YEAR && isDay(value);
}

const PLAIN = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

function readValue(value: unknown): Decimal | null {
  if (typeof value !== 'string' || value.length > MAX_VALUE_LENGTH) return null;
  if (PLAIN.test(value)) return value === '-0' ? '0' : value;
  const decimal = parseDecimal(value);
  return decimal === null || decimal.length > MAX_VALUE_LENGTH ? null : decimal;
}
