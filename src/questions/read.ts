import { type Delegation, defineCommand, type ResultContext, type ResultMembers } from '../ask/command/command.ts';
import type { GivenOptions } from '../ask/command/option-spec.ts';
import { Failure, failUsage } from '../contract/failure.ts';
import { option, say } from '../contract/text/text.ts';
import { pagesText, sectionText } from '../reading/section-text.ts';
import { chooseItem, type OpenedDocument, openDocument, requireProven } from './reading/opened-document.ts';
import {
  chooseFiling,
  delegateFilings,
  type FilingsAnswer,
  findOption,
  READING_OPTIONS,
  readDocumentChoice,
  readForms,
  refuseCharts,
  requestFilings,
  TICKER_HELP,
  toDocumentRequest,
} from './reading/options.ts';
import { makeItemsResult, makeTextResult } from './reading/section-result.ts';

const command = defineCommand({
  operation: 'filings',
  name: 'read',
  parameters: ['until'],
  parameterHelp: { ticker: TICKER_HELP, until: 'Read the newest filing up to this day' },
  args: [{ parameter: 'ticker', many: true }],
  options: [
    {
      name: 'item',
      value: 'name',
      help: 'Item to read, such as 1A, II.1A or "risk factors" (default: the whole document)',
    },
    { name: 'items', help: 'List the items: their size, and how reliably their start and end were found' },
    { name: 'form', value: 'type', help: 'Read the newest filing of this form (default: the annual report)' },
    { name: 'exhibit', value: 'number', help: 'Read an exhibit, such as 99.1, instead of the document of the form' },
    { name: 'document', value: 'file', help: "Read this file of the filing's folder" },
    { name: 'pages', value: 'range', help: 'Read printed pages, such as 46-60' },
    ...READING_OPTIONS,
  ],
  fetchesAllRows: true,
  choosesRows: true,
  help:
    'Reads the newest filing of a company, or a filing by its accession number. A section is printed only if its start and end ' +
    'are proven by evidence, such as links and page numbers in the table of contents, titles, and the order of the items. ' +
    'Otherwise fin says why the section is not proven, and what can be read instead (exit code 10). See: fin help reading',
  examples: {
    'read AAPL --item 1A': 'the risk factors of the latest annual report',
    'read AAPL --items': 'the items of the annual report, and how the start and end of each were found',
    'read AAPL --form 8-K --exhibit 99.1 --output md': 'the press release of the latest current report, as Markdown',
  },
  delegate: async (parsed): Promise<Delegation | null> => delegateFilings(command, parsed, ['form', 'until']),
  request: (parsed) => {
    checkOptions(parsed.options);
    return requestFilings(parsed, readForms(parsed.options), 1);
  },
  documents: (data, options) => [toDocumentRequest(chooseFiling(data, options), options)],
  result: readResult,
});

export default command;

/** Throws a usage Failure for options that contradict each other. */
function checkOptions(options: GivenOptions): void {
  refuseCharts(options);
  const [first, second] = ['item', 'items', 'pages'].filter((name) => options.has(name));
  if (first !== undefined && second !== undefined)
    failUsage(say`${option(first)} and ${option(second)} both choose what is printed: give one.`);
  readDocumentChoice(options);
  readPages(options);
}

function readPages(options: GivenOptions): { from: string; to: string } | null {
  const text = findOption(options, 'pages');
  if (text === null) return null;
  const [, from, to = from] =
    /^\s*((?:[A-Z]{1,2}-?)?\d{1,4})(?:\s*-\s*((?:[A-Z]{1,2}-?)?\d{1,4}))?\s*$/i.exec(text) ?? [];
  if (from !== undefined && to !== undefined) return { from: from.toUpperCase(), to: to.toUpperCase() };
  failUsage(say`${option('pages', text)} is not a range of printed pages, such as 46-60 or F-3-F-9.`);
}

async function readResult(answer: FilingsAnswer, { options, withFilings }: ResultContext): Promise<ResultMembers> {
  const { data, meta } = answer;
  const filing = chooseFiling(data, options);
  const opened = await withFilings((reader) => openDocument(reader, filing, readDocumentChoice(options)));
  const words = findOption(options, 'item');
  if (options.has('items')) return makeItemsResult(opened, meta);
  if (words !== null) return readItem(opened, words, meta);
  const pages = readPages(options);
  const getText = (format: 'text' | 'markdown') =>
    pages === null
      ? sectionText(opened.document, null, format)
      : (pagesText(opened.document, pages.from, pages.to, format) ?? failPages(opened, pages.from, pages.to));
  return makeTextResult(opened, null, getText, meta);
}

function readItem(opened: OpenedDocument, words: string, meta: object): ResultMembers {
  const item = chooseItem(opened, words);
  if (item.status !== 'by_reference') requireProven(opened, item);
  return makeTextResult(opened, item, (format) => sectionText(opened.document, item, format), meta);
}

function failPages({ document, file }: OpenedDocument, from: string, to: string): never {
  const pages = [...new Set(document.blocks.flatMap(({ page }) => page ?? []))];
  const range = pages.length === 0 ? 'It has no page numbers.' : `It has pages ${pages[0]} to ${pages.at(-1)}.`;
  throw new Failure('not_found', `${file.name} has no pages ${from} to ${to}. ${range}`);
}
