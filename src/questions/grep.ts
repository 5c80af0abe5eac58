import type { Delegation, FilingReader, ResultContext, ResultMembers } from '../ask/command/command.ts';
import { defineCommand } from '../ask/command/command.ts';
import type { GivenOptions } from '../ask/command/option-spec.ts';
import { failUsage, isFailure } from '../contract/failure.ts';
import { findGivenText } from '../contract/question.ts';
import { formatCount } from '../contract/text/format-counts.ts';
import { joinTexts, option, say } from '../contract/text/text.ts';
import { formatItem } from '../reading/item-names.ts';
import { makeSearch, type Search } from '../reading/search-text.ts';
import { makeNoteIf, makeWarning, type Notice } from '../result/notice.ts';
import { makeFieldColumns, makeTable } from '../result/table.ts';
import { openDocument } from './reading/opened-document.ts';
import {
  ANNUAL_FORMS,
  type ChosenFiling,
  delegateFilings,
  type FilingsAnswer,
  findOption,
  listFilings,
  READING_OPTIONS,
  readDocumentChoice,
  refuseCharts,
  requestFilings,
  TICKER_HELP,
  toDocumentRequest,
} from './reading/options.ts';
import { ADDRESS_COLUMN, DOCUMENT_COLUMNS, identify, makeDocument } from './reading/section-result.ts';

const DEFAULT_FORMS = [...ANNUAL_FORMS, '10-Q'];
/** Number of newest filings that are searched if neither a day nor a limit is given. */
const DEFAULT_FILINGS = 5;
const MAX_FILINGS = 100;
const DEFAULT_CONTEXT = 12;
const MAX_CONTEXT = 200;

const command = defineCommand({
  operation: 'filings',
  name: 'grep',
  parameters: ['forms', 'since', 'until', 'limit'],
  parameterHelp: {
    ticker: TICKER_HELP,
    forms: 'Forms to search, matched exactly (default: annual and quarterly reports)',
    since: 'Search filings filed on or after this day',
    until: 'Search filings filed on or before this day',
    limit: `Maximum number of filings to search for each company (default: ${DEFAULT_FILINGS}; with --since: ${MAX_FILINGS})`,
  },
  args: [
    { parameter: 'pattern', own: 'Words or regular expression to find', freeText: true },
    { parameter: 'ticker', many: true },
  ],
  options: [
    { name: 'fixed', short: 'F', help: 'Search for the text itself, not for a regular expression' },
    { name: 'context', value: 'count', help: `Number of words around a match (default: ${DEFAULT_CONTEXT})` },
    { name: 'count', help: 'Print only the number of matches in each filing' },
    { name: 'exhibit', value: 'number', help: 'Search an exhibit, such as 99.1, instead of the document of the form' },
    ...READING_OPTIONS,
  ],
  fetchesAllRows: true,
  help:
    'Searches the text of filings, with the regular expressions of RE2, which have no lookaround and no backreferences. Upper ' +
    `and lower case are the same, unless the pattern has a capital. By default, searches the newest ${DEFAULT_FILINGS} annual and quarterly ` +
    'reports of each company; with --since, all since that day. The column Item names the section that contains the match, ' +
    'if the start and end of that section are proven (see: fin help reading).',
  examples: {
    'grep tariff AAPL MSFT --since 2y':
      'matches in the annual and quarterly reports of two years, with the words around each match',
    'grep -F "going concern" AAPL --forms 10-K --count': 'the number of matches in each annual report',
  },
  delegate: async (parsed): Promise<Delegation | null> =>
    delegateFilings(command, parsed, ['forms', 'since', 'until', 'limit']),
  request: (given) => {
    readSearch(given.args, given.options);
    const forms = findGivenText(given.givenParameters, 'forms')?.split(',') ?? DEFAULT_FORMS;
    const limit = Number(findGivenText(given.givenParameters, 'limit') ?? Number.NaN);
    const max = given.options.has('since') || given.options.has('all') ? MAX_FILINGS : DEFAULT_FILINGS;
    return requestFilings(given, forms, Number.isNaN(limit) ? max : limit);
  },
  documents: (data, options) => listFilings(data).map((filing) => toDocumentRequest(filing, options)),
  result: searchFilings,
});

export default command;

