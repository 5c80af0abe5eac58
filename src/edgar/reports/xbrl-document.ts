/**
 * Reads one XBRL document in one streaming pass: its numeric facts and cover texts as written, and the contexts and units
 * it defines. Depth, number of facts and length of texts are bounded; only predefined entities are expanded.
 */
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { SkippedRows } from '../files/skipped-rows.ts';
import { XmlError } from '../files/xml.ts';
import { type Context, ContextCollector } from './xbrl-contexts.ts';

const MAX_DEPTH = 1000;
const MAX_FACTS = 500_000;
const MAX_TEXT_LENGTH = 2000;
const CHUNK = 64 * 1024;

const INLINE = /^http:\/\/www\.xbrl\.org\/20\d\d\/inlineXBRL$/;
const XBRL = 'http://www.xbrl.org/2003/instance';
const DIMENSIONS = 'http://xbrl.org/2006/xbrldi';
const SCHEMA_INSTANCE = 'http://www.w3.org/2001/XMLSchema-instance';

/** A fact as written; its context and unit may be defined later, or in another document of the filing. */
export interface WrittenFact {
  readonly concept: string;
  readonly inline: boolean;
  readonly attributes: Readonly<Record<string, string>>;
  readonly hidden: boolean;
  readonly nil: boolean;
  readonly text: string;
}

export interface XbrlDocument {
  readonly kind: 'inline' | 'instance';
  readonly facts: readonly WrittenFact[];
  readonly contexts: ReadonlyMap<string, Context>;
  readonly units: ReadonlyMap<string, string>;
  /** Number of skipped facts, by reason. */
  readonly skipped: SkippedRows;
}

/** Whether the bytes contain the XBRL namespace. Schemas do too, but their file names exclude them. */
export function namesTaggedData(bytes: Buffer): boolean {
  return bytes.includes(XBRL);
}

/** Throws XmlError if the document is not well-formed or exceeds the bounds. */
export function readXbrlDocument(bytes: Buffer): XbrlDocument {
  const pass = new Pass();
  const decoder = new TextDecoder();
  for (let at = 0; at < bytes.length; at += CHUNK) {
    pass.parser.write(decoder.decode(bytes.subarray(at, at + CHUNK), { stream: true }));
  }
  pass.parser.close();
  return pass.document();
}

/** A fact whose text is being read. */
interface OpenFact extends WrittenFact {
  readonly depth: number;
  text: string;
}

class Pass {
  readonly parser = new SaxesParser({ xmlns: true, position: false });
  readonly #skipped = new SkippedRows();
  readonly #collected = new ContextCollector();
  readonly #facts: WrittenFact[] = [];
  readonly #open: OpenFact[] = [];
  #depth = 0;
  #hidden = 0;
  #excluded = 0;
  #inline = false;

  constructor() {
    this.parser.on('error', (cause) => {
      throw new XmlError(cause.message);
    });
    this.parser.on('opentag', (tag) => this.#onOpen(tag));
    this.parser.on('closetag', (tag) => this.#onClose(tag));
    this.parser.on('text', (text) => this.#onText(text));
    this.parser.on('cdata', (text) => this.#onText(text));
  }

  #onOpen(tag: SaxesTagNS): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new XmlError(`its elements are nested more than ${MAX_DEPTH} levels deep`);
    if (tag.uri === XBRL || tag.uri === DIMENSIONS) {
      const axis = tag.attributes.dimension?.value;
      this.#collected.open(tag.local, tag.attributes.id?.value, axis === undefined ? '' : this.#resolve(axis));
    } else if (INLINE.test(tag.uri)) this.#onInline(tag);
    else if (!this.#collected.busy && tag.attributes.contextRef !== undefined) {
      this.#begin(`${usualPrefix(tag.uri, tag.prefix)}:${tag.local}`, tag, false);
    }
  }

  #onInline(tag: SaxesTagNS): void {
    this.#inline = true;
    if (tag.local === 'hidden') this.#hidden += 1;
    else if (tag.local === 'exclude') this.#excluded += 1;
    else if (tag.local === 'nonFraction' || tag.local === 'nonNumeric') {
      const name = tag.attributes.name?.value;
      if (name === undefined) this.#skipped.add('an XBRL fact without a name');
      else this.#begin(this.#resolve(name), tag, true);
    } else if (tag.local === 'fraction') this.#skipped.add('an XBRL fact given as a numerator and denominator');
  }

  #begin(concept: string, tag: SaxesTagNS, inline: boolean): void {
    const numeric = inline ? tag.local === 'nonFraction' : tag.attributes.unitRef !== undefined;
    // Skips other texts than those of the cover: they are prose.
    if (!numeric && prefixOf(concept) !== 'dei') return;
    const attributes: Record<string, string> = {};
    let nil = false;
    for (const attribute of Object.values(tag.attributes)) {
      if (attribute.uri === SCHEMA_INSTANCE && attribute.local === 'nil') nil = /^(?:true|1)$/.test(attribute.value);
      else attributes[attribute.local] = attribute.value;
    }
    if (this.#facts.length >= MAX_FACTS) throw new XmlError(`it has more than ${MAX_FACTS} facts`);
    this.#open.push({ concept, inline, attributes, hidden: this.#hidden > 0, nil, depth: this.#depth, text: '' });
  }

  #onText(text: string): void {
    if (this.#collected.busy) this.#collected.text(text);
    else if (this.#excluded === 0) {
      // Tags can be nested: one number may be tagged with two concepts.
      for (const fact of this.#open) if (fact.text.length < MAX_TEXT_LENGTH) fact.text += text;
    }
  }

  #onClose(tag: SaxesTagNS): void {
    const fact = this.#open.at(-1);
    if (fact !== undefined && fact.depth === this.#depth) {
      this.#open.pop();
      this.#facts.push(fact);
    }
    if (tag.uri === XBRL || tag.uri === DIMENSIONS) this.#collected.close(tag.local, (name) => this.#resolve(name));
    else if (INLINE.test(tag.uri)) {
      if (tag.local === 'hidden') this.#hidden -= 1;
      else if (tag.local === 'exclude') this.#excluded -= 1;
    }
    this.#depth -= 1;
  }

  #resolve(written: string): string {
    const prefix = prefixOf(written);
    return `${usualPrefix(this.parser.resolve(prefix) ?? '', prefix)}:${localName(written)}`;
  }

  document(): XbrlDocument {
    const { contexts, units } = this.#collected;
    return { kind: this.#inline ? 'inline' : 'instance', facts: this.#facts, contexts, units, skipped: this.#skipped };
  }
}

/** Namespaces of public taxonomies, with the usual prefixes of their concepts. */
const PUBLIC: readonly RegExp[] = [
  /\/\/fasb\.org\/(us-gaap|srt)(?:-[a-z]+)?\//,
  /\/\/xbrl\.us\/(us-gaap|dei|invest)\//,
  /\/\/xbrl\.sec\.gov\/([a-z-]+)\//,
  /\/\/xbrl\.ifrs\.org\/taxonomy\/[^/]+\/(ifrs-full)/,
];

/**
 * Returns the usual prefix of a public taxonomy, even if the document uses another, so that names are comparable
 * across filings.
 */
function usualPrefix(namespace: string, prefix: string): string {
  for (const pattern of PUBLIC) {
    const match = pattern.exec(namespace);
    if (match?.[1] !== undefined) return match[1];
  }
  return prefix;
}

function prefixOf(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? '' : name.slice(0, colon);
}

export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
