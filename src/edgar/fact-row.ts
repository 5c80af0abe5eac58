/** Reads the rows of company facts: each is a fact, or there is a reason why it is none. */
import type { Decimal } from '../contract/decimal.ts';
import { parseDecimal } from '../contract/decimal.ts';
import type { Fact } from '../figures/types.ts';
import type { JsonBytes } from './json-bytes.ts';

/** No figure of a filing needs more: a longer one is an attack or an accident. */
const LONGEST_VALUE = 100;

/** The fields of a row, in the order in which the files write them. */
const FIELDS = ['start', 'end', 'val', 'accn', 'fy', 'fp', 'form', 'filed', 'frame'].map((field) => Buffer.from(field));
const [START, END, VAL, ACCN, FY, FP, FORM, FILED, FRAME] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

const NULL = Buffer.from('null');
const [QUOTE, DASH, DOT, ZERO, NINE] = [0x22, 0x2d, 0x2e, 0x30, 0x39];

/** What the facts of a series have in common. */
export type SeriesName = Pick<Fact, 'taxonomy' | 'concept' | 'unit'>;

/**
 * One row after another; what was read of a row is there until the next. Days and accessions are read as
 * numbers, so that a row which is only counted costs no text, and each text is made once.
 */
export class FactRows {
  readonly #json: JsonBytes;
  /** Where each field of the row stands; -1 where it is missing or null. */
  readonly #from = new Int32Array(FIELDS.length);
  readonly #to = new Int32Array(FIELDS.length);
  readonly #days = new Map<number, string>();
  /** By the number of who filed, then by year and sequence. */
  readonly #accessions = new Map<number, Map<number, string>>();
  #accession = '';
  /** Days of the row as YYYYMMDD; the start is 0 where there is none. */
  start = 0;
  end = 0;
  filed = 0;

  constructor(json: JsonBytes) {
    this.#json = json;
  }

  /** Goes over one row. Null when it is a fact, else the reason why it is none. */
  next(): string | null {
    const json = this.#json;
    if (!json.opensObject()) {
      json.skip();
      return 'a row that is not an object';
    }
    for (let field = 0; field < FIELDS.length; field++) this.#from[field] = -1;
    let field = -1;
    for (let more = json.nextKey(true); more; more = json.nextKey(false)) {
      field = this.#fieldAfter(field);
      this.#note(field);
    }
    return this.#fault();
  }

  /** The row, which is a fact. */
  fact({ taxonomy, concept, unit }: SeriesName): Fact {
    return {
      taxonomy,
      concept,
      unit,
      start: this.start === 0 ? null : this.day(this.start),
      end: this.day(this.end),
      value: this.#value() ?? '0',
      accession: this.#accession,
      form: this.#text(FORM) ?? '',
      filed: this.day(this.filed),
      frame: this.#text(FRAME),
      focusYear: this.#focusYear(),
      focusPeriod: this.#text(FP),
    };
  }

