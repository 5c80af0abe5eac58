/**
 * Reads a filing's label linkbase, in which arcs connect locators of concepts with labels. If a concept has several
 * labels, the standard label is used, otherwise the terse one, otherwise the verbose one.
 */
import { parseXml, type XmlElement } from '../files/xml.ts';

const LINKBASE_BOUNDS = { maxCharacters: 128 * 1024 * 1024, maxDepth: 64, maxElements: 400_000 };
const MAX_LABEL_LENGTH = 500;
const LABEL_ROLES: readonly string[] = [
  'http://www.xbrl.org/2003/role/label',
  'http://www.xbrl.org/2003/role/terseLabel',
  'http://www.xbrl.org/2003/role/verboseLabel',
];

interface Label {
  readonly rank: number;
  readonly text: string;
}

/** Returns the labels by prefix:Name. Throws XmlError if the XML is malformed or exceeds the limits. */
export function readLabels(bytes: Buffer): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const labelByXlinkLabel = new Map<string, Label>();
  const arcs: (readonly [from: string, to: string])[] = [];
  const take = ({ name, attributes, text }: XmlElement): boolean => {
    const { label = '', href = '', from = '', to = '', role = '' } = attributes;
    if (name === 'loc') names.set(label, parseConceptName(href));
    else if (name === 'labelArc') arcs.push([from, to]);
    else if (name === 'label') {
      const rank = LABEL_ROLES.indexOf(role);
      const otherLabel = labelByXlinkLabel.get(label);
      if (rank >= 0 && (otherLabel === undefined || rank < otherLabel.rank))
        labelByXlinkLabel.set(label, { rank, text: text.slice(0, MAX_LABEL_LENGTH) });
    } else return false;
    return true;
  };
  parseXml(bytes.toString('utf8'), take, LINKBASE_BOUNDS);
  const labels = new Map<string, Label>();
  for (const [from, to] of arcs) {
    const name = names.get(from);
    const label = labelByXlinkLabel.get(to);
    if (name === undefined || label === undefined) continue;
    const otherLabel = labels.get(name);
    if (otherLabel === undefined || label.rank < otherLabel.rank) labels.set(name, label);
  }
  return new Map([...labels].map(([name, { text }]) => [name, cleanLabel(text)]));
}

/** Returns the concept of a locator: aapl:IPhoneMember for `aapl-20230930.xsd#aapl_IPhoneMember`. */
function parseConceptName(href: string): string {
  const id = href.slice(href.indexOf('#') + 1);
  const end = id.indexOf('_');
  return end < 0 ? id : `${id.slice(0, end)}:${id.slice(end + 1)}`;
}

/** Removes suffixes such as "[Member]" in "iPhone [Member]". */
const cleanLabel = (label: string): string =>
  label
    .replace(/\s*\[(?:Member|Domain|Axis|Table|Line Items|Abstract)\]\s*$/i, '')
    .replace(/\s+/g, ' ')
    .trim();
