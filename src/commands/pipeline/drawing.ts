/** `--chart`, `--svg` and `--html`: an answer drawn in place of its table, on the terminal or to share. */
import { Failure } from '../../contract/failure.ts';
import type { QuestionCommand } from '../command.ts';
import type { GlobalOptions } from '../command-line/global-options.ts';
import type { OptionSpec } from '../command-line/option-spec.ts';
import type { ParsedArguments } from '../command-line/parse.ts';
import type { Io } from '../io.ts';

export interface Drawing {
  readonly form: 'chart' | 'svg' | 'html';
  /** Where a picture or page goes; null for stdout. */
  readonly file: string | null;
}

const FILE = { value: 'file', optional: true } as const;

export const DRAWING_OPTIONS: readonly OptionSpec[] = [
  { name: 'chart', help: 'Draw the answer in place of its table' },
  { name: 'no-chart', help: 'The table alone, without the chart a terminal may show with it' },
  { name: 'svg', help: 'Write it as a picture to share, into a file or to stdout', ...FILE },
  { name: 'html', help: 'Write it as a page to share, into a file or to stdout', ...FILE },
];

const ENDINGS: Readonly<Record<string, RegExp>> = { svg: /\.svg$/i, html: /\.html?$/i };

/**
 * What is asked and how it is shown when it is to be drawn; both as they are where nothing is.
 *
 * Throws a usage Failure where two forms were asked for, and where a picture would go astray.
 */
export function asDrawn(
  definition: QuestionCommand,
  { options }: ParsedArguments,
  globals: GlobalOptions,
  io: Io,
): { readonly definition: QuestionCommand; readonly globals: GlobalOptions } {
  const [form, ...others] = (['chart', 'svg', 'html'] as const).filter((name) => options.has(name));
  const { draw, drawDefaults } = definition;
  const plain = options.has('no-chart');
  if (form === undefined || draw === undefined) {
    return { definition: plain ? { ...definition, view: undrawn(definition.view) } : definition, globals };
  }
  const other = [...others, ...['no-chart', 'output', 'json', 'csv', 'fields'].filter((name) => options.has(name))][0];
  if (other !== undefined) throw new Failure('usage', `--${form} and --${other} do not go together; ask for one form.`);
  const drawing = { form, file: form === 'chart' ? null : fileOf(form, options.get(form) ?? [], io) };
  return {
    definition: { ...definition, view: draw, defaults: { ...definition.defaults, ...drawDefaults } },
    globals: { ...globals, format: 'table', drawing },
  };
}

const undrawn =
  (view: QuestionCommand['view']): QuestionCommand['view'] =>
  (answer, context) =>
    view(answer, context).filter(({ kind }) => kind !== 'chart');

/** A ticker behind the option would be taken for its file: only what looks like one is. */
function fileOf(form: 'svg' | 'html', given: readonly string[], io: Io): string | null {
  const [file = '', ...more] = given;
  if (more.length > 0) throw new Failure('usage', `--${form} was given ${given.length} times; give it once.`);
  if (file !== '' && file !== '-') {
    if (ENDINGS[form]?.test(file) === true) return file;
    throw new Failure('usage', `--${form} ${JSON.stringify(file)}: the name of the file must end in .${form}.`, {
      hint: `Put --${form} behind the tickers to write to stdout.`,
    });
  }
  if (!io.outIsTerminal) return null;
  throw new Failure('usage', `--${form} writes no text for a terminal.`, {
    hint: `Name a file, such as --${form} chart.${form}, or send it to one with >.`,
  });
}
