/** Reads the tagged facts of a filing's report, be it inline XBRL (10-K, 10-Q) or an XBRL instance. */
import { parseDecimal } from '../../contract/decimal-text.ts';
import { cikOf } from '../files/json.ts';
import { XmlError } from '../files/xml.ts';
import type { CoverText, TaggedFact, TaggedReport } from './tagged-report.ts';
import { localName, readXbrlDocument, type WrittenFact, type XbrlDocument } from './xbrl-document.ts';
import { readDisplayedNumber } from './xbrl-number.ts';

/** Throws XmlError when the document is not well-formed or exceeds the bounds; a bad fact is skipped. */
export function readXbrlReport(bytes: Buffer): TaggedReport {
  const [report] = readXbrlReports([bytes]);
  if (report === undefined) throw new XmlError('no document');
  return report;
}

/**
 * Reads the documents of one filing, each as a report of its own. Tags may spread over several documents, such as an
 * exhibit with the statements; contexts, units and the cover are then in one of them.
 */
export function readXbrlReports(documents: readonly Buffer[]): TaggedReport[] {
  const read = documents.map(readXbrlDocument);
  // The first definition of an id counts.
  const shared = {
    contexts: new Map(read.toReversed().flatMap(({ contexts }) => [...contexts])),
    units: new Map(read.toReversed().flatMap(({ units }) => [...units])),
  };
  const reports = read.map((document) => factsOf(document, shared));
  const identity = reportIdentity(reports.flatMap(({ cover }) => cover));
  return reports.map((report) => ({
    ...report,
    ...identity,
    cover: report.cover.map(({ name, text, dimensions }) => ({ name, text, dimensions })),
  }));
}

/** Contexts and units of all documents of the filing. */
type References = Pick<XbrlDocument, 'contexts' | 'units'>;

function factsOf(document: XbrlDocument, { contexts, units }: References) {
  const { kind, skipped } = document;
  const facts: TaggedFact[] = [];
  const cover: (CoverText & { readonly end: string })[] = [];
  for (const written of document.facts) {
    const { contextRef, unitRef } = written.attributes;
    const context = contextRef === undefined ? undefined : contexts.get(contextRef);
    if (contextRef === undefined || context === undefined) skipped.add('a fact whose context is missing or invalid');
    else if (written.nil) skipped.add('a fact without a value (nil)');
    else if (unitRef === undefined) {
      const text = written.text.replace(/\s+/g, ' ').trim();
      cover.push({ name: localName(written.concept), text, dimensions: context.dimensions, end: context.end });
    } else {
      const unit = units.get(unitRef);
      const number = unit === undefined ? 'a fact whose unit is missing' : readValue(written);
      if (typeof number === 'string' || unit === undefined) skipped.add(String(number));
      else
        facts.push({
          concept: written.concept,
          unit,
          start: context.start,
          end: context.end,
          value: number.value,
          decimals: readDecimals(written.attributes.decimals),
          dimensions: context.dimensions,
          place: {
            context: contextRef,
            line: written.attributes.id ?? null,
            hidden: written.hidden,
          },
        });
    }
  }
  return { kind, facts, cover, skipped: skipped.counts() };
}

function readValue({ inline, text, attributes }: WrittenFact): { value: string } | string {
  if (inline) {
    const { format, scale, sign } = attributes;
    return readDisplayedNumber({ text, format, scale, sign });
  }
  const value = text.length > 200 ? null : parseDecimal(text.trim());
  return value === null ? 'a number that cannot be read' : { value };
}

function readDecimals(text: string | undefined): number | null {
  return text !== undefined && /^-?\d{1,3}$/.test(text) ? Number(text) : null;
}

type Identity = Pick<TaggedReport, 'cik' | 'form' | 'periodEnd' | 'focusYear' | 'focusPeriod'>;

/** The context of the document's type ends with the period reported on. */
function reportIdentity(cover: readonly (CoverText & { readonly end: string })[]): Identity {
  const find = (name: string) => cover.find((text) => text.name === name && text.text !== '');
  const year = find('DocumentFiscalYearFocus')?.text.replace(/^--/, '');
  const form = find('DocumentType');
  return {
    cik: cikOf(find('EntityCentralIndexKey')?.text),
    form: form?.text ?? null,
    periodEnd: form?.end ?? find('DocumentPeriodEndDate')?.end ?? null,
    focusYear: year !== undefined && /^\d{4}$/.test(year) ? Number(year) : null,
    focusPeriod: find('DocumentFiscalPeriodFocus')?.text.toUpperCase() ?? null,
  };
}
