/**
 * Reads a filing's label linkbase, in which arcs connect locators of concepts with labels. If a concept has several
 * labels, the standard label is used, otherwise the terse one, otherwise the verbose one.
 */
import { SaxesParser } from 'saxes';
import { XmlError } from '../files/xml.ts';

const MAX_LINKBASE_ELEMENTS = 200_000;
const MAX_DEPTH = 64;
const MAX_LABEL_LENGTH = 500;
const LABEL_ROLES: readonly string[] = [
  'http://www.xbrl.org/2003/role/label',
  'http://www.xbrl.org/2003/role/terseLabel',
  'http://www.xbrl.org/2003/role/verboseLabel',
];

interface Label {
  readonly rank: number;
  text: string;
}

/** Returns the labels by prefix:Name. Throws XmlError if the XML is malformed or exceeds the limits. */
export function readLabels(bytes: Buffer): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const labelByXlinkLabel = new Map<string, Label>();
  const arcs: (readonly [from: string, to: string])[] = [];
  const parser = new SaxesParser({ xmlns: false, position: false });
  let depth = 0;
  let currentLabel: Label | null = null;
  parser.on('error', (cause) => {
    throw new XmlError(cause.message);
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    if (depth > MAX_DEPTH) throw new XmlError(`its elements are nested more than ${MAX_DEPTH} levels deep`);
    if (arcs.length + names.size + labelByXlinkLabel.size > MAX_LINKBASE_ELEMENTS)
      throw new XmlError(`it has more than ${MAX_LINKBASE_ELEMENTS} labels, locators and arcs`);
    const readXlink = (attribute: string) => attributes[`xlink:${attribute}`] ?? '';
    if (name.endsWith('loc')) names.set(readXlink('label'), parseConceptName(readXlink('href')));
    else if (name.endsWith('labelArc')) arcs.push([readXlink('from'), readXlink('to')]);
    else if (name.endsWith('label')) {
      const rank = LABEL_ROLES.indexOf(readXlink('role'));
      const previous = labelByXlinkLabel.get(readXlink('label'));
      currentLabel = rank < 0 || (previous !== undefined && previous.rank <= rank) ? null : { rank, text: '' };
      if (currentLabel !== null) labelByXlinkLabel.set(readXlink('label'), currentLabel);
    }
  });
  parser.on('text', (text) => {
    // Cut here, because a single text may be as long as the file.
    if (currentLabel !== null) currentLabel.text = (currentLabel.text + text).slice(0, MAX_LABEL_LENGTH);
  });
  parser.on('closetag', () => {
    depth -= 1;
    currentLabel = null;
  });
  parser.write(bytes.toString('utf8').trimStart()).close();

  const labels = new Map<string, Label>();
  for (const [from, to] of arcs) {
    const name = names.get(from);
    const label = labelByXlinkLabel.get(to);
    if (name === undefined || label === undefined) continue;
    const previous = labels.get(name);
    if (previous === undefined || label.rank < previous.rank) labels.set(name, label);
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
