/**
 * Collects the contexts and units while a document is parsed. Facts may refer to contexts and units that are defined
 * later or in another document, so references are resolved after all documents of the filing are parsed.
 */
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

interface UnclosedContext {
  readonly id: string;
  identifier: string;
  start: string;
  end: string;
  readonly dimensions: Dimension[];
}

interface UnclosedUnit {
  readonly id: string;
  readonly numeratorMeasures: string[];
  readonly denominatorMeasures: string[];
  isInDenominator: boolean;
}

interface ContextElement {
  readonly text: string;
  readonly axis: string;
  readonly resolvePrefix: (qualifiedName: string) => string;
}

/** Functions that copy the data of an element to its context, by element name. */
const CONTEXT_SETTERS: Readonly<Record<string, (context: UnclosedContext, element: ContextElement) => void>> = {
  identifier: (context, { text }) => {
    context.identifier = text;
  },
  startDate: (context, { text }) => {
    context.start = text;
  },
  endDate: (context, { text }) => {
    context.end = text;
  },
  instant: (context, { text }) => {
    context.end = text;
  },
  explicitMember: ({ dimensions }, { text, axis, resolvePrefix }) => {
    dimensions.push({ axis, member: resolvePrefix(text) });
  },
  typedMember: ({ dimensions }, { axis }) => {
    dimensions.push({ axis, member: null });
  },
};

const CAPTURED_ELEMENT_NAMES: ReadonlySet<string> = new Set([...Object.keys(CONTEXT_SETTERS), 'measure']);

/** Adds a measure without its prefix to the unit's numerator or denominator. */
function addMeasure({ isInDenominator, numeratorMeasures, denominatorMeasures }: UnclosedUnit, text: string): void {
  const measures = isInDenominator ? denominatorMeasures : numeratorMeasures;
  measures.push(text.slice(text.indexOf(':') + 1));
}

export class ContextCollector {
  readonly contexts = new Map<string, Context>();
  readonly units = new Map<string, string>();
  #context: UnclosedContext | null = null;
  #unit: UnclosedUnit | null = null;
  #capturedElementName: string | null = null;
  #axis = '';
  #text = '';

  /** Whether the parser is inside a context or unit. */
  get isInContextOrUnit(): boolean {
    return this.#context !== null || this.#unit !== null;
  }

  /** Handles the opening tag of an XBRL element. `axis` is the `dimension` attribute with its usual prefix. */
  openElement(name: string, id: string | undefined, axis: string): void {
    if (this.#context === null && this.#unit === null) {
      if (name === 'context' && id !== undefined && this.contexts.size < MAX_CONTEXTS) {
        this.#context = { id, identifier: '', start: '', end: '', dimensions: [] };
      } else if (name === 'unit' && id !== undefined && this.units.size < MAX_CONTEXTS)
        this.#unit = { id, numeratorMeasures: [], denominatorMeasures: [], isInDenominator: false };
      return;
    }
    if (name === 'unitDenominator' && this.#unit !== null) this.#unit.isInDenominator = true;
    if (!CAPTURED_ELEMENT_NAMES.has(name)) return;
    this.#capturedElementName = name;
    this.#axis = axis;
    this.#text = '';
  }

  appendText(part: string): void {
    if (this.#capturedElementName !== null) this.#text = (this.#text + part).slice(0, MAX_TEXT_LENGTH);
  }

  /**
   * Handles the closing tag of an XBRL element.
   * @param resolve returns a name with its usual prefix; only valid while the element's namespaces are in scope
   */
  closeElement(name: string, resolve: (qualifiedName: string) => string): void {
    const text = this.#text.trim();
    const context = this.#context;
    const unit = this.#unit;
    if (context !== null) {
      if (name === 'context') this.#finishContext(context);
      else if (name === this.#capturedElementName)
        CONTEXT_SETTERS[name]?.(context, { text, axis: this.#axis, resolvePrefix: resolve });
    } else if (unit !== null) {
      if (name === 'unit') this.#finishUnit(unit);
      else if (name === 'unitDenominator') unit.isInDenominator = false;
      else if (name === 'measure' && name === this.#capturedElementName) addMeasure(unit, text);
    }
    if (name === this.#capturedElementName) this.#capturedElementName = null;
  }

  #finishContext(context: UnclosedContext): void {
    this.#context = null;
    const start = context.start === '' ? null : context.start;
    const { end } = context;
    if (!DAY_PATTERN.test(end) || (start !== null && (!DAY_PATTERN.test(start) || start > end))) return;
    const cik = /^\d{1,10}$/.test(context.identifier) ? Number(context.identifier) : null;
    const dimensions = context.dimensions.sort((a, b) => (a.axis < b.axis ? -1 : 1));
    this.contexts.set(context.id, { cik, start, end, dimensions });
  }

  #finishUnit(unit: UnclosedUnit): void {
    this.#unit = null;
    if (unit.numeratorMeasures.length === 0) return;
    const [top, bottom] = [unit.numeratorMeasures.join('*'), unit.denominatorMeasures.join('*')];
    this.units.set(unit.id, unit.denominatorMeasures.length === 0 ? top : `${top}/${bottom}`);
  }
}
