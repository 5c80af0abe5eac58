/**
 * Reads an XBRL document in one streaming pass: numeric facts and cover texts as written, and the contexts and units
 * defined in the document. Depth, number of facts and length of texts are limited; only predefined entities are
 * expanded.
 */
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { SkippedRowCounts } from '../files/skipped-rows.ts';
import { decodeXml, getLocalName, XmlError } from '../files/xml.ts';
import { type Context, ContextCollector } from './xbrl-contexts.ts';

const MAX_DEPTH = 1000;
const MAX_FACTS = 500_000;
const MAX_TEXT_LENGTH = 2000;

const INLINE_NAMESPACE_PATTERN = /^http:\/\/www\.xbrl\.org\/20\d\d\/inlineXBRL$/;
const XBRL_NAMESPACE = 'http://www.xbrl.org/2003/instance';
const DIMENSIONS_NAMESPACE = 'http://xbrl.org/2006/xbrldi';
const SCHEMA_INSTANCE_NAMESPACE = 'http://www.w3.org/2001/XMLSchema-instance';

/** A fact as written. Its context and unit may be defined later, or in another document of the filing. */
export interface UnresolvedFact {
  readonly concept: string;
  readonly isInline: boolean;
  readonly attributes: Readonly<Record<string, string>>;
  readonly isHidden: boolean;
  readonly isNil: boolean;
  readonly text: string;
}

export interface XbrlDocument {
  readonly kind: 'inline' | 'instance';
  readonly facts: readonly UnresolvedFact[];
  readonly contexts: ReadonlyMap<string, Context>;
  readonly units: ReadonlyMap<string, string>;
  /** Number of skipped facts, by reason. */
  readonly skipped: SkippedRowCounts;
}

/** Whether the bytes contain the XBRL namespace. Schemas contain it too, and must be excluded by file name. */
export const hasXbrlNamespace = (bytes: Buffer): boolean => bytes.includes(XBRL_NAMESPACE);

/** Parses an XBRL document. Throws XmlError if the document is malformed or exceeds the limits. */
export function readXbrlDocument(bytes: Buffer): XbrlDocument {
  const parser = new XbrlParser();
  for (const text of decodeXml(bytes)) parser.saxParser.write(text);
  parser.saxParser.close();
  return parser.getDocument();
}

/** A fact whose text is still being read. */
interface UnclosedFact extends UnresolvedFact {
  readonly depth: number;
  text: string;
}

interface StartedElement {
  readonly name: string;
  /** Line of the start tag's end. */
  readonly line: number;
}

class XbrlParser {
  readonly saxParser = new SaxesParser({ xmlns: true });
  readonly #skipped = new SkippedRowCounts();
  readonly #contextCollector = new ContextCollector();
  readonly #facts: UnresolvedFact[] = [];
  readonly #openFacts: UnclosedFact[] = [];
  /** The elements that are not closed yet, with the line of their start. */
  readonly #openElements: StartedElement[] = [];
  #lastClosedElement: StartedElement | undefined;
  #depth = 0;
  #hiddenDepth = 0;
  #excludedDepth = 0;
  #hasInlineElements = false;

