/**
 * Reads untrusted XML with limits on length, depth and number of elements. saxes expands only the five predefined
 * entities and numeric references, so documents cannot grow while they are parsed. Namespace prefixes are removed,
 * because local names are unambiguous in the forms read here.
 */
import { SaxesParser } from 'saxes';

export class XmlError extends Error {
  override readonly name = 'XmlError';
}

export interface XmlElement {
  /** Local name, without a namespace prefix. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** The element's own text, trimmed, without the text of its children. */
  readonly text: string;
}

/** Limits well above the largest known document, a 13F information table of about 40 MB. */
const DEFAULT_BOUNDS = { maxCharacters: 128 * 1024 * 1024, maxDepth: 64, maxElements: 4_000_000 };

interface UnclosedElement {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: XmlElement[];
  text: string;
}

/**
 * Returns the document as a tree. If `take` returns true for an element, the tree omits the element, so that a
 * long list is never in memory completely. Throws XmlError if the XML is malformed or exceeds the limits.
 */
export function parseXml(
  text: string,
  take: (element: XmlElement) => boolean = () => false,
  bounds = DEFAULT_BOUNDS,
): XmlElement {
  if (text.length > bounds.maxCharacters)
    throw new XmlError(`it has ${text.length} characters, more than the allowed ${bounds.maxCharacters}`);
  const parser = new SaxesParser();
  const openElements: UnclosedElement[] = [];
  let root: XmlElement | null = null;
  let count = 0;
  parser.on('error', (cause) => {
    throw new XmlError(cause.message);
  });
  parser.on('opentag', ({ name, attributes }) => {
    count += 1;
    if (count > bounds.maxElements) throw new XmlError(`it has more than ${bounds.maxElements} elements`);
    if (openElements.length >= bounds.maxDepth)
      throw new XmlError(`its elements are nested more than ${bounds.maxDepth} levels deep`);
    openElements.push({ name: getLocalName(name), attributes: removePrefixes(attributes), children: [], text: '' });
  });
  const appendText = (part: string): void => {
    const element = openElements.at(-1);
    if (element !== undefined) element.text += part;
  };
  parser.on('text', appendText);
  parser.on('cdata', appendText);
  parser.on('closetag', () => {
    const element = openElements.pop();
    if (element === undefined) return;
    element.text = element.text.trim();
    const parent = openElements.at(-1);
    if (!take(element)) parent?.children.push(element);
    if (parent === undefined) root = element;
  });
  // Removes white space and byte order marks before the document, like `decodeXml`.
  parser.write(text.trimStart()).close();
  if (root === null) throw new XmlError('it has no root element');
  return root;
}

const CHUNK_BYTES = 64 * 1024;

/**
 * Yields the text of an XML document in chunks, without the blanks, line ends and byte order marks before its
 * beginning: copies and SGML wrappers add them, but XML does not allow them.
 */
export function* decodeXml(bytes: Buffer): Generator<string> {
  const decoder = new TextDecoder();
  let hasBegun = false;
  for (let offset = 0; offset < bytes.length; offset += CHUNK_BYTES) {
    const chunk: string = decoder.decode(bytes.subarray(offset, offset + CHUNK_BYTES), { stream: true });
    // trimStart also removes byte order marks.
    const text: string = hasBegun ? chunk : chunk.trimStart();
    hasBegun ||= text !== '';
    yield text;
  }
}

/** Follows a path of child names, and returns the element at its end; null if a child is missing. */
export function findDescendant(element: XmlElement | null, ...names: readonly string[]): XmlElement | null {
  let descendant = element;
  for (const name of names) descendant = descendant?.children.find((child) => child.name === name) ?? null;
  return descendant;
}

export const findChildren = (element: XmlElement | null, name: string): readonly XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? [];

/** Returns the text of the descendant that `findDescendant` finds; null if missing or empty. */
export function readTextAt(element: XmlElement | null, ...names: readonly string[]): string | null {
  const text = findDescendant(element, ...names)?.text ?? '';
  return text === '' ? null : text;
}

/** Returns a name without its prefix. */
export const getLocalName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Adds one attribute after the other: `Object.fromEntries` takes twice as long. */
function removePrefixes(attributes: Readonly<Record<string, string>>): Record<string, string> {
  const local: Record<string, string> = {};
  for (const name in attributes) local[getLocalName(name)] = attributes[name] ?? '';
  return local;
}
