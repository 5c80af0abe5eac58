/** Results of `fin read`: a text with its evidence, or the items of a document. */
import type { ResultMembers } from '../../ask/command/command.ts';
import { quote } from '../../contract/text/quote.ts';
import { call, say } from '../../contract/text/text.ts';
import { formatItem } from '../../reading/item-names.ts';
import type { Evidence, Item } from '../../reading/items.ts';
import type { TextFormat } from '../../reading/section-text.ts';
import { makeFieldsBlock, makeTitleBlock } from '../../result/blocks.ts';
import { makeNote } from '../../result/notice.ts';
import type { LabelledValue } from '../../result/result.ts';
import { makeFieldColumns, makeTable } from '../../result/table.ts';
import { explainStatus, formatPages, type OpenedDocument } from './opened-document.ts';

/** Returns the fields that identify the document in rows and JSON. */
export const identify = ({ source, file }: OpenedDocument) => ({
  ticker: source.ticker ?? null,
  entity_name: source.entity_name,
  form: source.form,
  filed_at: source.filed_at ?? null,
  accession_number: source.accession_number,
  document: file.name,
  url: file.url,
});

export const DOCUMENT_COLUMNS = [
  ...makeFieldColumns('ticker', 'entity_name', 'form', 'filed_at', 'accession_number', 'document'),
];

export const ADDRESS_COLUMN = { key: 'url', label: 'Address', drop: 2 } as const;

/** Returns a text such as `Apple Inc. (AAPL), 10-K, filed 2024-11-01`. */
const formatTitle = ({ source, file }: OpenedDocument): string => {
  const { entity_name: company, ticker, form, filed_at: filed } = source;
  const exhibit = file.type === form || file.type === '' ? '' : `, ${file.type}`;
  return `${company}${ticker == null ? '' : ` (${ticker})`}, ${form}${exhibit}${filed == null ? '' : `, filed ${filed}`}`;
};

/** Returns the member `document` of a result: a function that returns its JSON. */
export const makeDocument =
  (data: unknown, meta: object, others: object = {}) =>
  () => [JSON.stringify({ data, meta, ...others }, null, 2)];

/** Maximum number of characters of a paragraph in rows; longer paragraphs are divided, so that each part fits a page. */
const MAX_PARAGRAPH_LENGTH = 4000;

const splitParagraphs = (text: string): string[] =>
  text
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .flatMap((paragraph) => paragraph.match(new RegExp(`[^]{1,${MAX_PARAGRAPH_LENGTH}}`, 'g')) ?? []);

const TEXT_COLUMNS = makeFieldColumns('item', 'heading', 'status', 'paragraph', 'text');
const BY_REFERENCE_STATUS = ['Status', 'by reference: most of this section refers to another place'] as const;

/** @param item null for pages or a whole document */
export function makeTextResult(
  opened: OpenedDocument,
  item: Item | null,
  getText: (format: TextFormat) => string,
  meta: object,
): ResultMembers {
  const text = getText('text');
  const fields = { ...identify(opened), ...(item === null ? {} : describe(opened, item)) };
  const title = item === null ? formatTitle(opened) : `${formatTitle(opened)}: ${item.heading ?? item.title}`;
  const facts: LabelledValue[] = [
    ['Address', { text: opened.file.url, link: opened.file.url }],
    ...(item?.status === 'by_reference' ? [BY_REFERENCE_STATUS] : []),
    ...(item === null ? [] : listEvidence(item)),
  ];
  return {
    title,
    facts: item === null ? [] : facts,
    tables: [
      makeTable({
        name: 'text',
        columns: [...DOCUMENT_COLUMNS, ...TEXT_COLUMNS, ADDRESS_COLUMN],
        records: () =>
          splitParagraphs(text).map((paragraph, index) => {
            return { ...identify(opened), ...pickItem(opened, item), paragraph: index + 1, text: paragraph };
          }),
      }),
    ],
    layout: () => [
      makeTitleBlock(title),
      makeFieldsBlock(facts),
      { kind: 'text', text, getMarkdown: () => getText('markdown') },
    ],
    notices: item === null ? [] : makeInsideNotes(opened, item),
    document: makeDocument({ ...fields, text }, meta),
  };
}

