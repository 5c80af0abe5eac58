/**
 * Reads untrusted XML within bounds of length, depth and number of elements. saxes expands only the five predefined
 * entities and numeric references, so a document cannot grow while it is read. Names lose their prefix: the forms read
 * with this are unambiguous by local names alone.
 */
import { SaxesParser } from 'saxes';

export class XmlError extends Error {
  override readonly name = 'XmlError';
}

export interface XmlElement {
  /** The local name. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Its own text, without that of its children, and trimmed. */
  readonly text: string;
}

export interface XmlBounds {
  readonly characters: number;
  readonly depth: number;
  readonly elements: number;
}

/** The longest 13F information table filed so far has about 40 MB. */
const BOUNDS: XmlBounds = { characters: 128 * 1024 * 1024, depth: 64, elements: 4_000_000 };

interface Open {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: XmlElement[];
  text: string;
}

/**
 * The document as a tree. An element for which `take` returns true is not kept, so a long list is never held whole.
 * Throws XmlError on text that is not well-formed or exceeds the bounds.
 */
export function parseXml(
  text: string,
  take: (element: XmlElement) => boolean = () => false,
  bounds: XmlBounds = BOUNDS,
): XmlElement {
  if (text.length > bounds.characters) throw new XmlError(`${text.length} characters are more than are read`);
  const parser = new SaxesParser();
  const open: Open[] = [];
  let root: XmlElement | null = null;
  let count = 0;
  parser.on('error', (cause) => {
    throw new XmlError(cause.message);
  });
  parser.on('opentag', ({ name, attributes }) => {
    count += 1;
    if (count > bounds.elements) throw new XmlError(`more than ${bounds.elements} elements`);
    if (open.length >= bounds.depth) throw new XmlError(`elements are nested more than ${bounds.depth} deep`);
    open.push({ name: local(name), attributes: plain(attributes), children: [], text: '' });
  });
  const append = (part: string): void => {
    const current = open.at(-1);
    if (current !== undefined) current.text += part;
  };
  parser.on('text', append);
  parser.on('cdata', append);
  parser.on('closetag', () => {
    const done = open.pop();
    if (done === undefined) return;
    const element = { ...done, text: done.text.trim() };
    const parent = open.at(-1);
    if (!take(element)) parent?.children.push(element);
    if (parent === undefined) root = element;
  });
  // The XML declaration must come first, but copies and SGML wrappers leave line ends before it.
  parser.write(text.trimStart()).close();
  if (root === null) throw new XmlError('no element');
  return root;
}

/** The first child of that name, and so on down the path; null where there is none. */
export function childOf(element: XmlElement | null, ...names: readonly string[]): XmlElement | null {
  let found = element;
  for (const name of names) found = found?.children.find((child) => child.name === name) ?? null;
  return found;
}

/** Every child of that name. */
export function childrenOf(element: XmlElement | null, name: string): readonly XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

/** The text down the path, or null where there is none. */
export function childText(element: XmlElement | null, ...names: readonly string[]): string | null {
  const text = childOf(element, ...names)?.text ?? '';
  return text === '' ? null : text;
}

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function plain(attributes: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [local(name), value]));
}
