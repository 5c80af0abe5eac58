/**
 * Reads a filing's label linkbase, in which arcs connect the locator of a concept to its labels. The standard label
 * is preferred, then the terse one, then the verbose one.
 */
import { SaxesParser } from 'saxes';
import { XmlError } from '../files/xml.ts';

const MAX_LABELS = 200_000;
const MAX_DEPTH = 64;
const MAX_LABEL_LENGTH = 500;
const ROLES: readonly string[] = [
  'http://www.xbrl.org/2003/role/label',
  'http://www.xbrl.org/2003/role/terseLabel',
  'http://www.xbrl.org/2003/role/verboseLabel',
];

interface Label {
  readonly rank: number;
  text: string;
}

/** Returns labels by prefix:Name. Throws XmlError if the text is not well-formed or exceeds the bounds. */
export function readLabels(bytes: Buffer): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const labels = new Map<string, Label>();
  const arcs: (readonly [from: string, to: string])[] = [];
  const parser = new SaxesParser({ xmlns: false, position: false });
  let depth = 0;
  let open: Label | null = null;
  parser.on('error', (cause) => {
    throw new XmlError(cause.message);
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    if (depth > MAX_DEPTH) throw new XmlError(`its elements are nested more than ${MAX_DEPTH} levels deep`);
    if (arcs.length + names.size + labels.size > MAX_LABELS)
      throw new XmlError(`it has more than ${MAX_LABELS} labels`);
    const at = (attribute: string) => attributes[`xlink:${attribute}`] ?? '';
    if (name.endsWith('loc')) names.set(at('label'), nameOf(at('href')));
    else if (name.endsWith('labelArc')) arcs.push([at('from'), at('to')]);
    else if (name.endsWith('label')) {
      const rank = ROLES.indexOf(at('role'));
      const known = labels.get(at('label'));
      open = rank < 0 || (known !== undefined && known.rank <= rank) ? null : { rank, text: '' };
      if (open !== null) labels.set(at('label'), open);
    }
  });
  parser.on('text', (text) => {
    if (open !== null && open.text.length < MAX_LABEL_LENGTH) open.text += text;
  });
  parser.on('closetag', () => {
    depth -= 1;
    open = null;
  });
  parser.write(bytes.toString('utf8').trimStart()).close();

  const best = new Map<string, Label>();
  for (const [from, to] of arcs) {
    const name = names.get(from);
    const label = labels.get(to);
    if (name === undefined || label === undefined) continue;
    const known = best.get(name);
    if (known === undefined || label.rank < known.rank) best.set(name, label);
  }
  return new Map([...best].map(([name, { text }]) => [name, tidy(text)]));
}

/** `aapl-20230930.xsd#aapl_IPhoneMember` is aapl:IPhoneMember. */
function nameOf(href: string): string {
  const id = href.slice(href.indexOf('#') + 1);
  const cut = id.indexOf('_');
  return cut < 0 ? id : `${id.slice(0, cut)}:${id.slice(cut + 1)}`;
}

/** Removes a suffix such as that of "iPhone [Member]". */
function tidy(label: string): string {
  return label
    .replace(/\s*\[(?:Member|Domain|Axis|Table|Line Items|Abstract)\]\s*$/i, '')
    .replace(/\s+/g, ' ')
    .trim();
}
