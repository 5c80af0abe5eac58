/**
 * Collects the contexts and units while a report is parsed. Facts may refer to contexts and units that are defined
 * later, so references are resolved at the end of the document.
 */
import type { Dimension } from '../facts/fact-row.ts';

export interface Context {
  readonly cik: number | null;
  readonly start: string | null;
  readonly end: string;
  readonly dimensions: readonly Dimension[];
}

const MAX_CONTEXTS = 200_000;
/** A date without a time, as the EDGAR Filer Manual requires. */
const DAY_PATTERN = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const CAPTURED_ELEMENTS: ReadonlySet<string> = new Set([
  'identifier',
  'startDate',
  'endDate',
  'instant',
  'explicitMember',
  'typedMember',
  'measure',
]);

interface OpenContext {
  readonly id: string;
  identifier: string;
  start: string;
  end: string;
  readonly dimensions: Dimension[];
}

interface OpenUnit {
  readonly id: string;
  readonly numeratorMeasures: string[];
  readonly denominatorMeasures: string[];
  isInDenominator: boolean;
}

export class ContextCollector {
  readonly contexts = new Map<string, Context>();
  readonly units = new Map<string, string>();
  #context: OpenContext | null = null;
  #unit: OpenUnit | null = null;
  #capturedElement: string | null = null;
  #axis = '';
  #text = '';

  /** Whether the parser is inside a context or unit. */
  get isCapturing(): boolean {
    return this.#context !== null || this.#unit !== null;
  }

  /** Handles the opening tag of an XBRL element. `axis` is the `dimension` attribute with its usual prefix. */
  openElement(name: string, id: string | undefined, axis: string): void {
    if (this.#context === null && this.#unit === null) {
      if (name === 'context' && id !== undefined && this.contexts.size < MAX_CONTEXTS) {
        this.#context = { id, identifier: '', start: '', end: '', dimensions: [] };
      } else if (name === 'unit' && id !== undefined && this.units.size < MAX_CONTEXTS) {
        this.#unit = { id, numeratorMeasures: [], denominatorMeasures: [], isInDenominator: false };
      }
      return;
    }
    if (name === 'unitDenominator' && this.#unit !== null) this.#unit.isInDenominator = true;
    if (!CAPTURED_ELEMENTS.has(name)) return;
    this.#capturedElement = name;
    this.#axis = axis;
    this.#text = '';
  }

  appendText(part: string): void {
    if (this.#capturedElement !== null && this.#text.length < 1000) this.#text += part;
  }

  /**
   * Handles the closing tag of an XBRL element.
   * @param resolvePrefix returns a name with its usual prefix; only valid while the element's namespaces are in scope
   */
  closeElement(name: string, resolvePrefix: (qualifiedName: string) => string): void {
    const text = this.#text.trim();
    const context = this.#context;
    const unit = this.#unit;
    if (context !== null) {
      if (name === 'context') this.#finishContext(context);
      else if (name === this.#capturedElement) {
        if (name === 'identifier') context.identifier = text;
        else if (name === 'startDate') context.start = text;
        else if (name === 'endDate' || name === 'instant') context.end = text;
        else if (name === 'explicitMember') context.dimensions.push({ axis: this.#axis, member: resolvePrefix(text) });
        else if (name === 'typedMember') context.dimensions.push({ axis: this.#axis, member: null });
      }
    } else if (unit !== null) {
      if (name === 'unit') this.#finishUnit(unit);
      else if (name === 'unitDenominator') unit.isInDenominator = false;
      else if (name === 'measure' && this.#capturedElement === 'measure') {
        (unit.isInDenominator ? unit.denominatorMeasures : unit.numeratorMeasures).push(
          text.slice(text.indexOf(':') + 1),
        );
      }
    }
    if (name === this.#capturedElement) this.#capturedElement = null;
  }

  #finishContext(context: OpenContext): void {
    this.#context = null;
    const start = context.start === '' ? null : context.start;
    const { end } = context;
    if (!DAY_PATTERN.test(end) || (start !== null && (!DAY_PATTERN.test(start) || start > end))) return;
    const cik = /^\d{1,10}$/.test(context.identifier) ? Number(context.identifier) : null;
    const dimensions = context.dimensions.sort((a, b) => (a.axis < b.axis ? -1 : 1));
    this.contexts.set(context.id, { cik, start, end, dimensions });
  }

  #finishUnit(unit: OpenUnit): void {
    this.#unit = null;
    if (unit.numeratorMeasures.length === 0) return;
    const numerator = unit.numeratorMeasures.join('*');
    this.units.set(
      unit.id,
      unit.denominatorMeasures.length === 0 ? numerator : `${numerator}/${unit.denominatorMeasures.join('*')}`,
    );
  }
}
