/** Reads the tagged facts of a filing's report: inline XBRL (10-K, 10-Q) or an XBRL instance. */
import { type Decimal, isZero, parseDecimal, shiftDecimal } from '../../contract/decimal-text.ts';
import type { Dimension, ReportKind } from '../facts/fact-row.ts';
import { parseWrittenDay, toCik } from '../files/fields.ts';
import { getLocalName } from '../files/xml.ts';
import { readXbrlDocument, type UnresolvedFact, type XbrlDocument } from './xbrl-document.ts';

interface FactLocation {
  readonly contextId: string;
  /** The id of the fact's element; null if missing. */
  readonly elementId: string | null;
  /** Whether the fact is in the document's hidden section. */
  readonly isHidden: boolean;
}

/** One numeric fact, with or without dimensions. Dates are YYYY-MM-DD, both ends inclusive. */
export interface TaggedFact {
  /** Concept as prefix:Name, with the usual prefix for public taxonomies. */
  readonly concept: string;
  /** Unit of measure in the notation of company facts: USD, shares, USD/shares, pure. */
  readonly unit: string;
  readonly start: string | null;
  readonly end: string;
  readonly value: Decimal;
  /** The `decimals` attribute: -6 for a value rounded to millions. Null if missing or INF. */
  readonly decimals: number | null;
  /** The dimensions, sorted by axis; empty for a consolidated figure. */
  readonly dimensions: readonly Dimension[];
  /** Location of the fact in its document; null for a fact from a data set. */
  readonly location: FactLocation | null;
  /** True if a data set rounds the period, so that its days are inferred. */
  readonly hasInferredDates?: true;
}

/** A text fact on a report's cover page. Its dimension, if any, is usually a class of shares. */
export interface CoverText {
  /** Name of the concept without its prefix: DocumentType, TradingSymbol. */
  readonly name: string;
  readonly text: string;
  readonly dimensions: readonly Dimension[];
}

export interface TaggedReport {
  /**
   * `inline`: HTML with tags. `instance`: an XML instance. `data_set`: rows of a financial statement data set of the
   * SEC.
   */
  readonly kind: ReportKind;
  readonly cik: number | null;
  /** The company's name in the report; null if missing. */
  readonly registrant: string | null;
  /** The form type, with `/A` if the cover says that the report is an amendment. */
  readonly form: string | null;
  /** The end of the report's period, from the context of its cover; null if missing. */
  readonly periodEnd: string | null;
  /** The end of the period as the cover states it; null if missing or in an unknown notation. */
  readonly coverPeriodEnd: string | null;
  readonly focusYear: number | null;
  readonly focusPeriod: string | null;
  readonly facts: readonly TaggedFact[];
  readonly cover: readonly CoverText[];
  readonly skipped: Readonly<Record<string, number>>;
}

/** A report with the accession number and filing date of its filing. */
export interface FiledReport extends TaggedReport {
  readonly cik: number;
  readonly form: string;
  readonly accession: string;
  readonly filed: string;
  /** The file's name in the filing's folder; null if unknown. */
  readonly document: string | null;
  /** Labels of members by prefix:Name; empty if the filing has no label linkbase. */
  readonly labels: ReadonlyMap<string, string>;
  /** Set if the report is from a data set. */
  readonly filing?: DataSetFiling;
}

/** Data about a filing and its filer that only data sets state. */
interface DataSetFiling {
  /** The filer's industry code. */
  readonly sic: string | null;
  /** New York time of acceptance, as the set states it. */
  readonly accepted: string | null;
  /** Exact end of the report's period. */
  readonly reportDate: string | null;
}

/**
 * Reads the documents of one filing, and returns one report per document. Facts may be in several documents, such as an
 * exhibit with the statements, but contexts, units and the cover page may be in only one document. Skips bad facts.
 * Throws XmlError if a document is malformed or exceeds the limits.
 */
export function readXbrlReports(documents: readonly Buffer[]): TaggedReport[] {
  const xbrlDocuments = documents.map(readXbrlDocument);
  // If several documents define the same id, the definition of the first document is used.
  const types = {
    contexts: new Map(xbrlDocuments.toReversed().flatMap(({ contexts }) => [...contexts])),
    units: new Map(xbrlDocuments.toReversed().flatMap(({ units }) => [...units])),
  };
  const cik = findFilerCik(xbrlDocuments);
  const reports = xbrlDocuments.map((document) => resolveFacts(document, types, cik));
  const identity = readReportIdentity(reports.flatMap(({ cover }) => cover));
  return reports.map((report) => {
    const cover = report.cover.map(({ name, text, dimensions }) => ({ name, text, dimensions }));
    return { ...report, ...identity, cover };
  });
}

