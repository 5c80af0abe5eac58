/** Reads the rows of a company facts file. Each row is returned as a fact, or as the reason for skipping it. */

import { type Decimal, parseDecimal } from '../../contract/decimal-text.ts';
import { isDay } from '../../contract/identifiers.ts';
import { type JsonObject, toNonEmptyText } from '../../platform/json-object.ts';
import type { JsonReader } from '../files/json-reader.ts';

/** The kind of file that contains a report. */
export type ReportKind = 'inline' | 'instance' | 'data_set';

/**
 * The kind of file from which a fact was read, if the fact is not from company facts. `data_set_inferred_dates`: the
 * data set states the period rounded to months, and its days are inferred.
 */
export type FactSource = ReportKind | 'data_set_inferred_dates';

/** Whether the days of the fact's period are inferred from rounded dates, and may be up to a few days off. */
export const hasInferredDates = ({ source }: { readonly source?: string | null }): boolean =>
  source === 'data_set_inferred_dates';

/** One axis and member of a fact. The member of a typed dimension is null. */
export interface Dimension {
  /** Axis as prefix:Name, or in the short form of data sets: `BusinessSegments`. */
  readonly axis: string;
  readonly member: string | null;
}

/** One consolidated fact without dimensions from one filing. Dates are YYYY-MM-DD, both ends inclusive. */
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
  /**
   * Fiscal year focus of the filing, even for figures of earlier years: figures of 2022 in the 10-K for 2023 have 2023.
   */
  readonly focusYear: number | null;
  readonly focusPeriod: string | null;
  /** Share counts of the classes on a cover page, as `formatClassCounts` writes them. The value is their sum. */
  readonly classCounts?: string;
  /** Missing for facts from company facts. */
  readonly source?: FactSource;
}

/** The fields that identify a series, which is all facts of one concept in one unit. */
export type FactSeries = Pick<Fact, 'taxonomy' | 'concept' | 'unit'>;
type FactWithoutSeries = Omit<Fact, keyof FactSeries>;

/** Maximum number of characters of a value; no reported figure is longer. */
const MAX_VALUE_LENGTH = 100;

const END_BEFORE_START_REASON = 'a fact whose period ends before it starts';
const YEAR_PATTERN = '(?:19|[2-9]\\d)\\d\\d';
/** Any month and day except February 29, which is not in every year. */
const MONTH_DAY = '(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)';
const DATE_PATTERN = `${YEAR_PATTERN}-${MONTH_DAY}`;
const ACCESSION_PATTERN = '\\d{10}-\\d{2}-\\d{6}';
const MIN_YEAR = '1900';
const ACCESSION_REGEXP = new RegExp(`^${ACCESSION_PATTERN}$`);
/** A JSON number without an exponent, shorter than MAX_VALUE_LENGTH. */
const NUMBER_PATTERN = '-?(?:0|[1-9]\\d{0,60})(?:\\.\\d{1,30})?';

/**
 * Builds the pattern of a whole row, with the fields in the order used by the files. One match is several times faster
 * than parsing byte by byte. A space in `fields` matches optional white space.
 * @param wrapGroup puts a field into a group: a capturing group to read the field, a non-capturing group to skip it
 */
function buildRowRegExp(wrapGroup: (field: string) => string): RegExp {
  const fields = [
    `(?:"start": "(${DATE_PATTERN})", )?"end": "(${DATE_PATTERN})", "val": ${wrapGroup(NUMBER_PATTERN)}, "accn": "(${ACCESSION_PATTERN})", `,
    `"fy": (?:${wrapGroup('\\d{1,4}')}|null), "fp": (?:"${wrapGroup('\\w*')}"|null), "form": "([\\w/-]+(?:\\x20[\\w/-]+)*)", `,
    `"filed": "(${DATE_PATTERN})"(?:, "frame": "${wrapGroup('\\w*')}")?`,
  ];
  return new RegExp(`\\{ ${fields.join('')} \\}`.replaceAll(' ', '\\s*'), 'y');
}

const CAPTURING_ROW_REGEXP = buildRowRegExp((field) => `(${field})`);
const NON_CAPTURING_ROW_REGEXP = buildRowRegExp((field) => `(?:${field})`);
const NUMBER_START_PATTERN = /^-?\d/;

/** The end of a fact's period, and the filing that reports the fact. */
type FactFilingRow = Pick<FactWithoutSeries, 'end' | 'accession' | 'form' | 'filed'>;

