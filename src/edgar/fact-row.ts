/** Reads the rows of company facts: each is a fact, or there is a reason why it is none. */
import type { Decimal } from '../contract/decimal.ts';
import { parseDecimal } from '../contract/decimal.ts';
import type { Fact } from '../figures/types.ts';
import { isObject, textOf } from './json.ts';
import type { JsonBytes } from './json-bytes.ts';

/** What the facts of a series have in common. */
export type SeriesName = Pick<Fact, 'taxonomy' | 'concept' | 'unit'>;
/** What is a row's own. */
export type Row = Omit<Fact, keyof SeriesName>;

/** No figure of a filing needs more: a longer one is an attack or an accident. */
const LONGEST_VALUE = 100;

const YYYY_MM_DD = '(?:19|[2-9]\\d)\\d\\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])';
const NUMBER = '-?(?:0|[1-9]\\d*)(?:\\.\\d+)?';
const NUMBERED = '\\d{10}-\\d{2}-\\d{6}';
const DAY = new RegExp(`^${YYYY_MM_DD}$`);
const ACCESSION = new RegExp(`^${NUMBERED}$`);
/** The fields of a good row, in the order in which the files write them; a blank is any white space, or none. */
const FIELDS = [
  `(?:"start": "(${YYYY_MM_DD})", )?"end": "(${YYYY_MM_DD})", "val": (${NUMBER}), "accn": "(${NUMBERED})", `,
  `"fy": (?:(\\d{1,4})|null), "fp": (?:"(\\w*)"|null), "form": "([\\w/-]+(?:\\x20[\\w/-]+)*)", "filed": "(${YYYY_MM_DD})"`,
  `(?:, "frame": "(\\w*)")?`,
];
/** One search finds and checks a whole row: faster than any scanner of ours that goes byte by byte. */
const USUAL = new RegExp(`\\{ ${FIELDS.join('')} \\}`.replaceAll(' ', '\\s*'), 'y');
/** It cannot match inside a string: there the quote before the colon would be escaped. */
const FIGURE = /"val"\s*:\s*(-?\d[^,}\]\s]*)/g;

/** The row that comes next, or the reason why it is no fact. */
export function nextRow(json: JsonBytes): Row | string {
  const match = json.match(USUAL);
  if (match === null) return readRow(JSON.parse(json.raw().replace(FIGURE, '"val":"$1"')));
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
  if (start !== null && start > end) return 'a row that ends before it starts';
  const value = readValue(val);
  if (value === null) return 'a row without a decimal value';
  const focusYear = fy === undefined ? null : Number(fy);
  return { start, end, value, accession, form, filed, frame: frame || null, focusYear, focusPeriod: fp || null };
}

/** A row written in any other way. Its figure comes as text, so that no digit is lost. */
function readRow(row: unknown): Row | string {
  if (!isObject(row)) return 'a row that is not an object';
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

function isDay(value: unknown): value is string {
  return typeof value === 'string' && DAY.test(value);
}

const PLAIN = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

function readValue(value: unknown): Decimal | null {
  if (typeof value !== 'string' || value.length > LONGEST_VALUE) return null;
  if (PLAIN.test(value)) return value === '-0' ? '0' : value;
  const decimal = parseDecimal(value);
  return decimal === null || decimal.length > LONGEST_VALUE ? null : decimal;
}
