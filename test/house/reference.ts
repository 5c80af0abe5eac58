/** The reference page and its parts in the README, as Markdown, generated from the data structures of the program. */

import { ASKING_OPTIONS } from '../../src/ask/options.ts';
import { QUESTIONS } from '../../src/commands/command-table.ts';
import { commandPages, globalSections, topicPages } from '../../src/commands/help/help.ts';
import type { Entry, HelpPage, HelpSection } from '../../src/commands/help/print-help.ts';
import { formatOptions } from '../../src/commands/presentation.ts';
import { RULES } from '../conformance/rules.ts';

/** Returns each generated section of the README, by the name in its markers. */
export async function readmeSections(): Promise<ReadonlyMap<string, string>> {
  const pages = await commandPages();
  return new Map([
    ['exit codes', table(['exit', 'when'], topic('Exit codes'))],
    ['questions', table(['command', 'what it does'], pages.flatMap(questionLine))],
  ]);
}

/** Returns the complete reference page. */
export async function referencePage(): Promise<string> {
  const pages = await commandPages();
  return `${[
    '# Reference of fin',
    'Made by `npm run reference` from the data that the program is made of. `fin help`, `fin <command> --help` and the manual page\n(`fin help man | man -l -`) say the same.',
    '## Commands',
    pages.map(([, page]) => command(page)).join('\n\n'),
    '## Options of every command',
    [ASKING, ...globalSections()].map(options).join('\n\n'),
    '## Environment',
    table(['variable', 'what it sets'], topic('Environment')),
    '## What the conformance suite holds a service to',
    [
      '*stated* is a rule of the interface, *ours* one that this project adds where the interface is silent. `npm test` asks `fin serve`;',
      '`npx vitest run --config test/vitest.config.mts test/conformance` with an address in `FIN_CONFORMANCE_URL` and a key in',
      '`FIN_API_KEY` asks any other service.',
    ].join('\n'),
    rules(),
  ].join('\n\n')}\n`;
}

/** Options that every question has, listed only once. */
const OF_ALL = [...ASKING_OPTIONS, ...formatOptions(false)];
const ASKING: HelpSection = {
  heading: 'Asking (questions only)',
  entries: OF_ALL.map(({ name, help }) => [`--${name}`, help]),
};
const OF_EVERY_QUESTION = new Set(OF_ALL.map(({ name }) => `--${name}`));

function topic(title: string): readonly Entry[] {
  const sections = topicPages().flatMap((page) => page.sections);
  return sections.flatMap((section) => ('entries' in section && section.heading === title ? section.entries : []));
}

function command({ summary, usage, sections }: HelpPage): string {
  const entries = (heading: string): readonly Entry[] =>
    sections.flatMap((section) => ('entries' in section && section.heading === heading ? section.entries : []));
  return [
    `**\`${usage}\`** ${text(summary)}`,
    list([...entries('Arguments'), ...entries('Options').filter(([flag]) => !OF_EVERY_QUESTION.has(flag))]),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Returns the usage line of a question; empty for a utility. */
const questionLine = ([name, { summary, usage }]: readonly [string, HelpPage]): (readonly [string, string])[] =>
  name in QUESTIONS ? [[String(usage).replace(' [options]', ''), summary]] : [];

const options = (section: HelpSection): string =>
  'entries' in section ? `**${section.heading}**\n\n${list(section.entries)}` : '';

const list = (entries: readonly Entry[]): string =>
  entries.map(([name, help]) => `- ${code(name)} ${text(help)}`).join('\n');

const rules = (): string =>
  table(
    ['rule', 'by', 'what holds'],
    RULES.map(({ id, group, source, text: sentence }) => [id, source, `${group}: ${sentence}`]),
  );

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = rows.map(([name = '', ...rest]) => [code(name), ...rest.map(text)]);
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const code = (name: string): string => `\`${name.replaceAll('|', '\\|')}\``;

/** Escapes characters that Markdown would interpret. */
const text = (words: string): string => words.replace(/[|<>*_`[\]]/g, '\\$&');
