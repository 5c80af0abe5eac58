/** Reads the XML of an ownership filing: Form 4, Form 5, or an amendment. */
import { type Decimal, parseDecimal } from '../../contract/decimal-text.ts';
import { normalizeTicker } from '../../contract/identifiers.ts';
import { parseDay, toCik } from '../files/fields.ts';
import { findChildren, findDescendant, parseXml, readTextAt, type XmlElement, XmlError } from '../files/xml.ts';

type InsiderTradeForm = '4' | '4/A' | '5' | '5/A';

export interface Owner {
  readonly cik: number;
  readonly name: string;
  readonly isDirector: boolean;
  readonly isOfficer: boolean;
  readonly isTenPercentOwner: boolean;
  readonly isOther: boolean;
  readonly officerTitle: string | null;
  readonly otherText: string | null;
}

/** One non-derivative purchase (P) or sale (S), with figures as filed. */
export interface Trade {
  /** Position among all non-derivative transactions of the filing, from 1. */
  readonly ordinal: number;
  readonly securityTitle: string;
  readonly code: 'P' | 'S';
  readonly day: string | null;
  readonly shares: Decimal | null;
  readonly price: Decimal | null;
  /**
   * A: acquired, D: disposed, as filed. The transaction code distinguishes purchases from sales, even if this flag
   * differs.
   */
  readonly acquiredDisposed: string | null;
  readonly ownedFollowing: Decimal | null;
  /** D: direct, I: indirect. */
  readonly directIndirect: string | null;
  readonly natureOfOwnership: string | null;
  readonly footnoteIds: readonly string[];
}

export interface Footnote {
  readonly id: string;
  readonly text: string;
}

/**
 * A Form 4 or 5, or an amendment. Filings without trades are included, because an amendment may refer to such a filing.
 */
export interface OwnershipFiling {
  readonly accession: string;
  readonly form: InsiderTradeForm;
  readonly issuerCik: number;
  /** The issuer's ticker symbol as `normalizeTicker` returns it; null if the form states no valid symbol. */
  readonly issuerSymbol: string | null;
  /**
   * The filing date; null if unknown. The form lacks this date, so it comes from a list of filings, a submission header
   * or a data set.
   */
  readonly filed: string | null;
  readonly periodOfReport: string | null;
  /** For an amendment: the filing date of the original. */
  readonly originalFiled: string | null;
  /** Whether the box for plans under Rule 10b5-1(c) is checked; null for forms without the box. */
  readonly aff10b5One: boolean | null;
  readonly owners: readonly Owner[];
  readonly trades: readonly Trade[];
  readonly footnotes: readonly Footnote[];
}

/** Limits well above the largest known form, which has about 2 MB. */
const OWNERSHIP_XML_BOUNDS = { maxCharacters: 16 * 1024 * 1024, maxDepth: 24, maxElements: 400_000 };
const MAX_FIGURE_LENGTH = 40;
const INSIDER_TRADE_FORMS: ReadonlySet<string> = new Set(['4', '4/A', '5', '5/A']);

/** The content of a form. Accession number and filing date are not in the form. */
export type OwnershipDocument = Omit<OwnershipFiling, 'accession' | 'filed'>;

/** Returns the filing, or the reason why the text is not an ownership filing. */
export function readOwnershipDocument(text: string): OwnershipDocument | string {
  let root: XmlElement;
  try {
    root = parseXml(text, undefined, OWNERSHIP_XML_BOUNDS);
  } catch (cause) {
    if (cause instanceof XmlError) return 'an ownership document that is not readable XML';
    throw cause;
  }
  if (root.name !== 'ownershipDocument') return 'an XML document that is not an ownership filing';
  const form = readTextAt(root, 'documentType')?.toUpperCase();
  if (form === undefined || !isInsiderTradeForm(form))
    return form?.startsWith('3')
      ? 'a Form 3, which lists no transactions'
      : 'an ownership filing of a form other than 4 or 5';
  const issuer = toCik(readTextAt(root, 'issuer', 'issuerCik'));
  if (issuer === null) return "an ownership filing without its issuer's CIK";
  const owners = findChildren(root, 'reportingOwner').flatMap(readOwner);
  if (owners.length === 0) return 'an ownership filing without a reporting owner';
  return {
    form,
    issuerCik: issuer,
    issuerSymbol: parseIssuerSymbol(readTextAt(root, 'issuer', 'issuerTradingSymbol')),
    periodOfReport: parseDayWithoutZone(readTextAt(root, 'periodOfReport')),
    originalFiled: parseDayWithoutZone(readTextAt(root, 'dateOfOriginalSubmission')),
    aff10b5One: parseFlag(readTextAt(root, 'aff10b5One')),
    owners,
    trades: findChildren(findDescendant(root, 'nonDerivativeTable'), 'nonDerivativeTransaction').flatMap(readTrade),
    footnotes: findChildren(findDescendant(root, 'footnotes'), 'footnote').flatMap(readFootnote),
  };
}

export const isInsiderTradeForm = (form: string): form is InsiderTradeForm => INSIDER_TRADE_FORMS.has(form);

/** Parses true and false as in forms and data sets; returns null for other text. */
export function parseFlag(text: string | null): boolean | null {
  const word = text?.trim().toLowerCase();
  if (word === '1' || word === 'true' || word === 'y') return true;
  return word === '0' || word === 'false' || word === 'n' ? false : null;
}