/** Returns notices that an item ends with an unnumbered part, with the command that reads only this part. */
const makeInsideNotes = ({ items, filing }: OpenedDocument, item: Item) =>
  items
    .filter(({ start }) => item.start !== null && start !== null && start.block > item.start.block)
    .filter((other) => other.end?.block === item.end?.block)
    .map((part) => {
      const alone = call('read', { ticker: filing.accession, item: formatItem(part, filing.form) });
      const name = quote(part.heading ?? part.title);
      return makeNote('part_inside', say`This item ends with an unnumbered part, ${name}. To read it alone: ${alone}`);
    });

export function makeItemsResult(opened: OpenedDocument, meta: object): ResultMembers {
  const { items, filing } = opened;
  const records = items.map((item) => ({ ...identify(opened), ...toItemFields(opened, item) }));
  return {
    title: formatTitle(opened),
    tables: [
      makeTable({
        name: 'items',
        columns: [
          ...DOCUMENT_COLUMNS,
          { key: 'item', label: 'Item' },
          { key: 'item_title', label: 'Title' },
          { key: 'status', label: 'Status' },
          { key: 'characters', label: 'Characters', align: 'right' },
          { key: 'heading', label: 'Heading', drop: 3 },
          { key: 'start_offset' },
          { key: 'end_offset' },
          { key: 'start_evidence', label: 'Evidence of start', drop: 2 },
          { key: 'end_evidence', label: 'Evidence of end', drop: 4 },
          { key: 'detail', label: 'Detail', wrapped: true, drop: 1 },
          ADDRESS_COLUMN,
        ],
        shownKeys: ['item', 'item_title', 'status', 'characters', 'start_evidence', 'detail'],
        records: () => records,
      }),
    ],
    ...(items.length > 0 ? {} : { notes: [`fin found no items in ${opened.file.name} (form ${filing.form}).`] }),
    document: makeDocument({ ...identify(opened), items: items.map((item) => describe(opened, item)) }, meta),
  };
}

const formatKinds = (evidence: readonly Evidence[]): string | null =>
  evidence.length === 0 ? null : [...new Set(evidence.map(({ kind }) => kind))].join(', ');

const pickItem = ({ filing }: OpenedDocument, item: Item | null) => ({
  item: item === null ? null : formatItem(item, filing.form),
  heading: item?.heading ?? null,
  status: item?.status ?? null,
});

function toItemFields(opened: OpenedDocument, item: Item) {
  const { start, end, status, pages, pointer } = item;
  const describeDetail = (): string | null => {
    if (status === 'proven') return null;
    if (status === 'page_ranges') return pages.length === 0 ? pointer : formatPages(pages);
    return pointer ?? explainStatus(item, opened.filing.form);
  };
  return {
    ...pickItem(opened, item),
    item_title: item.title,
    start_offset: start?.offset ?? null,
    end_offset: end?.offset ?? null,
    characters: start === null || end === null ? null : end.offset - start.offset,
    start_evidence: formatKinds(item.startEvidence),
    end_evidence: formatKinds(item.endEvidence),
    detail: describeDetail(),
  };
}

/** Returns the fields of an item in JSON, with all evidence. */
const describe = (opened: OpenedDocument, item: Item) => ({
  ...toItemFields(opened, item),
  start_evidence: item.startEvidence,
  end_evidence: item.endEvidence,
  shared_with: item.sharedWith,
  pages: item.pages,
  pointer: item.pointer,
  reason: item.reason,
});

const formatEvidence = (evidence: readonly Evidence[]): string =>
  evidence.map(({ kind, value }) => (value === '' ? kind : `${kind} (${value})`)).join(', ');

const listEvidence = ({ start, end, startEvidence, endEvidence, sharedWith }: Item): LabelledValue[] => [
  ...(start === null ? [] : [['Start', `character ${start.offset}: ${formatEvidence(startEvidence)}`] as const]),
  ...(end === null ? [] : [['End', `character ${end.offset}: ${formatEvidence(endEvidence)}`] as const]),
  ...(sharedWith.length === 0 ? [] : [['Together with', `Item ${sharedWith.join(', ')}`] as const]),
];
