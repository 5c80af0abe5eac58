/** A member's label: the filer's own, else one made from its name. */
import { shortName } from './axes.ts';

const REGIONS = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** Members like `us-gaap:NonUsMember`, whose names make poor labels. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['NonUs', 'Non-US'],
  ['EMEA', 'EMEA'],
  ['AllOtherSegments', 'All Other'],
  ['ProductAndServiceOther', 'Other'],
  ['ServiceOther', 'Service and Other'],
]);

export function memberLabel(member: string, filed: ReadonlyMap<string, string>): string {
  const name = shortName(member);
  // The taxonomy of countries labels them in capitals.
  const country = countryOf(member, name);
  if (country !== null) return country;
  const label = filed.get(member);
  if (label !== undefined && label !== '') return label;
  return NAMES.get(name) ?? spaced(name.replace(/(?<=.)Segment$/, ''));
}

/** A country by its code: in the taxonomy of countries, or alone in a data set. */
function countryOf(member: string, name: string): string | null {
  if (!/^[A-Z]{2}$/.test(name) || (member.includes(':') && !member.startsWith('country:'))) return null;
  return REGIONS.of(name) ?? null;
}

/** `RestOfAsiaPacific` becomes Rest of Asia Pacific; a single capital stays with its word, as in IPhone. */
function spaced(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]{2,})([A-Z][a-z])/g, '$1 $2')
    .replace(/ (?:And|Of|The|For|In|To|From|Or|Excluding|Including)(?= )/g, (word) => word.toLowerCase())
    .trim();
}