/** Returns the text with white space collapsed to single spaces; null if empty. */
export const toSingleLine = (text: string | null): string | null => text?.replace(/\s+/g, ' ').trim() || null;

function readOwner(element: XmlElement): Owner[] {
  const cik = toCik(readTextAt(element, 'reportingOwnerId', 'rptOwnerCik'));
  if (cik === null) return [];
  const relation = findDescendant(element, 'reportingOwnerRelationship');
  const readFlag = (name: string) => parseFlag(readTextAt(relation, name)) ?? false;
  return [
    {
      cik,
      name: toSingleLine(readTextAt(element, 'reportingOwnerId', 'rptOwnerName')) ?? `CIK ${cik}`,
      isDirector: readFlag('isDirector'),
      isOfficer: readFlag('isOfficer'),
      isTenPercentOwner: readFlag('isTenPercentOwner'),
      isOther: readFlag('isOther'),
      officerTitle: toSingleLine(readTextAt(relation, 'officerTitle')),
      otherText: toSingleLine(readTextAt(relation, 'otherText')),
    },
  ];
}

function readTrade(row: XmlElement, index: number): Trade[] {
  const code = readTextAt(row, 'transactionCoding', 'transactionCode');
  if (code !== 'P' && code !== 'S') return [];
  const amounts = findDescendant(row, 'transactionAmounts');
  const nature = findDescendant(row, 'ownershipNature');
  const holding = findDescendant(row, 'postTransactionAmounts');
  return [
    {
      ordinal: index + 1,
      securityTitle: toSingleLine(readTextAt(row, 'securityTitle', 'value')) ?? '',
      code,
      day: parseDayWithoutZone(readTextAt(row, 'transactionDate', 'value')),
      shares: parseFigure(readTextAt(amounts, 'transactionShares', 'value')),
      price: parseFigure(readTextAt(amounts, 'transactionPricePerShare', 'value')),
      acquiredDisposed: readTextAt(amounts, 'transactionAcquiredDisposedCode', 'value'),
      ownedFollowing: parseFigure(readTextAt(holding, 'sharesOwnedFollowingTransaction', 'value')),
      directIndirect: readTextAt(nature, 'directOrIndirectOwnership', 'value'),
      natureOfOwnership: toSingleLine(readTextAt(nature, 'natureOfOwnership', 'value')),
      footnoteIds: [...new Set(findFootnoteIds(row))],
    },
  ];
}

/** Yields the footnote ids in the element, in document order. */
function* findFootnoteIds(element: XmlElement): Generator<string> {
  if (element.name === 'footnoteId' && element.attributes.id !== undefined) yield element.attributes.id;
  for (const child of element.children) yield* findFootnoteIds(child);
}

function readFootnote(element: XmlElement): Footnote[] {
  const { id } = element.attributes;
  const text = toSingleLine(element.text);
  return id === undefined || text === null ? [] : [{ id, text }];
}

/** Returns the date without its time zone, if any. */
const parseDayWithoutZone = (text: string | null): string | null => parseDay(text?.slice(0, 10));

/** Returns the figure as filed; null if the text is not a number, or longer than any real figure. */
export function parseFigure(text: string | null): Decimal | null {
  const figure = text === null ? null : parseDecimal(text.trim());
  return figure !== null && figure.length <= MAX_FIGURE_LENGTH ? figure : null;
}

/** An exchange or market before the symbol: `NYSE: X`, `NASDAQ/X`, `OTCQB:X`. */
const EXCHANGE_PREFIX_PATTERN = /^(?:NYSE(?: (?:AMERICAN|ARCA|MKT))?|NASDAQ|AMEX|OTC(?:BB|QB|QX)?)\s*[:/-]\s*/;
/** Quotation services after the symbol: `X.PK`, `X.OB`. */
const QUOTATION_SUFFIX_PATTERN = /\.(?:PK|OB)$/;
/**
 * Matches the second symbol and everything after it: `X, XA`, `X AND XA`, `ABC/ABCD`. A single letter after a slash is
 * a share class and is not matched.
 */
const SECOND_SYMBOL_PATTERN = /\s*(?:[,;&]|\bAND\b|\/(?=[A-Z]{2})).*$/;
/** Up to five letters, possibly with a class letter A to E. Other letters denote units, warrants, rights and so on. */
const SYMBOL_PATTERN = /^[A-Z]{1,5}(?:[. /-][A-E])?$/;
/** Maximum number of characters of a text that are read. */
const MAX_SYMBOL_TEXT_LENGTH = 60;
/** Placeholders and names of exchanges that look like a symbol. */
const PLACEHOLDER_PATTERN = /^(?:N[ ./-]?A|NONE|NULL|NIL|TBD|TBA|OTC|NYSE|AMEX)$/;

/**
 * Returns the first symbol in the form's field for the issuer's symbol, which is free text, in the form that
 * `normalizeTicker` returns; null if the text has no symbol.
 */
export function parseIssuerSymbol(text: string | null): string | null {
  const symbol = (text ?? '')
    .slice(0, MAX_SYMBOL_TEXT_LENGTH)
    .toUpperCase()
    .replace(/[()[\]"']/g, '')
    .trim()
    .replace(EXCHANGE_PREFIX_PATTERN, '')
    .replace(SECOND_SYMBOL_PATTERN, '')
    .replace(QUOTATION_SUFFIX_PATTERN, '');
  return SYMBOL_PATTERN.test(symbol) && !PLACEHOLDER_PATTERN.test(symbol) ? normalizeTicker(symbol) : null;
}
