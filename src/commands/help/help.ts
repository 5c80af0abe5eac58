/** Help pages, made from the definitions of commands. */

import type { Example } from '../../ask/command.ts';
import { formatFlags, formatUsage, type OptionSpec } from '../../ask/option-spec.ts';
import { Failure } from '../../contract/failure.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { didYouMean } from '../../contract/text/nearest.ts';
import { quote } from '../../contract/text/quote.ts';
import { type CommandTable, findSummary, listGlobalOptions, loadCommand } from '../command-line/command-table.ts';
import { GLOBAL_OPTIONS, type GlobalOption } from '../command-line/global-options.ts';
import { TOPICS, type Topic } from './help-topics.ts';
import { formatHelpPage, type HelpEntry, type HelpPage, type HelpSection } from './print-help.ts';

/** Maximum width; longer lines are hard to read even on a wide terminal. */
const MAX_WIDTH = 100;
const DEFAULT_WIDTH = 80;

/**
 * Returns a page of help as text, or the manual page in roff format. Throws a usage Failure for an unknown topic.
 * @param topic a command's name, a group's first word, a topic, `man` for the manual page, or empty for an overview
 * @param width columns of the terminal, or null
 * @param usesColors whether headings are bold
 */
export async function formatHelp(
  table: CommandTable,
  topic: string,
  width: number | null,
  usesColors: boolean,
): Promise<string> {
  if (topic === 'man') {
    const { formatManual } = await import('./print-manual.ts');
    return formatManual(
      makeOverview(table),
      await loadCommandPages(table),
      makeTopicPages(),
      makeGlobalOptionSections(),
    );
  }
  return formatHelpPage(await makeHelpPage(table, topic), Math.min(width ?? DEFAULT_WIDTH, MAX_WIDTH), usesColors);
}

async function makeHelpPage(table: CommandTable, topic: string): Promise<HelpPage> {
  if (topic === '' || topic === 'help') return makeOverview(table);
  const namedTopic = Object.hasOwn(TOPICS, topic) ? TOPICS[topic] : undefined;
  const groupCommandNames = Object.keys(table).filter((name) => name.startsWith(`${topic} `));
  if (namedTopic !== undefined || groupCommandNames.length > 0) {
    const page = namedTopic === undefined ? makeGroupPage(topic) : makeTopicPage(namedTopic);
    const commandEntries = groupCommandNames.map((name): HelpEntry => [name, findSummary(table, name)]);
    return { ...page, sections: [...page.sections, { heading: 'Commands', entries: commandEntries }] };
  }
  if (!Object.keys(table).includes(topic)) throw makeUnknownTopicFailure(table, topic);
  const page = await loadCommandPage(table, topic);
  return {
    ...page,
    sections: [...page.sections, ...makeOptionSections(listGlobalOptions(await loadCommand(table, topic)))],
  };
}

const makeUnknownTopicFailure = (table: CommandTable, topic: string): Failure =>
  new Failure(
    'usage',
    `Unknown help topic ${quote(topic)}.${didYouMean(topic, [...Object.keys(table), ...Object.keys(TOPICS)])}`,
    { hint: 'List of commands and topics: fin help' },
  );

export async function loadCommandPages(
  table: CommandTable,
): Promise<readonly (readonly [name: string, page: HelpPage])[]> {
  return Promise.all(Object.keys(table).map(async (name) => [name, await loadCommandPage(table, name)] as const));
}

export const makeTopicPages = (): readonly HelpPage[] => Object.values(TOPICS).map(makeTopicPage);

const makeTopicPage = ({ title, intro, lines, files = [] }: Topic): HelpPage => ({
  summary: intro,
  usage: null,
  sections: [{ heading: title, entries: lines }, ...files.map(({ name, text }) => ({ heading: name, verbatim: text }))],
});

/**
 * Returns a command's page without the global options. Examples come first, because most readers look for an example to
 * change.
 */
async function loadCommandPage(table: CommandTable, name: string): Promise<HelpPage> {
  const command = await loadCommand(table, name);
  const { examples, help: moreHelp } = command.kind === 'utility' ? command.utility : command.definition;
  return {
    summary: `${findSummary(table, name)}.`,
    usage: formatUsage(name, command.arguments),
    sections: [
      { heading: 'Examples', examples },
      { heading: 'Arguments', entries: command.arguments.map((argument): HelpEntry => [argument.name, argument.help]) },
      { heading: 'Options', entries: command.options.filter(({ hidden }) => hidden !== true).map(makeOptionEntry) },
      ...(moreHelp === undefined ? [] : [{ text: moreHelp }]),
    ],
  };
}

const makeGroupPage = (groupName: string): HelpPage => ({
  summary: `Commands of fin ${groupName}.`,
  usage: null,
  sections: [],
});

export const makeGlobalOptionSections = (): HelpSection[] => makeOptionSections(GLOBAL_OPTIONS);

const makeOptionSections = (options: readonly GlobalOption[]): HelpSection[] =>
  OPTION_GROUPS.map(([name, heading]) => ({
    heading,
    entries: options.filter(({ group }) => group === name).map(makeOptionEntry),
  }));

const OPTION_GROUPS: readonly (readonly [GlobalOption['group'], string])[] = [
  ['output', 'Output'],
  ['service', 'Service'],
  ['other', 'Other'],
];

const makeOptionEntry = (option: OptionSpec): HelpEntry => [
  formatFlags(option),
  option.values === undefined ? option.help : `${option.help}: ${option.values.join(', ')}`,
];

function makeOverview(table: CommandTable): HelpPage {
  const operationTags = [...new Set(OPERATIONS.map(({ tag }) => tag))];
  return {
    summary: 'Financial figures from company filings, exact and traceable to their source.',
    usage: 'fin <command> [options]',
    sections: [
      { heading: 'Start here', examples: START_EXAMPLES },
      ...operationTags.map((tag) => ({
        heading: tag,
        entries: Object.entries(table).flatMap(([name, entry]): HelpEntry[] =>
          entry.kind === 'question' && entry.tag === tag ? [[name, entry.summary]] : [],
        ),
      })),
      {
        heading: 'Utilities',
        entries: Object.entries(table).flatMap(([name, { kind, summary }]): HelpEntry[] =>
          kind === 'utility' ? [[name, summary]] : [],
        ),
      },
      {
        heading: 'Topics (fin help <topic>)',
        entries: Object.entries(TOPICS).map(([name, { title }]): HelpEntry => [name, title]),
      },
      {
        text: 'fin <command> --help shows the options and examples of a command; fin help man prints the manual page.',
      },
    ],
  };
}

const START_EXAMPLES: readonly Example[] = [
  { line: 'screen --where revenue_yoy:gt:20%', shows: 'companies whose revenue grew by more than 20 %' },
  { line: 'metrics AAPL --period annual', shows: "a company's statements, year by year" },
  { line: 'compare AAPL MSFT GOOGL', shows: 'companies side by side' },
  { line: 'revisions AAPL eps_diluted', shows: 'the value in each filing, with changes' },
];
