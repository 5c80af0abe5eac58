/**
 * Reads the tagged facts of one report: an inline document (10-K, 10-Q) or an instance, whichever it is.
 *
 * One streaming pass: the document is never held as a tree, only its numeric facts and what its cover says.
 * Foreign bounds: depth, number of facts, length of a captured text. Entities other than the predefined are
 * not expanded.
 */
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { parseDecimal } from '../contract/decimal.ts';
import type { CoverText, TaggedFact, TaggedReport } from '../figures/tagged-report.ts';
import { Tally } from './tally.ts';
import { type Context, ContextCollector } from './xbrl-contexts.ts';
import { reportIdentity } from './xbrl-identity.ts';
import { localName, prefixOf, usualPrefix } from './xbrl-names.ts';
import { readDisplayedNumber } from './xbrl-number.ts';
import { XmlError } from './xml.ts';

const DEEPEST = 1000;
const MOST_FACTS = 500_000;
const LONGEST_TEXT = 2000;
const CHUNK = 64 * 1024;

const INLINE = /^http:\/\/www\.xbrl\.org\/20\d\d\/inlineXBRL$/;
const XBRL = 'http://www.xbrl.org/2003/instance';
const DIMENSIONS = 'http://xbrl.org/2006/xbrldi';
const SCHEMA_INSTANCE = 'http://www.w3.org/2001/XMLSchema-instance';

/** A fact whose text is still being read, or whose context is still unknown. */
interface Pending {
  readonly concept: string;
  readonly inline: boolean;
  readonly attributes: Readonly<Record<string, string>>;
  readonly hidden: boolean;
  readonly nil: boolean;
  readonly depth: number;
  text: string;
}

/** Whether the bytes name the namespace of tagged data; schemas do too, and are told apart by their file names. */
export function namesTaggedData(bytes: Buffer): boolean {
  return bytes.includes(XBRL);
}

/** Throws XmlError when the document is not well-formed or passes the bounds; sets a bad fact aside. */
export function readXbrlReport(bytes: Buffer): TaggedReport {
  const [report] = readXbrlReports([bytes]);
  if (report === undefined) throw new XmlError('no document');
  return report;
}

/**
 * Reads the documents of one filing, each as a report of its own. A filing may spread one set of tags over
 * several (the report, and an exhibit with its statements): contexts, units and the cover are then in one of them.
 */
export function readXbrlReports(documents: readonly Buffer[]): TaggedReport[] {
  const passes = documents.map((bytes) => {
    const pass = new Pass();
    const decoder = new TextDecoder();
    for (let at = 0; at < bytes.length; at += CHUNK) {
      pass.parser.write(decoder.decode(bytes.subarray(at, at + CHUNK), { stream: true }));
    }
    pass.parser.close();
    return pass;
  });
  // Of what two documents define the first one's counts.
  const shared = {
    contexts: new Map(passes.toReversed().flatMap(({ collected }) => [...collected.contexts])),
    units: new Map(passes.toReversed().flatMap(({ collected }) => [...collected.units])),
  };
  const reports = passes.map((pass) => pass.finish(shared));
  const identity = reportIdentity(reports.flatMap(({ cover }) => cover));
  return reports.map((report) => ({
    ...report,
    ...identity,
    cover: report.cover.map(({ name, text, dimensions }) => ({ name, text, dimensions })),
  }));
}

/** What facts refer to, from wherever in the filing it stands. */
interface References {
  readonly contexts: ReadonlyMap<string, Context>;
  readonly units: ReadonlyMap<string, string>;
}