  /** A day of YYYYMMDD as text. */
  day(number: number): string {
    let text = this.#days.get(number);
    if (text === undefined) {
      const digits = String(number);
      text = `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
      this.#days.set(number, text);
    }
    return text;
  }

  /** Every filing that stated a fact so far. */
  accessions(): string[] {
    return [...this.#accessions.values()].flatMap((filings) => [...filings.values()]);
  }

  /** Which field the key is that was just read: mostly the one after the last. FIELDS.length when it is none. */
  #fieldAfter(last: number): number {
    for (let step = 1; step <= FIELDS.length; step++) {
      const field = (last + step) % FIELDS.length;
      const name = FIELDS[field];
      if (name !== undefined && this.#json.is(name)) return field;
    }
    return FIELDS.length;
  }

  #note(field: number): void {
    const json = this.#json;
    const isText = json.string();
    if (!isText && !json.bare()) {
      json.skip();
      // It is there, and it is neither a day nor a number.
      json.from = json.to;
    }
    this.#from[field] = !isText && json.is(NULL) ? -1 : json.from;
    this.#to[field] = json.to;
  }

  #fault(): string | null {
    this.end = this.#dayOf(END);
    if (this.end === 0) return 'a row without a valid end date';
    this.start = this.#dayOf(START);
    if (this.start === 0 && this.#from[START] !== -1) return 'a row with an invalid start date';
    if (this.start > this.end) return 'a row that ends before it starts';
    if (!this.#readAccession()) return 'a row without a valid accession';
    this.filed = this.#dayOf(FILED);
    if (this.filed === 0) return 'a row without a valid filing date';
    if (!this.#isText(FORM)) return 'a row without a form';
    return this.#isPlain() || this.#value() !== null ? null : 'a row without a decimal value';
  }

  /** YYYYMMDD; 0 where the field is no day. */
  #dayOf(field: number): number {
    const at = this.#textAt(field, 10);
    const { bytes } = this.#json;
    if (at === -1 || bytes[at + 4] !== DASH || bytes[at + 7] !== DASH) return 0;
    const year = digits(bytes, at, 4);
    const month = digits(bytes, at + 5, 2);
    const day = digits(bytes, at + 8, 2);
    const isDay = year >= 1900 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
    return isDay ? year * 10_000 + month * 100 + day : 0;
  }

  #readAccession(): boolean {
    const at = this.#textAt(ACCN, 20);
    const { bytes } = this.#json;
    if (at === -1 || bytes[at + 10] !== DASH || bytes[at + 13] !== DASH) return false;
    const filer = digits(bytes, at, 10);
    const number = digits(bytes, at + 11, 2) * 1_000_000 + digits(bytes, at + 14, 6);
    if (Number.isNaN(filer) || Number.isNaN(number)) return false;
    let filings = this.#accessions.get(filer);
    if (filings === undefined) {
      filings = new Map();
      this.#accessions.set(filer, filings);
    }
    let accession = filings.get(number);
    if (accession === undefined) {
      accession = bytes.toString('latin1', at, at + 20);
      filings.set(number, accession);
    }
    this.#accession = accession;
    return true;
  }

  /** Where the field stands, if it is text of this length; else -1. */
  #textAt(field: number, length: number): number {
    const from = this.#from[field] ?? -1;
    return this.#isText(field) && (this.#to[field] ?? 0) - from === length ? from : -1;
  }

  /** Whether the field is text, and not empty. */
  #isText(field: number): boolean {
    const from = this.#from[field] ?? -1;
    return from !== -1 && from < (this.#to[field] ?? 0) && this.#json.bytes[from - 1] === QUOTE;
  }

  #text(field: number): string | null {
    return this.#isText(field) ? this.#json.text(this.#from[field], this.#to[field]) : null;
  }

  #focusYear(): number | null {
    const from = this.#from[FY] ?? -1;
    if (from === -1 || this.#json.bytes[from - 1] === QUOTE) return null;
    const year = digits(this.#json.bytes, from, (this.#to[FY] ?? 0) - from);
    return Number.isNaN(year) ? null : year;
  }

  /** Digits, and perhaps a sign and a dot: what nearly all values are, told without making text. */
  #isPlain(): boolean {
    const { bytes } = this.#json;
    const to = this.#to[VAL] ?? 0;
    let at = this.#from[VAL] ?? -1;
    if (at === -1 || to - at > LONGEST_VALUE) return false;
    if (bytes[at] === DASH) at++;
    const whole = digitsFrom(bytes, at, to);
    if (whole === at || (whole > at + 1 && bytes[at] === ZERO)) return false;
    if (whole === to) return true;
    return bytes[whole] === DOT && whole + 1 < to && digitsFrom(bytes, whole + 1, to) === to;
  }

  #value(): Decimal | null {
    const from = this.#from[VAL] ?? -1;
    const to = this.#to[VAL] ?? 0;
    if (from === -1 || to - from > LONGEST_VALUE) return null;
    const text = this.#json.text(from, to);
    if (text !== '-0' && this.#isPlain()) return text;
    const decimal = parseDecimal(text);
    return decimal === null || decimal.length > LONGEST_VALUE ? null : decimal;
  }
}

/** The number that `count` digits write; NaN, which passes no comparison, where one of them is no digit. */
function digits(bytes: Uint8Array, from: number, count: number): number {
  let number = 0;
  for (let at = from; at < from + count; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < ZERO || byte > NINE) return Number.NaN;
    number = number * 10 + byte - ZERO;
  }
  return number;
}

/** Where the digits that begin at `from` end. */
function digitsFrom(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  for (let byte = bytes[at] ?? 0; at < to && byte >= ZERO && byte <= NINE; byte = bytes[at] ?? 0) at++;
  return at;
}
