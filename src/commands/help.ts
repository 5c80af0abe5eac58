/** Help, made from the same data as the commands themselves. Loaded only when it is asked for. */
import { OPERATIONS, operationOf } from '../contract/operations.ts';
import { GLOBAL_OPTIONS, type GlobalOption } from './globals.ts';
import { TOPICS } from './help-topics.ts';
import { usageOf } from './inputs.ts';
import { COMMAND_NAMES, loadCommand } from './load-command.ts';
import { type OptionSpec, questionOptions, utilityOptions } from './option-spec.ts';
import { QUESTIONS, UTILITIES } from './table.ts';
import type { Example } from './types.ts';

/** @param topic a command's name, a group's first word, or nothing for the whole; throws for what is none of them */
export async function help(topic: string): Promise<string> {
  if (topic === '' || topic === 'help') return overview();
  const subject = Object.hasOwn(TOPICS, topic) ? TOPICS[topic] : undefined;
  if (subject !== undefined) return `${subject.title}. ${subject.intro}\n\n${list(subject.lines)}`;
  const group = COMMAND_NAMES.filter((name) => name.startsWith(`${topic} `));
  if (group.length > 0) return list(group.map((name) => [`fin ${name}`, UTILITIES[name]?.summary ?? '']));
  const command = await loadCommand(topic);
  if (command.kind === 'utility') {
    const { utility } = command;
    const args = utility.args.map(({ name, many, optional }) => {
      const shown = many === true ? `${name}...` : name;
      return optional === true ? ` [${shown}]` : ` <${shown}>`;
    });
    return page({
      usage: `fin ${utility.name}${args.join('')} [options]`,
      summary: utility.summary,
      more: utility.help,
      args: utility.args.map(({ name, help }) => [name, help]),
      examples: utility.examples,
      options: utilityOptions(utility),
    });
  }
  const { definition } = command;
  const operation = operationOf(definition.operation);
  return page({
    usage: usageOf(definition),
    summary: operation.summary,
    more: definition.help,
    args: definition.args.map(({ parameter, many }) => [
      parameter.replaceAll('_', '-'),
      `${operation.parameters.find(({ name }) => name === parameter)?.help ?? ''}${many === true ? '; several are asked one by one, - reads them from stdin' : ''}`,
    ]),
    examples: definition.examples,
    options: questionOptions(definition, operation),
  });
}

interface Page {
  readonly usage: string;
  readonly summary: string;
  readonly more: string | undefined;
  readonly args: readonly (readonly [string, string])[];
  readonly examples: readonly Example[];
  readonly options: readonly OptionSpec[];
}

/** Examples first: most who ask for help want one to change. */
function page({ usage, summary, more, args, examples, options }: Page): string {
  const sections = [
    `${summary}.\n\n  ${usage}\n`,
    section('Examples', examples.map(({ line, shows }) => `  fin ${line}\n      ${shows}`).join('\n')),
    section('Arguments', list(args)),
    section('Options', listOptions(options)),
    more === undefined ? '' : `\n${paragraphs(more)}\n`,
    ...(['output', 'service', 'other'] as const).map((group) =>
      section(GROUPS[group], listOptions(GLOBAL_OPTIONS.filter((option) => option.group === group))),
    ),
  ];
  return sections.join('');
}

const GROUPS: Readonly<Record<GlobalOption['group'], string>> = {
  output: 'Output',
  service: 'Service',
  other: 'Other',
};

function overview(): string {
  const tags = [...new Set(OPERATIONS.map(({ tag }) => tag))];
  const questions = tags.map((tag) => {
    const operations = OPERATIONS.filter((operation) => operation.tag === tag && QUESTIONS[operation.id] !== undefined);
    return section(tag, list(operations.map(({ id, summary }) => [id, summary])));
  });
  const utilities = section('Utilities', list(Object.entries(UTILITIES).map(([name, { summary }]) => [name, summary])));
  return [
    'Figures from the filings that companies make, exact and traceable to the filing.\n\n  fin <command> [options]\n',
    section('Start here', START.map(({ line, shows }) => `  fin ${line}\n      ${shows}`).join('\n')),
    ...questions,
    utilities,
    section('Topics (fin help <topic>)', list(Object.entries(TOPICS).map(([name, { title }]) => [name, title]))),
    '\nfin <command> --help says more of each, with examples.\n',
  ].join('');
}

const START: readonly Example[] = [
  { line: 'screen --where revenue_yoy:gt:20%', shows: 'companies that grew by more than a fifth' },
  { line: 'metrics AAPL --period annual', shows: "a company's statements, year beside year" },
  { line: 'revisions AAPL eps_diluted', shows: 'what each filing said of a figure, and what changed' },
];

const section = (heading: string, body: string): string =>
  body.trim() === '' ? '' : `\n${heading}\n${body.trimEnd()}\n`;

function listOptions(options: readonly OptionSpec[]): string {
  return list(
    options.map(({ name, short, value, values, help }) => {
      const flag = `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` <${value}>`}`;
      return [flag, values === undefined ? help : `${help}: ${values.join(', ')}`];
    }),
  );
}

const LABELS = 28;

function list(entries: readonly (readonly [string, string])[]): string {
  const indent = ' '.repeat(LABELS);
  return entries
    .map(([label, text]) => {
      const head = `  ${label}`;
      const wrapped = wrap(text, 100 - LABELS, indent);
      return head.length < LABELS - 1 ? head.padEnd(LABELS) + wrapped : `${head}\n${indent}${wrapped}`;
    })
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** A blank line ends a paragraph; other breaks are where the source happened to break. */
const paragraphs = (text: string): string =>
  text
    .split(/\n\s*\n/)
    .map((paragraph) => wrap(paragraph.trim().replace(/\s+/g, ' '), 78, ''))
    .join('\n\n');

/** Lines of at most `width`, all but the first behind `indent`. */
function wrap(text: string, width: number, indent: string): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length + 1 <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join(`\n${indent}`);
}