/** Contexts and units of all documents of the filing. */
type FilingDefinitions = Pick<XbrlDocument, 'contexts' | 'units'>;

/** Returns the CIK on the cover page; null if missing. */
function findFilerCik(documents: readonly XbrlDocument[]): number | null {
  const filers = documents.flatMap(({ facts, contexts }) =>
    facts.flatMap(({ concept, attributes, text }) => {
      const cik = getLocalName(concept) === 'EntityCentralIndexKey' ? toCik(text.trim()) : null;
      const dimensions = contexts.get(attributes.contextRef ?? '')?.dimensions;
      return cik === null ? [] : [{ cik, isConsolidated: dimensions?.length === 0 }];
    }),
  );
  return (filers.find(({ isConsolidated }) => isConsolidated) ?? filers[0])?.cik ?? null;
}

/**
 * Returns the facts and cover texts of a document, with their contexts and units.
 * @param cik the filer; facts of other companies are skipped
 */
function resolveFacts(document: XbrlDocument, { contexts, units }: FilingDefinitions, cik: number | null) {
  const { kind, skipped } = document;
  const facts: TaggedFact[] = [];
  const texts: (CoverText & { readonly end: string })[] = [];
  for (const fact of document.facts) {
    const { contextRef, unitRef } = fact.attributes;
    const context = contextRef === undefined ? undefined : contexts.get(contextRef);
    if (contextRef === undefined || context === undefined)
      skipped.add('an XBRL fact whose context is missing or invalid');
    else if (fact.isNil) skipped.add('an XBRL fact without a value (nil)');
    else if (cik !== null && context.cik !== null && context.cik !== cik)
      skipped.add('an XBRL fact about another company');
    else if (unitRef === undefined) {
      const text = fact.text.replace(/\s+/g, ' ').trim();
      texts.push({ name: getLocalName(fact.concept), text, dimensions: context.dimensions, end: context.end });
    } else {
      const unit = units.get(unitRef);
      const value = unit === undefined ? 'an XBRL fact with an unknown unit of measure' : readValue(fact);
      if (typeof value === 'string' || unit === undefined) skipped.add(String(value));
      else
        facts.push({
          concept: fact.concept,
          unit,
          start: context.start,
          end: context.end,
          value: value.value,
          decimals: readDecimals(fact.attributes.decimals),
          dimensions: context.dimensions,
          location: { contextId: contextRef, elementId: fact.attributes.id ?? null, isHidden: fact.isHidden },
        });
    }
  }
  return { kind, facts, cover: texts, skipped: skipped.getCounts() };
}

function readValue({ isInline, text, attributes }: UnresolvedFact): { value: string } | string {
  if (isInline) return readDisplayedNumber({ ...attributes, text });
  const value = text.length > 200 ? null : parseDecimal(text.trim());
  return value === null ? 'an XBRL number that cannot be read' : { value };
}

const readDecimals = (text = ''): number | null => (/^-?\d{1,3}$/.test(text) ? Number(text) : null);

/**
 * Returns the report's identity from its cover. The context of `DocumentType` ends on the last day of the report's
 * period.
 */
function readReportIdentity(covers: readonly (CoverText & { readonly end: string })[]) {
  const findText = (name: string) => {
    const candidates = covers.filter((text) => text.name === name && text.text !== '');
    return candidates.find(({ dimensions }) => dimensions.length === 0) ?? candidates[0];
  };
  const text = findText('DocumentFiscalYearFocus')?.text.replace(/^--/, '');
  const documentType = findText('DocumentType');
  return {
    cik: toCik(findText('EntityCentralIndexKey')?.text),
    registrant: findText('EntityRegistrantName')?.text ?? null,
    form: addAmendmentSuffix(documentType?.text ?? null, findText('AmendmentFlag')?.text),
    coverPeriodEnd: parseWrittenDay(findText('DocumentPeriodEndDate')?.text),
    periodEnd: documentType?.end ?? findText('DocumentPeriodEndDate')?.end ?? null,
    focusYear: text !== undefined && /^\d{4}$/.test(text) ? Number(text) : null,
    focusPeriod: findText('DocumentFiscalPeriodFocus')?.text.toUpperCase() ?? null,
  };
}