  constructor() {
    this.saxParser.on('error', (cause) => {
      throw new XmlError(this.#describeFault(cause));
    });
    this.saxParser.on('opentag', (tag) => this.#onOpen(tag));
    this.saxParser.on('closetag', (tag) => this.#onClose(tag));
    this.saxParser.on('text', (text) => this.#onText(text));
    this.saxParser.on('cdata', (text) => this.#onText(text));
  }

  /** Describes a fault with its line and column; a wrong end tag also with the element that is not closed. */
  #describeFault({ message }: Error): string {
    // saxes reports a wrong end tag after the close event of the element that has no end tag.
    const element = /unexpected close/.test(message) ? this.#lastClosedElement : this.#openElements.at(-1);
    return /unexpected close|unclosed/.test(message) && element !== undefined
      ? `${message} The element <${element.name}>, which starts on line ${element.line}, is not closed.`
      : message;
  }

  #onOpen(tag: SaxesTagNS): void {
    this.#depth += 1;
    this.#openElements.push({ name: tag.name, line: this.saxParser.line });
    if (this.#depth > MAX_DEPTH) throw new XmlError(`its elements are nested more than ${MAX_DEPTH} levels deep`);
    if (tag.uri === XBRL_NAMESPACE || tag.uri === DIMENSIONS_NAMESPACE) {
      const { dimension, id } = tag.attributes;
      const axis = dimension === undefined ? '' : this.#resolvePrefix(dimension.value);
      this.#contextCollector.openElement(tag.local, id?.value, axis);
    } else if (INLINE_NAMESPACE_PATTERN.test(tag.uri)) this.#onInlineTag(tag);
    else if (!this.#contextCollector.isInContextOrUnit && tag.attributes.contextRef !== undefined)
      this.#beginFact(`${findUsualPrefix(tag.uri, tag.prefix)}:${tag.local}`, tag, false);
  }

  #onInlineTag(tag: SaxesTagNS): void {
    this.#hasInlineElements = true;
    if (tag.local === 'hidden') this.#hiddenDepth += 1;
    else if (tag.local === 'exclude') this.#excludedDepth += 1;
    else if (tag.local === 'nonFraction' || tag.local === 'nonNumeric') {
      const name = tag.attributes.name?.value;
      if (name === undefined) this.#skipped.add('an XBRL fact without a name');
      else this.#beginFact(this.#resolvePrefix(name), tag, true);
    } else if (tag.local === 'fraction') this.#skipped.add('an XBRL fact given as a numerator and denominator');
  }

  #beginFact(concept: string, tag: SaxesTagNS, isInline: boolean): void {
    const isNumeric = isInline ? tag.local === 'nonFraction' : tag.attributes.unitRef !== undefined;
    // Skips text facts that are not on the cover page, because they are prose.
    if (!isNumeric && readPrefix(concept) !== 'dei') return;
    const attributes: Record<string, string> = {};
    let isNil = false;
    for (const attribute of Object.values(tag.attributes)) {
      if (attribute.uri === SCHEMA_INSTANCE_NAMESPACE && attribute.local === 'nil')
        isNil = /^(?:true|1)$/.test(attribute.value);
      else attributes[attribute.local] = attribute.value;
    }
    if (this.#facts.length >= MAX_FACTS) throw new XmlError(`it has more than ${MAX_FACTS} facts`);
    const isHidden = this.#hiddenDepth > 0;
    this.#openFacts.push({ concept, isInline, attributes, isHidden, isNil, depth: this.#depth, text: '' });
  }

  #onText(text: string): void {
    if (this.#contextCollector.isInContextOrUnit) this.#contextCollector.appendText(text);
    else if (this.#excludedDepth === 0) {
      // Text is added to all open facts, because tags can be nested: one number may be tagged with two concepts.
      for (const fact of this.#openFacts) if (fact.text.length < MAX_TEXT_LENGTH) fact.text += text;
    }
  }

  #onClose(tag: SaxesTagNS): void {
    const fact = this.#openFacts.at(-1);
    if (fact !== undefined && fact.depth === this.#depth) {
      this.#openFacts.pop();
      this.#facts.push(fact);
    }
    if (tag.uri === XBRL_NAMESPACE || tag.uri === DIMENSIONS_NAMESPACE)
      this.#contextCollector.closeElement(tag.local, (name) => this.#resolvePrefix(name));
    else if (INLINE_NAMESPACE_PATTERN.test(tag.uri)) {
      if (tag.local === 'hidden') this.#hiddenDepth -= 1;
      else if (tag.local === 'exclude') this.#excludedDepth -= 1;
    }
    this.#depth -= 1;
    this.#lastClosedElement = this.#openElements.pop();
  }

  #resolvePrefix(name: string): string {
    const prefix = readPrefix(name);
    return `${findUsualPrefix(this.saxParser.resolve(prefix) ?? '', prefix)}:${getLocalName(name)}`;
  }

  getDocument(): XbrlDocument {
    const { contexts, units } = this.#contextCollector;
    const kind = this.#hasInlineElements ? 'inline' : 'instance';
    return { kind, facts: this.#facts, contexts, units, skipped: this.#skipped };
  }
}

/** Namespaces of public taxonomies; the first group is the usual prefix. */
const PUBLIC_NAMESPACE_PATTERNS: readonly RegExp[] = [
  /\/\/fasb\.org\/(us-gaap|srt)(?:-[a-z]+)?\//,
  /\/\/xbrl\.us\/(us-gaap|dei|invest)\//,
  /\/\/xbrl\.sec\.gov\/([a-z-]+)\//,
  /\/\/xbrl\.ifrs\.org\/taxonomy\/[^/]+\/(ifrs-full)/,
];

/**
 * Returns the usual prefix of a public taxonomy, even if the document uses another prefix, so that concepts are
 * comparable across filings.
 */
function findUsualPrefix(namespace: string, prefix: string): string {
  for (const pattern of PUBLIC_NAMESPACE_PATTERNS) {
    const match = pattern.exec(namespace);
    if (match?.[1] !== undefined) return match[1];
  }
  return prefix;
}

function readPrefix(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? '' : name.slice(0, colon);
}
