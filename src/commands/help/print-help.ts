/** Pages of help as text, within a width. */

import type { Example } from '../../ask/command.ts';
import { wrapWords } from '../../render/wrap.ts';

export type Entry = readonly [label: string, text: string];

export type HelpSection =
  | { readonly heading: string; readonly examples: readonly Example[] }
  | { readonly heading: string; readonly entries: readonly Entry[] }
  | { readonly heading: string; readonly verbatim: string }
  | { readonly text: string };

/** One page of help as data: the terminal's, the manual's and the README's text are made from it. */
export interface HelpPage {
  readonly summary: string;
  /** How the command is written, or null where the page is of no command. */
  readonly usage: string | null;
  readonly sections: readonly HelpSection[];
}

export function printHelp({ summary, usage, sections }: HelpPage, width: number, colors: boolean): string {
  const head = `${wrap(summary, width, '')}\n${usage === null ? '' : `\n  ${usage}\n`}`;
  return head + sections.map((section) => printSection(section, width, colors)).join('');
}

function printSection(section: HelpSection, width: number, colors: boolean): string {
  if ('text' in section) return `\n${paragraphs(section.text, Math.min(width, READABLE))}\n`;
  if ('verbatim' in section) return `\n${headingOf(section.heading, colors)}\n\n${section.verbatim}\n`;
  const body =
    'examples' in section
      ? section.examples
          .map(({ line, shows }) => `  fin ${line}\n      ${wrap(shows, width - 6, ' '.repeat(6))}\n`)
          .join('')
      : printEntries(section.entries, width);
  return body === '' ? '' : `\n${headingOf(section.heading, colors)}\n${body}`;
}

const headingOf = (heading: string, colors: boolean): string => (colors ? bold(heading) : heading);

/** Without the module of colours, which need not be loaded for this. */
const bold = (text: string): string => `\u001b[1m${text}\u001b[22m`;

/** Longer lines are hard to follow. */
const READABLE = 78;
/** Longer labels get a line of their own. */
const LABELS = 28;

function printEntries(entries: readonly Entry[], width: number): string {
  const indent = ' '.repeat(LABELS);
  return entries
    .map(([label, text]) => {
      const head = `  ${label}`;
      const wrapped = wrap(text, width - LABELS, indent);
      return head.length < LABELS - 1 ? head.padEnd(LABELS) + wrapped : `${head}\n${indent}${wrapped}`;
    })
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** A blank line ends a paragraph; other breaks are where the source happened to break. */
function paragraphs(text: string, width: number): string {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => wrap(paragraph.trim().replace(/\s+/g, ' '), width, ''))
    .join('\n\n');
}

/** All lines but the first are indented. */
const wrap = (text: string, width: number, indent: string): string => wrapWords(text, width).join(`\n${indent}`);