/** Returns the search that the pattern and the options state. Throws a usage Failure if they are invalid. */
function readSearch([pattern = '']: readonly string[], options: GivenOptions): Search {
  refuseCharts(options);
  const text = findOption(options, 'context') ?? String(DEFAULT_CONTEXT);
  if (!/^\d{1,3}$/.test(text) || Number(text) > MAX_CONTEXT)
    failUsage(say`${option('context', text)} is not a whole number from 0 to ${MAX_CONTEXT}.`);
  return makeSearch(pattern, { fixed: options.has('fixed'), context: Number(text) });
}

type SearchedFiling = Awaited<ReturnType<typeof searchFiling>>;

async function searchFilings(answer: FilingsAnswer, context: ResultContext): Promise<ResultMembers> {
  const { data, meta } = answer;
  const { args, options, withFilings } = context;
  const search = readSearch(args, options);
  const filings = listFilings(data);
  const searchedFilings: SearchedFiling[] = [];
  const notices: Notice[] = [];
  await withFilings(async (reader) => {
    for (const filing of filings) {
      try {
        searchedFilings.push(await searchFiling(reader, filing, search, options));
      } catch (error) {
        notices.push(makeUnreadWarning(filing, error, filings.length));
      }
    }
  });
  const matches = searchedFilings.flatMap((filing) => filing.matches);
  const filingsText = formatCount(searchedFilings.length, 'filing');
  const isFruitless = matches.length === 0 && searchedFilings.length > 0;
  const [match] = matches;
  const count = formatCount(matches.length, 'match', 'matches');
  return {
    title: match === undefined ? null : `${searchedFilings[0]?.fields.entity_name}: ${count} in ${filingsText}`,
    total: options.has('count') ? searchedFilings.length : matches.length,
    tables: [options.has('count') ? makeCountTable(searchedFilings) : makeMatchTable(matches)],
    notices: [...notices, ...makeNoteIf(isFruitless, 'no_matches', `No match in ${filingsText}.`)],
    document: makeDocument(matches, meta, { fin: { searched: searchedFilings.map(toCountRow) } }),
  };
}

async function searchFiling(reader: FilingReader, filing: ChosenFiling, search: Search, options: GivenOptions) {
  const opened = await openDocument(reader, filing, readDocumentChoice(options));
  const fields = identify(opened);
  const matches = search(opened.document, opened.items).map(({ before, text, after, item, page, offset }) => ({
    ...fields,
    item: item === null ? null : formatItem(item, filing.form),
    page,
    offset,
    before,
    match: text,
    after,
  }));
  return { fields, count: matches.length, matches };
}

/**
 * Returns a warning that names a filing that cannot be read, so that it does not look like a filing without a match.
 * Rethrows an error that concerns all filings.
 */
function makeUnreadWarning({ accession }: ChosenFiling, error: unknown, count: number): Notice {
  if (count === 1 || !isFailure(error) || (error.kind !== 'not_found' && error.kind !== 'data')) throw error;
  const text = joinTexts([`Filing ${accession} was not searched:`, error.text], ' ');
  return makeWarning('filing_not_searched', text, { accession });
}

const makeMatchTable = (matches: SearchedFiling['matches']) =>
  makeTable({
    name: 'matches',
    columns: [
      ...DOCUMENT_COLUMNS,
      ...makeFieldColumns('item', 'page', 'offset', 'before', 'match', 'after'),
      ADDRESS_COLUMN,
      {
        ...{ key: 'words', label: 'Words', value: null, wrapped: true },
        cell: ({ before, match, after }) => `${before}«${match}»${after}`.trim(),
      },
    ],
    shownKeys: ['item', 'page', 'words'],
    section: ({ form, filed_at: filed, accession_number: accession, url }, previous) =>
      accession === previous?.accession_number ? null : `${form}, filed ${filed ?? '?'}, ${accession}: ${url}`,
    records: () => matches,
  });

const toCountRow = ({ fields, count }: SearchedFiling) => ({ ...fields, matches: count });

const makeCountTable = (filings: readonly SearchedFiling[]) =>
  makeTable({
    name: 'counts',
    columns: [...DOCUMENT_COLUMNS, { key: 'matches', label: 'Matches', align: 'right' }, ADDRESS_COLUMN],
    shownKeys: ['form', 'filed_at', 'accession_number', 'matches'],
    records: () => filings.map(toCountRow),
  });
