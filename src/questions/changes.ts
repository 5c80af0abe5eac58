import type { Answer } from '../ask/command/answer.ts';
import { defineCommand, type ResultContext, type ResultMembers } from '../ask/command/command.ts';
import type { GivenOptions } from '../ask/command/option-spec.ts';
import { Failure, failUsage } from '../contract/failure.ts';
import { isDay, normalizeAccession, replaceArchiveAddress } from '../contract/identifiers.ts';
import type { Filing } from '../contract/resources/filings.ts';
import { quote } from '../contract/text/quote.ts';
import { call, option, say } from '../contract/text/text.ts';
import { countDaysBetween } from '../platform/dates.ts';
import { type Change, compareSections } from '../reading/compare-sections.ts';
import { formatItem } from '../reading/item-names.ts';
import { escapeMark } from '../render/formats/markdown.ts';
import { type Block, makeFieldsBlock, makeTitleBlock } from '../result/blocks.ts';
import { makeNoteIf } from '../result/notice.ts';
import { makeFieldColumns, makeTable } from '../result/table.ts';
import { chooseItem, type OpenedDocument, openDocument, requireProven } from './reading/opened-document.ts';
import {
  areFilings,
  type ChosenFiling,
  findOption,
  listFilings,
  READING_OPTIONS,
  readForms,
  refuseCharts,
  requestFilings,
  toDocumentRequest,
} from './reading/options.ts';
import { identify, makeDocument } from './reading/section-result.ts';

const MAX_FILINGS = 100;
/** Maximum number of days by which two periods a year apart may differ from 365 days. */
const YEAR_TOLERANCE_DAYS = 45;

export default defineCommand({
  operation: 'filings',
  name: 'changes',
  parameters: [],
  args: [{ parameter: 'ticker', many: true }],
  options: [
    { name: 'item', value: 'name', help: 'Item to compare, such as 1A, II.1A or "risk factors"' },
    { name: 'form', value: 'type', help: 'Form of the two filings (default: annual reports)' },
    {
      name: 'from',
      value: 'filing',
      help: 'The earlier filing: a year, a day or an accession number (default: a year before the later filing)',
    },
    {
      name: 'to',
      value: 'filing',
      help: 'The later filing: a year, a day or an accession number (default: the newest filing)',
    },
    ...READING_OPTIONS,
  ],
  fetchesAllRows: true,
  choosesRows: true,
  help:
    'Shows the paragraphs of an item that were added, removed or changed since the year before, and marks the changed words. ' +
    'The start and end of both sections must be proven (see: fin help reading); otherwise fin says why they are not ' +
    '(exit code 10), because "no changes" could be wrong.',
  examples: {
    'changes AAPL --item 1A': 'the risk factors of the latest annual report against those of the year before',
    'changes AAPL --item 7 --from 2022 --to 2024 --output ndjson':
      'changes between the reports for two years, one JSON object for each paragraph',
  },
  request: (given) => {
    const { options, args } = given;
    refuseCharts(options);
    const hint = say`Choose the filings with ${option('from')} and ${option('to')}.`;
    if (areFilings({ args, options }, 0, []))
      failUsage('fin changes compares two filings of a company: give its ticker.', hint);
    requireItem(options);
    return requestFilings(given, readForms(options), MAX_FILINGS);
  },
  documents: (data, options) => choosePair(data, options).map((filing) => toDocumentRequest(filing, options)),
  result: compareFilings,
});

function requireItem(options: GivenOptions): string {
  const words = findOption(options, 'item');
  if (words !== null) return words;
  failUsage(say`Name the item to compare: ${option('item', '1A')}`);
}

/** Returns the earlier and the later filing. Throws a `not_found` Failure if one is missing, a usage Failure for a wrong order. */
function choosePair(data: readonly Filing[], options: GivenOptions): readonly [ChosenFiling, ChosenFiling] {
  const filings = listFilings(data);
  const to = findOption(options, 'to');
  const from = findOption(options, 'from');
  const later = to === null ? filings[0] : findNamed(filings, to, 'to');
  if (later === undefined) throw makeMissingFailure(options, to);
  const earlier = from === null ? findYearBefore(filings, later) : findNamed(filings, from, 'from');
  if (earlier === undefined) throw makeMissingFailure(options, from);
  if (earlier === later)
    failUsage(say`${option('from')} and ${option('to')} name the same filing: ${describe(later)}.`);
  const hint = `The filings are: ${describe(earlier)}, ${describe(later)}.`;
  if (makeSortKey(earlier) > makeSortKey(later))
    failUsage(say`${option('from')} must be earlier than ${option('to')}.`, hint);
  return [earlier, later];
}

const describe = ({ form, day, accession }: ChosenFiling): string => `${form} of ${day} (${accession})`;

/** Returns the sort key of a filing: the end of its period, then the day of filing. */
const makeSortKey = ({ day, filed }: ChosenFiling): string => `${day} ${filed ?? ''}`;

