/** Help pages, made from the definitions of commands. */

import type { Examples } from '../../ask/command/command.ts';
import { formatFlags, formatUsage, type OptionSpec } from '../../ask/command/option-spec.ts';
import { ASKING_OPTIONS } from '../../ask/command/options.ts';
import { Failure } from '../../contract/failure.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { quote } from '../../contract/text/quote.ts';
import type { CommandEntry, CommandTable } from '../command-line/command-table.ts';
import { findSummary, listFormatOptions, loadCommand } from '../command-line/command-table.ts';
import { GLOBAL_OPTIONS } from '../command-line/global-options.ts';
import { TOPICS, type Topic } from './help-topics.ts';
import { formatHelpPage, formatManual, type HelpEntry, type HelpPage, type HelpSection } from './print-help.ts';

/** Maximum width; longer lines are hard to read even on a wide terminal. */
const MAX_WIDTH = 100;
const DEFAULT_WIDTH = 80;

/**
 * Returns a page of help as text, or the manual page in roff format. Throws a usage Failure for an unknown topic.
 * @param topic a command's name, a group's first word, a topic, `man` for the manual page, or empty for an overview
 * @param width columns of the terminal, or null
 * @param colors whether headings are bold
 */
export async function formatHelp(table: CommandTable, topic: string, width: number | null, colors: boolean) {
  if (topic === 'man')
    return formatManual(makeOverview(table), await loadPages(table), makeTopicPages(), makeOptionSections());
  return formatHelpPage(await makeHelpPage(table, topic), Math.min(width ?? DEFAULT_WIDTH, MAX_WIDTH), colors);
}

async function makeHelpPage(table: CommandTable, topic: string): Promise<HelpPage> {
  if (topic === '' || topic === 'help') return makeOverview(table);
  const namedTopic = Object.hasOwn(TOPICS, topic) ? TOPICS[topic] : undefined;
  const members = Object.keys(table).filter((name) => name.startsWith(`${topic} `));
  if (namedTopic !== undefined || members.length > 0) {
    const groupPage: HelpPage = { summary: `Commands of fin ${topic}.`, usage: null, sections: [] };
    const page = namedTopic === undefined ? groupPage : makeTopicPage(namedTopic);
    const entries = members.map((name): HelpEntry => [name, findSummary(table, name)]);
    const options = topic === 'options' ? makeOptionSections() : [];
    const sections = [...page.sections, ...options, { heading: 'Commands', entries }];
    return { ...page, sections };
  }
  if (!Object.keys(table).includes(topic)) throw makeUnknownTopicFailure(table, topic);
  const page = await loadCommandPage(table, topic);
  const text = 'Options of every command, such as --csv and --quiet: fin help options';
  return { ...page, sections: [...page.sections, { text }] };
}

function makeUnknownTopicFailure(table: CommandTable, topic: string): Failure {
  const advice = didYouMean(topic, [...Object.keys(table), ...Object.keys(TOPICS)]);
  const hint = 'List of commands and topics: fin help';
  return new Failure('usage', `Unknown help topic ${quote(topic)}.${advice}`, { hint });
}

export const loadPages = async (table: CommandTable): Promise<readonly (readonly [name: string, page: HelpPage])[]> =>
  Promise.all(Object.keys(table).map(async (name) => [name, await loadCommandPage(table, name)] as const));

export const makeTopicPages = (): readonly HelpPage[] => Object.values(TOPICS).map(makeTopicPage);

const makeTopicPage = ({ title, intro, lines, files = [] }: Topic): HelpPage => ({
  summary: intro,
  usage: null,
  sections: [
    { heading: title, entries: lines },
    ...files.map(({ name, text }) => ({ heading: name, verbatim: text.trimEnd() })),
  ],
});

/**
 * Returns a command's page, without the options that every command has. Examples come first, because most readers look
 * for an example to change.
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
      { heading: 'Options', entries: listShownOptions(command.options).map(makeOptionEntry) },
      ...(moreHelp === undefined ? [] : [{ text: moreHelp }]),
    ],
  };
}

const QUESTION_OPTIONS: readonly OptionSpec[] = [...ASKING_OPTIONS, ...listFormatOptions(false)];
const QUESTION_OPTION_NAMES: ReadonlySet<string> = new Set(QUESTION_OPTIONS.map(({ name }) => name));

/** Returns the options that only this command has, without synonyms. */
const listShownOptions = (options: readonly OptionSpec[]): readonly OptionSpec[] =>
  options.filter(({ name, hidden }) => hidden !== true && !QUESTION_OPTION_NAMES.has(name));

/** Returns the sections with the options that every question has, and with those that every command has. */
export const makeOptionSections = (): HelpSection[] => [
  { heading: 'Requests (commands that answer questions)', entries: QUESTION_OPTIONS.map(makeOptionEntry) },
  ...Object.entries(OPTION_GROUPS).map(([name, heading]) => ({
    heading,
    entries: LISTED_OPTIONS.filter(({ group }) => group === name).map(makeOptionEntry),
  })),
];

const LISTED_OPTIONS = GLOBAL_OPTIONS.filter(({ isSynonym, hidden }) => isSynonym !== true && hidden !== true);

const OPTION_GROUPS = { output: 'Output', service: 'Service', other: 'Other' };

const makeOptionEntry = (option: OptionSpec): HelpEntry => [
  formatFlags(option),
  option.values === undefined ? option.help : `${option.help}: ${option.values.join(', ')}`,
];

function makeOverview(table: CommandTable): HelpPage {
  const topics = Object.entries(TOPICS).map(([name, { title }]): HelpEntry => [name, title]);
  const tags = [...new Set(OPERATIONS.map(({ tag }) => tag))];
  const listSummaries = (test: (entry: CommandEntry) => boolean): HelpEntry[] =>
    Object.entries(table).flatMap(([name, entry]): HelpEntry[] => (test(entry) ? [[name, entry.summary]] : []));
  return {
    summary: 'Financial figures from company filings, exact and traceable to their source.',
    usage: 'fin <command> [options]',
    sections: [
      { heading: 'Start here', examples: START_EXAMPLES },
      ...tags.map((tag) => ({
        heading: tag,
        entries: listSummaries((entry) => entry.kind === 'question' && entry.tag === tag),
      })),
      { heading: 'Utilities', entries: listSummaries(({ kind }) => kind === 'utility') },
      { heading: 'Topics (fin help <topic>)', entries: topics },
      {
        text: 'fin <command> --help shows the options and examples of a command; fin help man prints the manual page.',
      },
    ],
  };
}

const START_EXAMPLES: Examples = {
  'screen --where revenue_yoy:gt:20%': 'companies whose revenue grew by more than 20 %',
  'metrics AAPL --period annual': "a company's statements, year by year",
  'compare AAPL MSFT GOOGL': 'companies side by side',
  'revisions AAPL eps_diluted': 'the value in each filing, with changes',
};
