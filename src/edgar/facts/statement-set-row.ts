/** Reads one row of a set's figures: digits without the set's padding, dates without its rounding. */
import type { Decimal } from '../../contract/decimal-text.ts';
import { parseDecimal } from '../../contract/decimal-text.ts';
import { parseDay } from '../files/parse-day.ts';
import type { Dimension } from '../reports/tagged-report.ts';

export interface StatementSetFact {
  /** prefix:Name. */
  readonly concept: string;
  readonly unit: string;
  readonly value: Decimal;
  readonly decimals: number | null;
  /** Axes and members as the set cuts them: without prefix, Axis and Member. */
  readonly dimensions: readonly Dimension[];
  /** The end, rounded to the end of a month. */
  readonly roundedEnd: string;
  /** The length, rounded to quarters; 0 for an instant. */
  readonly quarters: number;
  /** The dates as filed, where the set has kept what the rounding took; the start of an instant is null. */
  readonly exact: { readonly start: string | null; readonly end: string } | null;
}

export interface SetRow {
  readonly tag: string;
  readonly version: string;
  readonly ddate: string;
  readonly qtrs: string;
  readonly uom: string;
  readonly value: string;
  readonly durp: string;
  readonly datp: string;
  readonly dcml: string;
}

const DAYS_PER_QUARTER = 91.25;
const MS_PER_DAY = 86_400_000;
const EXACT = '32767';

/** The fact, or the reason why the row is none. The filer's own concepts get `prefix`. */
export function readSetFact(row: SetRow, dimensions: readonly Dimension[], prefix: string): StatementSetFact | string {
  if (row.value === '') return 'a figure without a value (nil)';
  const value = row.value.length > 100 ? null : readValue(row.value, row.dcml);
  if (value === null) return 'a figure that is no number';
  const roundedEnd = parseDay(row.ddate);
  const quarters = /^\d{1,3}$/.test(row.qtrs) ? Number(row.qtrs) : null;
  if (roundedEnd === null || quarters === null) return 'a figure without a period';
  return {
    concept: `${prefixOf(row.version, prefix)}:${row.tag}`,
    unit: row.uom,
    value,
    decimals: row.dcml === '' || row.dcml === EXACT || !/^-?\d{1,3}$/.test(row.dcml) ? null : Number(row.dcml),
    dimensions,
    roundedEnd,
    quarters,
    exact: exactDates(roundedEnd, quarters, row.durp, row.datp),
  };
}

/** Reads `EquityComponents=CommonStock;LegalEntity=X;`. An axis without a member is a typed dimension. */
export function readDimensions(segments: string): readonly Dimension[] {
  return segments
    .split(';')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [axis = '', member = ''] = part.split('=');
      return { axis: axis.trim(), member: member.trim() === '' ? null : member.trim() };
    })
    .sort((a, b) => (a.axis < b.axis ? -1 : 1));
}

/** Sets pad figures to four decimals; `dcml` says how many of them the filer wrote. */
function readValue(text: string, dcml: string): Decimal | null {
  const value = parseDecimal(text);
  if (value === null || !value.includes('.')) return value;
  const bare = value.replace(/\.?0+$/, '');
  const places = /^[1-4]$/.test(dcml) ? Number(dcml) : 0;
  const [whole = '', fraction = ''] = (bare === '-' || bare === '-0' ? '0' : bare).split('.');
  const padded = fraction.padEnd(places, '0');
  return padded === '' ? whole : `${whole}.${padded}`;
}

function prefixOf(version: string, custom: string): string {
  const taxonomy = /^([a-z][a-z-]*)\/\d{4}/i.exec(version)?.[1]?.toLowerCase();
  return taxonomy === undefined ? custom : taxonomy === 'ifrs' ? 'ifrs-full' : taxonomy;
}

/** `datp` is by how many days the end was moved, `durp` by what part of a quarter the length was cut. */
function exactDates(
  roundedEnd: string,
  quarters: number,
  durp: string,
  datp: string,
): { start: string | null; end: string } | null {
  if (durp === '' || datp === '') return null;
  const [lost, moved] = [Number(durp), Number(datp)];
  if (!Number.isFinite(lost) || !Number.isFinite(moved) || Math.abs(moved) > 31) return null;
  const end = Date.parse(`${roundedEnd}T00:00:00Z`) - Math.round(moved) * MS_PER_DAY;
  const days = Math.round((quarters - lost) * DAYS_PER_QUARTER);
  const text = (time: number) => new Date(time).toISOString().slice(0, 10);
  return { start: quarters === 0 ? null : text(end - days * MS_PER_DAY), end: text(end) };
}