/** Returns the filing with an accession number, of a day (the period's end or the day of filing) or of a fiscal year. */
function findNamed(filings: readonly ChosenFiling[], name: string, optionName: 'from' | 'to') {
  const accession = normalizeAccession(replaceArchiveAddress(name));
  if (accession !== null) return filings.find((filing) => filing.accession === accession);
  const hint = say`To see accession numbers: ${call('filings', { ticker: '<ticker>' })}`;
  if (!isDay(name) && !/^\d{4}$/.test(name))
    failUsage(`${quote(name)} is not a year, a day (YYYY-MM-DD) or an accession number.`, hint);
  const [found, ...others] = filings.filter(({ day, filed, fiscalYear }) =>
    isDay(name) ? day === name || filed === name : String(fiscalYear ?? day.slice(0, 4)) === name,
  );
  if (found === undefined || others.length === 0) return found;
  const list = [found, ...others].map(describe).join(', ');
  const choice = say`Name one by its accession number: ${option(optionName, found.accession)}`;
  failUsage(`${quote(name)} may be several filings: ${list}.`, choice);
}

/** Returns the filing of the same form whose period ended about a year before. */
const findYearBefore = (filings: readonly ChosenFiling[], { day, form }: ChosenFiling): ChosenFiling | undefined =>
  filings
    .map((filing) => ({ filing, difference: Math.abs(countDaysBetween(filing.day, day) - 365) }))
    .filter(({ filing, difference }) => filing.form === form && difference <= YEAR_TOLERANCE_DAYS)
    .sort((a, b) => a.difference - b.difference)[0]?.filing;

function makeMissingFailure(options: GivenOptions, name: string | null): Failure {
  const forms = readForms(options).join(', ');
  const which = name === null ? 'to compare with' : `of ${quote(name)}`;
  return new Failure('not_found', `There is no filing ${which} (${forms}).`, {
    hint: say`To see the filings: ${call('filings', { ticker: '<ticker>' })}. To choose the filings: ${option('from')}, ${option('to')}`,
  });
}

async function compareFilings(answer: Answer<readonly Filing[]>, context: ResultContext): Promise<ResultMembers> {
  const { data, meta } = answer;
  const { options, withFilings } = context;
  const [earlier, later] = choosePair(data, options);
  const words = requireItem(options);
  const open = (filing: ChosenFiling) =>
    withFilings(async (reader) => {
      const opened = await openDocument(reader, filing, { kind: 'own' });
      const item = chooseItem(opened, words);
      requireProven(opened, item);
      return { opened, item, section: { document: opened.document, item } };
    });
  const before = await open(earlier);
  const after = await open(later);
  const changes = compareSections(before.section, after.section);
  const name = formatItem(after.item, later.form);
  const title = `${after.opened.source.entity_name}, Item ${name}: ${describeDay(before.opened)} to ${describeDay(after.opened)}`;
  const fromUrl = before.opened.file.url;
  const from = { from_accession_number: earlier.accession, from_url: fromUrl };
  const common = { item: name, ...from, ...identify(after.opened) };
  const sameText = `No paragraph of Item ${name} differs. The start and end of both sections are proven.`;
  const counts = (['added', 'removed', 'changed'] as const).map(
    (kind) => `${changes.filter((change) => change.kind === kind).length} ${kind}`,
  );
  return {
    title,
    tables: [
      makeTable({
        name: 'changes',
        columns: [
          ...makeFieldColumns('ticker', 'entity_name', 'form', 'item', 'from_accession_number', 'accession_number'),
          ...makeFieldColumns('kind', 'heading', 'before', 'after', 'from_url', 'url'),
        ],
        records: () => changes.map((change) => ({ ...common, ...change })),
      }),
    ],
    layout: () => [
      makeTitleBlock(title),
      makeFieldsBlock([
        ['Paragraphs', counts.join(', ')],
        ['From', { text: fromUrl, link: fromUrl }],
        ['To', { text: after.opened.file.url, link: after.opened.file.url }],
      ]),
      ...layOutChanges(changes),
    ],
    notices: makeNoteIf(changes.length === 0, 'no_changes', sameText),
    document: makeDocument({ ...common, changes }, meta),
  };
}

const describeDay = ({ source, filing }: OpenedDocument): string => `${source.form} of ${filing.day}`;

function* layOutChanges(changes: readonly Change[]): Generator<Block> {
  let last: string | null = null;
  for (const change of changes) {
    if (change.heading !== last && change.heading !== null) yield makeTitleBlock(change.heading);
    last = change.heading;
    const text = formatChange(change, TEXT_MARKS);
    yield { kind: 'text', text, getMarkdown: () => formatChange(change, MARKDOWN_MARKS) };
  }
}

type Marks = Readonly<Record<'clean' | 'added' | 'removed', (text: string) => string>>;

const TEXT_MARKS: Marks = { clean: (text) => text, added: (text) => `{+${text}+}`, removed: (text) => `[-${text}-]` };
const MARKDOWN_MARKS: Marks = { clean: escapeMark, added: (text) => `**${text}**`, removed: (text) => `~~${text}~~` };

const LABELS = { added: 'Added', removed: 'Removed', changed: 'Changed' } as const;

function formatChange({ kind, before, after, words }: Change, { clean, added, removed }: Marks): string {
  const marked = words.map(({ kind: mark, text }) => {
    const cleaned = clean(text.trim());
    return mark === 'added' ? added(cleaned) : mark === 'removed' ? removed(cleaned) : cleaned;
  });
  const text = kind === 'changed' ? marked.join(' ') : clean(after ?? before ?? '');
  return `${LABELS[kind]}: ${text}`;
}
