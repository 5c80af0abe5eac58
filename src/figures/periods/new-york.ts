/**
 * New York time, which EDGAR and the exchange use.
 *
 * No time between midnight and six in the morning is converted, so one offset serves for a whole day: the clocks change
 * at two on a Sunday.
 */
import { addDays } from '../../platform/dates.ts';

/** YYYY-MM-DDTHH:MM:SS in New York. */
export type WallTime = string;

const offsets = new Map<string, string>();
let zone: Intl.DateTimeFormat | undefined;

/** The offset from UTC on the day, as -05:00. */
export function offsetOn(day: string): string {
  const known = offsets.get(day);
  if (known !== undefined) return known;
  zone ??= new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', timeZoneName: 'longOffset' });
  const parts = zone.formatToParts(new Date(`${day}T16:00:00Z`));
  const name = parts.find((part) => part.type === 'timeZoneName');
  if (name === undefined) throw new RangeError('no offset of New York: this Node has no time zones');
  const offset = name.value.replace('GMT', '');
  offsets.set(day, offset);
  return offset;
}

/** The moment, with its offset: 2026-03-06T16:11:25-05:00. */
export function instantOf(wall: WallTime): string {
  return `${wall}${offsetOn(wall.slice(0, 10))}`;
}

/** Days that every month has: the conversion changes only the hours. */
const PLAIN = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;

/** New York time of a moment in UTC (YYYY-MM-DDTHH:MM:SS); null where there is no such moment. */
export function wallTimeOf(utc: string): WallTime | null {
  const hour = Number(utc.slice(11, 13));
  if (hour >= 5 && PLAIN.test(utc)) {
    // Without a Date, which takes ten times as long: this is called for every filing.
    const wall = hour + Number(offsetOn(utc.slice(0, 10)).slice(0, 3));
    return `${utc.slice(0, 11)}${wall < 10 ? '0' : ''}${wall}${utc.slice(13)}`;
  }
  const time = Date.parse(`${utc}Z`);
  if (Number.isNaN(time)) return null;
  // New York's day is UTC's, or the one before.
  const hours = Number(offsetOn(hour < 5 ? addDays(utc.slice(0, 10), -1) : utc.slice(0, 10)).slice(0, 3));
  return new Date(time + hours * 3_600_000).toISOString().slice(0, 19);
}
