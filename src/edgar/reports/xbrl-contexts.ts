/**
 * Collects the contexts and units while a document is parsed. Facts may refer to contexts and units that are defined
 * later or in another document, so references are resolved after all documents of the filing are parsed.
 */
import { toWordSet } from '../../platform/collections.ts';
import type { Dimension } from '../facts/fact-row.ts';

export interface Context {
  readonly cik: number | null;
  readonly start: string | null;
  readonly end: string;
  readonly dimensions: readonly Dimension[];
}

const MAX_CONTEXTS = 200_000;
/** Maximum number of characters of an identifier, date, member or measure that are read. */
const MAX_TEXT_LENGTH = 1000;
/** A date without a time, as the EDGAR Filer Manual requires. */
const DAY_PATTERN = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

/** A context or unit whose elements are still being read. */
interface OpenDefinition {
  readonly isUnit: boolean;
  readonly id: string;
  identifier: string;
  start: string;
  end: string;
  readonly dimensions: Dimension[];
  readonly numerators: string[];
  readonly denominators: string[];
  isInDenominator: boolean;
}

const TEXT_ELEMENTS = toWordSet('identifier startDate endDate instant explicitMember typedMember measure');

export class ContextCollector {
  readonly contexts = new Map<string, Context>();
  readonly units = new Map<string, string>();
  #open: OpenDefinition | null = null;
  /** Name of the open element whose text is read. */
  #textElement: string | null = null;
  #axis = '';
  #text = '';

  /** Whether the parser is inside a context or unit. */
  get isInContextOrUnit(): boolean {
    return this.#open !== null;
  }

  /** Handles the opening tag of an XBRL element. `axis` is the `dimension` attribute with its usual prefix. */
  openElement(name: string, id: string | undefined, axis: string): void {
    if (this.#open === null) {
      const isUnit = name === 'unit';
      const { size } = isUnit ? this.units : this.contexts;
      if ((!isUnit && name !== 'context') || id === undefined || size >= MAX_CONTEXTS) return;
      const fields = { identifier: '', start: '', end: '', dimensions: [], numerators: [], denominators: [] };
      this.#open = { isUnit, id, ...fields, isInDenominator: false };
      return;
    }
    if (name === 'unitDenominator') this.#open.isInDenominator = true;
    if (!TEXT_ELEMENTS.has(name)) return;
    this.#textElement = name;
    this.#axis = axis;
    this.#text = '';
  }

  appendText(part: string): void {
    if (this.#textElement !== null) this.#text = (this.#text + part).slice(0, MAX_TEXT_LENGTH);
  }

  /**
   * Handles the closing tag of an XBRL element.
   * @param resolve returns a name with its usual prefix; only valid while the element's namespaces are in scope
   */
  closeElement(name: string, resolve: (qualifiedName: string) => string): void {
    const item = this.#open;
    if (item !== null) {
      if (name === (item.isUnit ? 'unit' : 'context')) this.#finish(item);
      else if (name === 'unitDenominator') item.isInDenominator = false;
      else if (name === this.#textElement) this.#addText(item, name, resolve);
    }
    if (name === this.#textElement) this.#textElement = null;
  }

  #addText(item: OpenDefinition, name: string, resolve: (qualifiedName: string) => string): void {
    const text = this.#text.trim();
    if (name === 'identifier') item.identifier = text;
    else if (name === 'startDate') item.start = text;
    else if (name === 'endDate' || name === 'instant') item.end = text;
    else if (name === 'explicitMember') item.dimensions.push({ axis: this.#axis, member: resolve(text) });
    else if (name === 'typedMember') item.dimensions.push({ axis: this.#axis, member: null });
    else if (name === 'measure')
      (item.isInDenominator ? item.denominators : item.numerators).push(text.slice(text.indexOf(':') + 1));
  }

  #finish({ isUnit, id, numerators, denominators, dimensions, ...texts }: OpenDefinition): void {
    this.#open = null;
    if (isUnit) {
      if (numerators.length === 0) return;
      const parts = denominators.length === 0 ? [numerators] : [numerators, denominators];
      this.units.set(id, parts.map((measures) => measures.join('*')).join('/'));
      return;
    }
    const { identifier, end } = texts;
    const start = texts.start === '' ? null : texts.start;
    if (!DAY_PATTERN.test(end) || (start !== null && (!DAY_PATTERN.test(start) || start > end))) return;
    const cik = /^\d{1,10}$/.test(identifier) ? Number(identifier) : null;
    this.contexts.set(id, { cik, start, end, dimensions: dimensions.sort((a, b) => (a.axis < b.axis ? -1 : 1)) });
  }
}