/** Returns the form type of an amendment with `/A`; some amendments state the form type of their original. */
function addAmendmentSuffix(form: string | null, flag: string | undefined): string | null {
  const isAmendment = /^(?:true|1)$/i.test(flag ?? '');
  return form === null || !isAmendment || form.endsWith('/A') ? form : `${form}/A`;
}

type DisplayedNumber = Readonly<Partial<Record<'format' | 'scale' | 'sign', string | undefined>> & { text: string }>;

const MAX_NUMBER_LENGTH = 100;
const MAX_ABSOLUTE_SCALE = 40;
const SPACES_PATTERN = /[\s\u00a0\u2000-\u200b\u202f\u2060\ufeff]/g;

/** Returns the format without prefix and hyphens, in lower case: numdotdecimal for `ixt:num-dot-decimal`. */
const normalizeFormat = (format: string) =>
  format
    .slice(format.indexOf(':') + 1)
    .replaceAll('-', '')
    .toLowerCase();

const ZERO_FORMATS: ReadonlySet<string> = new Set(['fixedzero', 'zerodash', 'numdash']);
const COMMA_DECIMAL_FORMATS: ReadonlySet<string> = new Set(['numcommadecimal', 'numdotcomma', 'numspacecomma']);
const DOT_DECIMAL_FORMATS: ReadonlySet<string> = new Set(['numdotdecimal', 'numcommadot', 'numspacedot', 'numcomma']);

/**
 * Returns the exact value of a displayed number ("1,234.5" at scale 6 is 1234500000), or the reason why the text is not
 * a number. Formats: https://www.xbrl.org/specification/inlinexbrl-transformationregistry/
 */
export function readDisplayedNumber({ text, format, scale, sign }: DisplayedNumber): { value: Decimal } | string {
  const compactText = text.replace(SPACES_PATTERN, '');
  if (compactText.length > MAX_NUMBER_LENGTH) return 'an XBRL number that cannot be read';
  const formatName = format === undefined ? null : normalizeFormat(format);
  let number: string | null;
  if (formatName === null) number = compactText;
  else if (ZERO_FORMATS.has(formatName)) number = '0';
  else if (COMMA_DECIMAL_FORMATS.has(formatName)) number = compactText.replace(/[.'\u2019]/g, '').replace(',', '.');
  else if (DOT_DECIMAL_FORMATS.has(formatName)) number = compactText.replace(/[,'\u2019]/g, '');
  else if (formatName === 'numwordsen') number = parseNumberWord(text);
  else return 'an XBRL number in an unknown format';
  if (number === null) return 'an XBRL number in words that cannot be read';
  // The sign is an attribute, so a sign in the text is invalid.
  const value = /^\d*\.?\d*$/.test(number) ? parseDecimal(number) : null;
  if (value === null) return 'an XBRL number that cannot be read';
  const scaleText = scale === undefined || scale === '' ? '0' : scale.replace(/^\+/, '');
  if (!/^-?\d{1,2}$/.test(scaleText) || Math.abs(Number(scaleText)) > MAX_ABSOLUTE_SCALE)
    return 'an XBRL number whose scale cannot be read';
  const scaled = shiftDecimal(value, Number(scaleText));
  return { value: sign === '-' && !isZero(scaled) ? `-${scaled}` : scaled };
}

/** The words of the numbers from 0 to 20. */
const NUMBER_WORDS = [
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen',
  'eighteen nineteen twenty',
].flatMap((words) => words.split(' '));

const ZERO_WORDS_PATTERN = /^(?:no|none|nil|-|[\u2010-\u2015\u2212])$/;

/**
 * Returns the digits of an English number word up to twenty, or 0 for "no", "none", "nil" and dashes; null otherwise.
 */
function parseNumberWord(text: string): string | null {
  const word = text.trim().toLowerCase();
  const number = ZERO_WORDS_PATTERN.test(word) ? 0 : NUMBER_WORDS.indexOf(word);
  return number < 0 ? null : String(number);
}
