/** The manual page in roff format, made from all help pages. */

import { version } from '../../../package.json';
import { lowercaseFirst } from '../../contract/text/format-counts.ts';
import type { HelpPage, HelpSection } from './print-help.ts';

type NamedPages = readonly (readonly [name: string, page: HelpPage])[];

export const formatManual = (
  { summary, usage }: HelpPage,
  commands: NamedPages,
  topics: readonly HelpPage[],
  globals: readonly HelpSection[],
): string =>
  [
    `.TH FIN 1 "" "fin ${version}" "User Commands"`,
    ...formatHeading('Name'),
    `fin \\- ${escapeRoff(lowercaseFirst(summary).replace(/\.$/, ''))}`,
    ...formatHeading('Synopsis'),
    `.B ${escapeRoff(usage ?? 'fin')}`,
    ...formatHeading('Commands'),
    ...commands.flatMap(([, page]) => [
      `.SS ${escapeRoff(page.usage ?? '')}`,
      escapeRoff(page.summary),
      ...page.sections.flatMap((section) => formatSection(section, (text) => [`.PP`, `.I ${escapeRoff(text)}`])),
    ]),
    ...formatHeading('Options of every command'),
    ...globals.flatMap((section) => formatSection(section, formatSubheading)),
    ...topics.flatMap(({ summary: intro, sections }) =>
      sections.flatMap((section) => formatSection(section, (text) => [...formatHeading(text), escapeRoff(intro)])),
    ),
    '',
  ].join('\n');

const formatHeading = (text: string): string[] => [`.SH ${escapeRoff(text.toUpperCase())}`];
const formatSubheading = (text: string): string[] => [`.SS ${escapeRoff(text)}`];

function formatSection(section: HelpSection, format: (text: string) => readonly string[]): string[] {
  if ('text' in section)
    return section.text.split(/\n\s*\n/).flatMap((paragraph) => ['.PP', ...escapeLines(paragraph)]);
  if ('verbatim' in section)
    return [...formatSubheading(section.heading), '.nf', ...section.verbatim.split('\n').map(escapeRoff), '.fi'];
  const entries =
    'examples' in section
      ? Object.entries(section.examples).map(([line, text]) => [`fin ${line}`, text] as const)
      : section.entries;
  if (entries.length === 0) return [];
  const lines = entries.flatMap(([label, text]) => ['.TP', `.B ${escapeRoff(label)}`, escapeRoff(text)]);
  return [...format(section.heading), ...lines];
}

const escapeLines = (paragraph: string): string[] => paragraph.trim().split('\n').map(escapeRoff);

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

const formatCodePoint = (letter: string): string =>
  (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
