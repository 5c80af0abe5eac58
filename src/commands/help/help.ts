/** Help, made from the same data as the commands themselves. Loaded only when it is asked for. */
import { OPERATIONS, operationOf } from '../../contract/operations.ts';
import type { Example, QuestionCommand } from '../command.ts';
import { GLOBAL_OPTIONS, type GlobalOption } from '../command-line/global-options.ts';
import { type OptionSpec, questionOptions, utilityOptions } from '../command-line/option-spec.ts';
import { UTILITIES } from '../command-table.ts';
import { COMMAND_NAMES, loadCommand } from '../load-command.ts';
import { usageOf } from '../pipeline/inputs.ts';
import type { UtilityCommand } from '../utility.ts';
import { TOPICS, type Topic } from './help-topics.ts';
import { type Entry, type HelpPage, type HelpSection, printHelp } from './print-help.ts';

/** Lines longer than this are hard to read, however wide the terminal. */
const WIDEST = 100;
const USUAL = 80;

/**
 * @param topic a command's name, a group's first word, a topic, or nothing for the whole
 * @param width columns of the terminal, or null
 * @param colors whether headings may stand out
 *
 * Throws a usage Failure for a topic that is none of them.
 */
export async function help(topic: string, width: number | null, colors: boolean): Promise<string> {
  if (topic === 'man') {
    const { printManual } = await import('./print-manual.ts');
    return printManual(overview(), await commandPages(), topicPages(), globalSections());
  }
  return printHelp(await pageOf(topic), Math.min(width ?? USUAL, WIDEST), colors);
}

async function pageOf(topic: string): Promise<HelpPage> {
  if (topic === '' || topic === 'help') return overview();
  const subject = Object.hasOwn(TOPICS, topic) ? TOPICS[topic] : undefined;
  const group = COMMAND_NAMES.filter((name) => name.startsWith(`${topic} `));
  if (subject !== undefined || group.length > 0) {
    const page = subject === undefined ? groupPage(topic) : topicPage(subject);
    const commands = group.map((name): Entry => [name, UTILITIES[name]?.summary ?? '']);
    return { ...page, sections: [...page.sections, { heading: 'Commands', entries: commands }] };
  }
  const page = await commandPage(topic);
  return { ...page, sections: [...page.sections, ...globalSections()] };
}

/** Every command's own page by its name, in the order of the commands. */
export async function commandPages(): Promise<readonly (readonly [name: string, page: HelpPage])[]> {
  return Promise.all(COMMAND_NAMES.map(async (name) => [name, await commandPage(name)] as const));
}

export const topicPages = (): readonly HelpPage[] => Object.values(TOPICS).map(topicPage);

const topicPage = ({ title, intro, lines }: Topic): HelpPage => ({
  summary: intro,
  usage: null,
  sections: [{ heading: title, entries: lines }],
});

/** What a command takes of its own; what all commands take is in `globalSections`. */
async function commandPage(name: string): Promise<HelpPage> {
  const command = await loadCommand(name);
  return command.kind === 'utility' ? utilityPage(command.utility) : questionPage(command.definition);
}

const groupPage = (word: string): HelpPage => ({
  summary: `fin ${word} is several commands.`,
  usage: null,
  sections: [],
});

function utilityPage(utility: UtilityCommand): HelpPage {
  const args = utility.args.map(({ name, many, optional }) => {
    const shown = many === true ? `${name}...` : name;
    return optional === true ? ` [${shown}]` : ` <${shown}>`;
  });
  return {
    summary: `${utility.summary}.`,
    usage: `fin ${utility.name}${args.join('')} [options]`,
    sections: sectionsOf(
      utility.examples,
      utility.args.map(({ name, help: text }) => [name, text]),
      utilityOptions(utility),
      utility.help,
    ),
  };
}

const MANY = '; several are asked one by one, - reads them from stdin';

function questionPage(definition: QuestionCommand): HelpPage {
  const operation = operationOf(definition.operation);
  const args = definition.args.map(({ parameter, many }): Entry => {
    const text = operation.parameters.find(({ name }) => name === parameter)?.help ?? '';
    return [parameter.replaceAll('_', '-'), text + (many === true ? MANY : '')];
  });
  return {
    summary: `${operation.summary}.`,
    usage: usageOf(definition),
    sections: sectionsOf(definition.examples, args, questionOptions(definition, operation), definition.help),
  };
}

/** Examples first: most who ask for help want one to change. */
function sectionsOf(
  examples: readonly Example[],
  args: readonly Entry[],
  options: readonly OptionSpec[],
  more: string | undefined,
): HelpSection[] {
  return [
    { heading: 'Examples', examples },
    { heading: 'Arguments', entries: args },
    { heading: 'Options', entries: options.map(optionEntry) },
    ...(more === undefined ? [] : [{ text: more }]),
  ];
}

export const globalSections = (): HelpSection[] =>
  GROUPS.map(([group, heading]) => ({
    heading,
    entries: GLOBAL_OPTIONS.filter((option) => option.group === group).map(optionEntry),
  }));

const GROUPS: readonly (readonly [GlobalOption['group'], string])[] = [
  ['output', 'Output'],
  ['service', 'Service'],
  ['other', 'Other'],
];

function optionEntry({ name, short, value, optional, values, help: text }: OptionSpec): Entry {
  const flag = `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : optional === true ? ` [${value}]` : ` <${value}>`}`;
  return [flag, values === undefined ? text : `${text}: ${values.join(', ')}`];
}

function overview(): HelpPage {
  const tags = [...new Set(OPERATIONS.map(({ tag }) => tag))];
  return {
    summary: 'Figures from the filings that companies make, exact and traceable to the filing.',
    usage: 'fin <command> [options]',
    sections: [
      { heading: 'Start here', examples: START },
      ...tags.map((tag) => ({
        heading: tag,
        entries: OPERATIONS.filter((operation) => operation.tag === tag).map(({ id, summary }): Entry => [id, summary]),
      })),
      { heading: 'Utilities', entries: Object.entries(UTILITIES).map(([name, { summary }]): Entry => [name, summary]) },
      {
        heading: 'Topics (fin help <topic>)',
        entries: Object.entries(TOPICS).map(([name, { title }]): Entry => [name, title]),
      },
      { text: 'fin <command> --help says more of each, with examples; fin help man prints the manual page.' },
    ],
  };
}

const START: readonly Example[] = [
  { line: 'screen --where revenue_yoy:gt:20%', shows: 'companies that grew by more than a fifth' },
  { line: 'metrics AAPL --period annual', shows: "a company's statements, year beside year" },
  { line: 'revisions AAPL eps_diluted', shows: 'what each filing said of a figure, and what changed' },
];
