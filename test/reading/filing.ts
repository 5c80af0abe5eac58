/** Makes documents in the shapes of filings. */

import { type ReadingDocument, readDocument } from '../../src/reading/document.ts';
import { findItems, type Item } from '../../src/reading/items.ts';

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

export const readHtml = (body: string): ReadingDocument =>
  readDocument(encode(`<html><body>${body}</body></html>`), 'a.htm');

export interface Section {
  readonly item: string;
  readonly title: string;
  readonly text?: string;
  /** HTML instead of the usual heading. */
  readonly heading?: string;
  /** HTML instead of the usual row of the contents; empty for no row. */
  readonly row?: string;
}

export const ANNUAL: readonly Section[] = [
  { item: '1', title: 'Business' },
  { item: '1A', title: 'Risk Factors' },
  { item: '1B', title: 'Unresolved Staff Comments' },
  { item: '2', title: 'Properties' },
  { item: '3', title: 'Legal Proceedings' },
  { item: '4', title: 'Mine Safety Disclosures' },
  { item: '5', title: 'Market for Registrant’s Common Equity' },
  { item: '7', title: 'Management’s Discussion and Analysis of Financial Condition and Results of Operations' },
  { item: '7A', title: 'Quantitative and Qualitative Disclosures About Market Risk' },
  { item: '8', title: 'Financial Statements and Supplementary Data' },
  { item: '9', title: 'Changes in and Disagreements With Accountants on Accounting and Financial Disclosure' },
  { item: '9A', title: 'Controls and Procedures' },
  { item: '10', title: 'Directors, Executive Officers and Corporate Governance' },
  { item: '11', title: 'Executive Compensation' },
  { item: '12', title: 'Security Ownership of Certain Beneficial Owners and Management' },
  { item: '13', title: 'Certain Relationships and Related Transactions' },
  { item: '14', title: 'Principal Accountant Fees and Services' },
  { item: '15', title: 'Exhibits and Financial Statement Schedules' },
];

/** Replaces sections of an annual report, by item. */
export const annual = (changes: Record<string, Partial<Section>>): Section[] =>
  ANNUAL.map((section) => ({ ...section, ...changes[section.item] }));

/** One page per section, its number at the foot; the contents name the page and, if wanted, link to it. */
export function filingBody(sections: readonly Section[], { links = true, contents = true } = {}): string {
  const rows = sections.map(({ item, title, row }, index) => {
    const page = index + 1;
    const cell = links ? `<a href="#s${page}">Item ${item}.</a>` : `Item ${item}.`;
    return row ?? `<tr><td>${cell}</td><td>${title}</td><td>${page}</td></tr>`;
  });
  const pages = sections.map(
    ({ item, title, text = `Prose of ${item}, long enough to be a paragraph.`, heading }, index) => {
      const page = index + 1;
      return `<div id="s${page}"></div>${heading ?? `<p><b>Item ${item}. ${title}</b></p>`}<p>${text}</p><p>${page}</p><hr style="page-break-after:always">`;
    },
  );
  return `${contents ? `<table>${rows.join('')}</table><hr>` : ''}${pages.join('')}<p><b>SIGNATURES</b></p><p>Signed.</p>`;
}

export function findAnnualItems(
  body: string,
  day = '2022-12-31',
): { document: ReadingDocument; items: Map<string, Item> } {
  const document = readHtml(body);
  return { document, items: new Map(findItems(document, '10-K', day).map((item) => [item.item, item])) };
}