class Pass {
  readonly parser = new SaxesParser({ xmlns: true, position: false });
  readonly #tally = new Tally();
  readonly collected = new ContextCollector();
  readonly #facts: Pending[] = [];
  readonly #open: Pending[] = [];
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
    if (this.#depth > DEEPEST) throw new XmlError(`elements nested deeper than ${DEEPEST}`);
    if (tag.uri === XBRL || tag.uri === DIMENSIONS) {
      const axis = tag.attributes.dimension?.value;
      this.collected.open(tag.local, tag.attributes.id?.value, axis === undefined ? '' : this.#resolve(axis));
    } else if (INLINE.test(tag.uri)) this.#onInline(tag);
    else if (!this.collected.busy && tag.attributes.contextRef !== undefined) {
      this.#begin(`${usualPrefix(tag.uri, tag.prefix)}:${tag.local}`, tag, false);
    }
  }

  #onInline(tag: SaxesTagNS): void {
    this.#inline = true;
    if (tag.local === 'hidden') this.#hidden += 1;
    else if (tag.local === 'exclude') this.#excluded += 1;
    else if (tag.local === 'nonFraction' || tag.local === 'nonNumeric') {
      const name = tag.attributes.name?.value;
      if (name === undefined) this.#tally.add('a fact without a name');
      else this.#begin(this.#resolve(name), tag, true);
    } else if (tag.local === 'fraction') this.#tally.add('a fact that is a fraction');
  }

  #begin(concept: string, tag: SaxesTagNS, inline: boolean): void {
    const numeric = inline ? tag.local === 'nonFraction' : tag.attributes.unitRef !== undefined;
    // Of what is not a number, only the cover is read: notes are prose.
    if (!numeric && prefixOf(concept) !== 'dei') return;
    const attributes: Record<string, string> = {};
    let nil = false;
    for (const attribute of Object.values(tag.attributes)) {
      if (attribute.uri === SCHEMA_INSTANCE && attribute.local === 'nil') nil = /^(?:true|1)$/.test(attribute.value);
      else attributes[attribute.local] = attribute.value;
    }
    if (this.#facts.length >= MOST_FACTS) throw new XmlError(`more than ${MOST_FACTS} facts`);
    this.#open.push({ concept, inline, attributes, hidden: this.#hidden > 0, nil, depth: this.#depth, text: '' });
  }

  #onText(text: string): void {
    if (this.collected.busy) this.collected.text(text);
    else if (this.#excluded === 0) {
      // Tags nest: a number may be stated under two names at once.
      for (const fact of this.#open) if (fact.text.length < LONGEST_TEXT) fact.text += text;
    }
  }

  #onClose(tag: SaxesTagNS): void {
    const fact = this.#open.at(-1);
    if (fact !== undefined && fact.depth === this.#depth) {
      this.#open.pop();
      this.#facts.push(fact);
    }
    if (tag.uri === XBRL || tag.uri === DIMENSIONS) this.collected.close(tag.local, (name) => this.#resolve(name));
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

  finish({ contexts, units }: References) {
    const facts: TaggedFact[] = [];
    const cover: (CoverText & { readonly end: string })[] = [];
    for (const pending of this.#facts) {
      const context = contexts.get(pending.attributes.contextRef ?? '');
      if (context === undefined) this.#tally.add('a fact whose context is missing or makes no sense');
      else if (pending.nil) this.#tally.add('a fact that says nothing (nil)');
      else if (pending.attributes.unitRef === undefined) {
        const text = pending.text.replace(/\s+/g, ' ').trim();
        cover.push({ name: localName(pending.concept), text, dimensions: context.dimensions, end: context.end });
      } else {
        const unit = units.get(pending.attributes.unitRef);
        const number = unit === undefined ? 'a fact whose unit is missing' : readValue(pending);
        if (typeof number === 'string' || unit === undefined) this.#tally.add(String(number));
        else
          facts.push({
            concept: pending.concept,
            unit,
            start: context.start,
            end: context.end,
            value: number.value,
            decimals: readDecimals(pending.attributes.decimals),
            dimensions: context.dimensions,
            place: {
              context: pending.attributes.contextRef ?? '',
              line: pending.attributes.id ?? null,
              hidden: pending.hidden,
            },
          });
      }
    }
    return {
      kind: this.#inline ? ('inline' as const) : ('instance' as const),
      facts,
      cover,
      setAside: this.#tally.counts(),
    };
  }
}

function readValue({ inline, text, attributes }: Pending): { value: string } | string {
  if (inline) {
    const { format, scale, sign } = attributes;
    return readDisplayedNumber({ text, format, scale, sign });
  }
  const value = text.length > 200 ? null : parseDecimal(text.trim());
  return value === null ? 'a number that is not one' : { value };
}

function readDecimals(text: string | undefined): number | null {
  return text !== undefined && /^-?\d{1,3}$/.test(text) ? Number(text) : null;
}
