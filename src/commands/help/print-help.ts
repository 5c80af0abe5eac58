/** Formats help pages as text of a given width, or as the manual page. */
import { version } from '../../../package.json';
import type { Examples } from '../../ask/command/command.ts';
import { lowercaseFirst } from '../../contract/text/format-counts.ts';
import { wrapWords } from '../../render/text/wrap.ts';

export type HelpEntry = readonly [label: string, text: string];

export type HelpSection =
  | { readonly heading: string; readonly examples: Examples }
  | { readonly heading: string; readonly entries: readonly HelpEntry[] }
  | { readonly heading: string; readonly verbatim: string }
  | { readonly text: string };

/** A help page as data: the source of the terminal's help, the manual page and REFERENCE.md. */
export interface HelpPage {
  readonly summary: string;
  /** The syntax of the command; null for a page that is not about a command. */
  readonly usage: string | null;
  readonly sections: readonly HelpSection[];
}

export function formatHelpPage({ summary, usage, sections }: HelpPage, width: number, colors: boolean): string {
  const head = `${wrapWithIndent(summary, width, '')}\n${usage === null ? '' : `\n  ${usage}\n`}`;
  return head + sections.map((section) => formatSection(section, width, colors)).join('');
}

function formatSection(section: HelpSection, width: number, isBold: boolean): string {
  if ('text' in section) return `\n${wrapParagraphs(section.text, Math.min(width, READABLE_WIDTH))}\n`;
  if ('verbatim' in section) return `\n${formatHeading(section.heading, isBold)}\n\n${section.verbatim}\n`;
  const bodyText =
    'examples' in section
      ? Object.entries(section.examples)
          .map(([line, text]) => `  fin ${line}\n      ${wrapWithIndent(text, width - 6, ' '.repeat(6))}\n`)
          .join('')
      : formatEntries(section.entries, width);
  return bodyText === '' ? '' : `\n${formatHeading(section.heading, isBold)}\n${bodyText}`;
}

/** Makes a heading bold without loading the module of colours. */
const formatHeading = (text: string, isBold: boolean) => (isBold ? `\u001b[1m${text}\u001b[22m` : text);

/** Maximum width of text that is easy to read. */
const READABLE_WIDTH = 78;
/** Width of the label column in characters; a longer label gets a line of its own. */
const LABEL_WIDTH = 28;

function formatEntries(entries: readonly HelpEntry[], width: number): string {
  const indent = ' '.repeat(LABEL_WIDTH);
  return entries
    .map(([label, text]) => {
      const head = `  ${label}`;
      const start = head.length < LABEL_WIDTH - 1 ? head.padEnd(LABEL_WIDTH) : `${head}\n${indent}`;
      return start + wrapWithIndent(text, width - LABEL_WIDTH, indent);
    })
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** Reflows text: a blank line ends a paragraph; other line breaks come from the source code and are ignored. */
const wrapParagraphs = (text: string, width: number): string =>
  text
    .split(/\n\s*\n/)
    .map((paragraph) => wrapWithIndent(paragraph.trim().replace(/\s+/g, ' '), width, ''))
    .join('\n\n');

/** Wraps text and indents all lines but the first. */
const wrapWithIndent = (text: string, width: number, indent: string) => wrapWords(text, width).join(`\n${indent}`);

/** Returns the manual page in roff format, made from all help pages. */
export const formatManual = (
  { summary, usage }: HelpPage,
  commands: readonly (readonly [name: string, page: HelpPage])[],
  topics: readonly HelpPage[],
  globals: readonly HelpSection[],
): string =>
  [
    `.TH FIN 1 "" "fin ${version}" "User Commands"`,
    ...formatManualHeading('Name'),
    `fin \\- ${escapeRoff(lowercaseFirst(summary).replace(/\.$/, ''))}`,
    ...formatManualHeading('Synopsis'),
    `.B ${escapeRoff(usage ?? 'fin')}`,
    ...formatManualHeading('Commands'),
    ...commands.flatMap(([, page]) => [
      `.SS ${escapeRoff(page.usage ?? '')}`,
      escapeRoff(page.summary),
      ...page.sections.flatMap((section) => formatManualSection(section, (text) => [`.PP`, `.I ${escapeRoff(text)}`])),
    ]),
    ...formatManualHeading('Options of every command'),
    ...globals.flatMap((section) => formatManualSection(section, formatSubheading)),
    ...topics.flatMap(({ summary: intro, sections }) =>
      sections.flatMap((section) =>
        formatManualSection(section, (text) => [...formatManualHeading(text), escapeRoff(intro)]),
      ),
    ),
    '',
  ].join('\n');

const formatManualHeading = (text: string): string[] => [`.SH ${escapeRoff(text.toUpperCase())}`];
const formatSubheading = (text: string): string[] => [`.SS ${escapeRoff(text)}`];

function formatManualSection(section: HelpSection, format: (text: string) => readonly string[]): string[] {
  if ('text' in section)
    return section.text.split(/\n\s*\n/).flatMap((part) => ['.PP', ...part.trim().split('\n').map(escapeRoff)]);
  if ('verbatim' in section)
    return [...formatSubheading(section.heading), '.nf', ...section.verbatim.split('\n').map(escapeRoff), '.fi'];
  const entries = 'examples' in section ? Object.entries(section.examples) : section.entries;
  if (entries.length === 0) return [];
  const prefix = 'examples' in section ? 'fin ' : '';
  const lines = entries.flatMap(([label, text]) => ['.TP', `.B ${escapeRoff(prefix + label)}`, escapeRoff(text)]);
  return [...format(section.heading), ...lines];
}

/**
 * Escapes text for roff: backslashes, hyphens (so that copied options work), double quotes (which would end macro
 * arguments), a dot or apostrophe at the beginning, and characters outside ASCII.
 */
const escapeRoff = (text: string): string =>
  text
    .trim()
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replace(/^[.']/, '\\&$&')
    .replace(/[^\x20-\x7e]/gu, (letter) => `\\[u${formatCodePoint(letter)}]`);

const formatCodePoint = (letter: string) => (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
