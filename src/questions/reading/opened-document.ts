/** A document that was read, with its items, and the choice of one of them. */
import type { FilingReader } from '../../ask/command/command.ts';
import type { DocumentChoice } from '../../client/request/ports.ts';
import { Failure, failUsage } from '../../contract/failure.ts';
import type { FilingSource } from '../../contract/resources/filings.ts';
import { quote } from '../../contract/text/quote.ts';
import { call, option, say, type Text } from '../../contract/text/text.ts';
import { readDocument } from '../../reading/document.ts';
import { EXECUTIVE_OFFICERS, formatItem, hasItems, resolveItem } from '../../reading/item-names.ts';
import { findItems, type Item, type Reason } from '../../reading/items.ts';
import type { ChosenFiling } from './options.ts';

export type OpenedDocument = Awaited<ReturnType<typeof openDocument>>;

export async function openDocument(reader: FilingReader, filing: ChosenFiling, choice: DocumentChoice) {
  const source = await reader.find(filing.accession);
  const file = await reader.read(source, choice);
  const document = readDocument(file.bytes, file.name);
  const isOwn = choice.kind === 'own' || file.type === filing.form;
  /** Items of the form's own document; empty for exhibits and other files. */
  const items: readonly Item[] = isOwn ? findItems(document, filing.form, filing.day) : [];
  return { source, filing, file, document, items };
}

/** Returns a text such as `10-K of Apple Inc., filed 2024-11-01`. */
const describeFiling = ({ form, entity_name: company, filed_at: filed }: FilingSource): string =>
  `${form} of ${company}${filed == null ? '' : `, filed ${filed}`}`;

/**
 * Returns the item that the user's words name. Throws a usage Failure if the words name no item or several items of the
 * form, and a `not_found` Failure if the document lacks the item.
 */
export function chooseItem(opened: OpenedDocument, words: string): Item {
  const { filing, items, source, file } = opened;
  const { form, day } = filing;
  if (!hasItems(form) || file.type.startsWith('EX-'))
    failUsage(`fin does not know the items of ${file.type || file.name}.`, makeWholeHint(opened));
  const names = resolveItem(words, form, day);
  const [name, ...others] = names;
  if (name === undefined) failUsage(`${quote(words)} is not an item of form ${form}.`, makeItemsHint(opened));
  if (others.length > 0) {
    const list = names.map((each) => `${formatItem(each, form)} (${each.title})`).join(', ');
    const hint = say`Name one: ${option('item', formatItem(name, form))}`;
    failUsage(`${quote(words)} may be several items of form ${form}: ${list}.`, hint);
  }
  const item = items.find((each) => each.part === name.part && each.item === name.item);
  if (item !== undefined) return item;
  const lack =
    name === EXECUTIVE_OFFICERS
      ? 'has no proven part about executive officers at the end of Item 4'
      : `does not list Item ${formatItem(name, form)}`;
  throw new Failure('not_found', `The ${describeFiling(source)} ${lack}.`, { hint: makeItemsHint(opened) });
}

/** Throws the Failure `unproven` for an item that is not proven: its start or end may be wrong. */
export function requireProven(opened: OpenedDocument, item: Item): void {
  if (item.status === 'proven') return;
  const subject = `Item ${formatItem(item, opened.filing.form)} of the ${describeFiling(opened.source)}`;
  const state = item.status === 'by_reference' ? 'has little text of its own' : 'is not proven';
  throw new Failure('unproven', `${subject} ${state}: ${explainStatus(item, opened.filing.form)}.`, {
    hint: makeInsteadHint(opened, item),
  });
}

/** Returns the reason why an item is not proven, as the end of a sentence. */
export function explainStatus({ status, reason, pages, pointer }: Item, form: string): string {
  const place = shorten(pointer ?? '').replace(/\.$/, '');
  if (status === 'page_ranges' && pages.length === 0) return `the cross-reference index says only: ${place}`;
  if (status === 'page_ranges') return `a cross-reference index names only ${formatPages(pages)}`;
  if (status === 'by_reference') return `most of it names another place${pointer === null ? '' : `: ${place}`}`;
  return reason === null ? 'fin found no evidence' : explainReason(reason, form);
}

const MAX_POINTER_LENGTH = 200;

const shorten = (text: string) => (text.length > MAX_POINTER_LENGTH ? `${text.slice(0, MAX_POINTER_LENGTH)}…` : text);

function explainReason(reason: Reason, form: string): string {
  switch (reason.code) {
    case 'no_heading':
      return 'the table of contents lists it, but its heading was not found';
    case 'twin_headings':
      return `${reason.offsets.length} headings may begin it`;
    case 'little_evidence':
      return `only one kind of evidence supports its heading (${reason.kinds.join(', ') || 'none'})`;
    case 'contradiction':
      return `the table of contents expects ${quote(reason.expected)}, but its heading has ${quote(reason.actual)} (${reason.kind})`;
    case 'end_unproven':
      return `its end is not proven${reason.next === null ? '' : `, because the start of Item ${reason.next} of the ${form} is not`}`;
    case 'heading_inside':
      return `its text contains the heading of Item ${reason.item}`;
  }
}

const formatRange = ({ from, to }: Item['pages'][number]): string => (from === to ? from : `${from}-${to}`);

/** Returns a text such as `page 28` or `pages 16, 74-76`. */
export const formatPages = (pages: Item['pages']): string => {
  const text = pages.map(formatRange).join(', ');
  return pages.length === 1 && pages[0]?.from === pages[0]?.to ? `page ${text}` : `pages ${text}`;
};

function makeInsteadHint(opened: OpenedDocument, { status, pages: [range] }: Item): Text {
  const { accession } = opened.filing;
  if (status !== 'page_ranges' || range === undefined) return makeItemsHint(opened);
  return say`To read these pages: ${call('read', { ticker: accession, pages: formatRange(range) })}. They may also have text of other items, and the item may go on after them.`;
}

const makeItemsHint = (opened: OpenedDocument): Text =>
  say`Its items: ${call('read', { ticker: opened.filing.accession, items: true })}. ${makeWholeHint(opened)}`;

const makeWholeHint = ({ filing }: OpenedDocument): Text =>
  say`The whole document: ${call('read', { ticker: filing.accession })}`;