/** Reads the next row. Returns the fact, or the reason for skipping the row. */
export function readNextFact(json: JsonReader, { taxonomy, concept, unit }: FactSeries): Fact | string {
  const match = json.match(CAPTURING_ROW_REGEXP);
  if (match === null) {
    const row = parseRow(json);
    return typeof row === 'string' ? row : { taxonomy, concept, unit, ...row };
  }
  const { 1: start = null, 2: end = '', 3: val = '', 4: accession = '', 5: fy, 6: fp, 7: form = '' } = match;
  if (start !== null && start > end) return END_BEFORE_START_REASON;
  const value = val === '-0' ? '0' : val;
  const filed = match[8] ?? '';
  const frame = match[9] || null;
  const focusYear = fy === undefined ? null : Number(fy);
  const focusPeriod = fp || null;
  // Fields are listed explicitly, because spreading takes ten times as long.
  return { taxonomy, concept, unit, start, end, value, accession, form, filed, frame, focusYear, focusPeriod };
}

/** Reads only the fields needed to count facts, which creates half as many strings as `readNextFact`. */
export function readNextFactFiling(json: JsonReader): FactFilingRow | string {
  const match = json.match(NON_CAPTURING_ROW_REGEXP);
  if (match === null) return parseRow(json);
  const { 1: start, 2: end = '', 3: accession = '', 4: form = '', 5: filed = '' } = match;
  return start !== undefined && start > end ? END_BEFORE_START_REASON : { end, accession, form, filed };
}

/** Parses a row that the pattern does not match, for example with escaped keys. Keeps all digits of the value. */
function parseRow(json: JsonReader): FactWithoutSeries | string {
  const row = new Map<string, unknown>();
  const isObject = json.visitMembers((key) => {
    if (json.readString()) row.set(key, json.getText());
    else {
      const rawText = json.readRaw();
      row.set(key, key === 'val' && NUMBER_START_PATTERN.test(rawText) ? rawText : JSON.parse(rawText));
    }
  });
  return isObject ? convertRow(Object.fromEntries(row)) : 'a fact that is not a JSON object';
}

function convertRow(row: JsonObject): FactWithoutSeries | string {
  const { end, accn: accession, filed, form } = row;
  if (!isFactDay(end)) return 'a fact without a valid end date';
  const start = row.start ?? null;
  if (start !== null && !isFactDay(start)) return 'a fact with an invalid start date';
  if (start !== null && start > end) return END_BEFORE_START_REASON;
  if (typeof accession !== 'string' || !ACCESSION_REGEXP.test(accession))
    return 'a fact without a valid accession number';
  if (!isFactDay(filed)) return 'a fact without a valid filing date';
  if (typeof form !== 'string' || form === '') return 'a fact without a form type';
  const value = readValue(row.val);
  if (value === null) return 'a fact whose value is not a number';
  const frame = toNonEmptyText(row.frame);
  const focusYear = typeof row.fy === 'number' && Number.isInteger(row.fy) ? row.fy : null;
  return { start, end, value, accession, form, filed, frame, focusYear, focusPeriod: toNonEmptyText(row.fp) };
}

const isFactDay = (value: unknown): value is string => typeof value === 'string' && value >= MIN_YEAR && isDay(value);

const PLAIN_DECIMAL_PATTERN = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

function readValue(value: unknown): Decimal | null {
  if (typeof value !== 'string' || value.length > MAX_VALUE_LENGTH) return null;
  if (PLAIN_DECIMAL_PATTERN.test(value)) return value === '-0' ? '0' : value;
  const decimal = parseDecimal(value);
  return decimal === null || decimal.length > MAX_VALUE_LENGTH ? null : decimal;
}

/** Returns the same key for facts of one filing with the same concept, unit and dates. */
export const makeFactKey = ({ accession, taxonomy, concept, unit, start, end }: Fact): string =>
  `${accession} ${taxonomy} ${concept} ${unit} ${start} ${end}`;

/** The number of shares of a class on a cover page. Facts and releases keep the classes of a cover as one text. */
export interface ClassCount {
  /**
   * The class as filed, such as us-gaap:CommonClassAMember; null for a count without dimensions, which is the
   * company's.
   */
  readonly member: string | null;
  readonly shares: Decimal;
}

/** Returns the counts of several classes as `member=count`, separated by spaces. */
export const formatClassCounts = (counts: readonly ClassCount[]): string =>
  counts.map(({ member, shares }) => `${member}=${shares}`).join(' ');

/** Reads a text of `formatClassCounts`. */
export const parseClassCounts = (text: string): ClassCount[] =>
  text.split(' ').map((count) => {
    const end = count.lastIndexOf('=');
    return { member: count.slice(0, end), shares: count.slice(end + 1) };
  });
