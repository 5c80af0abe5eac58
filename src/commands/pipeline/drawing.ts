/** `--chart`, `--svg` and `--html`: an answer drawn in place of its table, on the terminal or to share. */
import { Failure } from '../../contract/failure.ts';
import { quote } from '../../contract/quote.ts';
import type { QuestionCommand } from '../command.ts';
import type { GivenOptions, OptionSpec } from '../command-line/option-spec.ts';
import type { Io } from '../io.ts';

export interface Drawing {
  readonly form: 'chart' | 'svg' | 'html';
  /** Where the SVG or HTML is written; null for stdout. */
  readonly file: string | null;
}

const FILE = { value: 'file', optional: true } as const;

export const DRAWING_OPTIONS: readonly OptionSpec[] = [
  { name: 'chart', help: 'Draw a chart in place of the table' },
  { name: 'no-chart', help: 'Print the table without the chart that a terminal shows above it' },
  { name: 'svg', help: 'Write an SVG chart to share, to a file or stdout', ...FILE },
  { name: 'html', help: 'Write an HTML page to share, to a file or stdout', ...FILE },
];

const ENDINGS: Readonly<Record<string, RegExp>> = { svg: /\.svg$/i, html: /\.html?$/i };

export interface DrawnCommand {
  /** The command with its chart for a view, or without one. */
  readonly command: QuestionCommand;
  /** Null where nothing is to be drawn in place of the table. */
  readonly drawing: Drawing | null;
}

/** Throws a usage Failure where two formats are asked for, and for a file that is not a picture's or page's. */
export function readDrawing(command: QuestionCommand, options: GivenOptions, io: Io): DrawnCommand {
  const [form, ...others] = (['chart', 'svg', 'html'] as const).filter((name) => options.has(name));
  const { draw, drawDefaults } = command;
  const plain = options.has('no-chart');
  if (form === undefined || draw === undefined) {
    return { command: plain ? { ...command, view: withoutCharts(command.view) } : command, drawing: null };
  }
  const other = [...others, ...['no-chart', 'output', 'json', 'csv', 'fields'].filter((name) => options.has(name))][0];
  if (other !== undefined) {
    throw new Failure('usage', `--${form} and --${other} cannot be combined; choose one.`);
  }
  return {
    command: { ...command, view: draw, defaults: { ...command.defaults, ...drawDefaults } },
    drawing: { form, file: form === 'chart' ? null : fileOf(form, options.get(form) ?? [], io) },
  };
}

const withoutCharts =
  (view: QuestionCommand['view']): QuestionCommand['view'] =>
  (answer, context) =>
    view(answer, context).filter(({ kind }) => kind !== 'chart');

/** A ticker behind the option would be taken for its file, so the name must end like one. */
function fileOf(form: 'svg' | 'html', given: readonly string[], io: Io): string | null {
  const [file = '', ...more] = given;
  if (more.length > 0) throw new Failure('usage', `--${form} was given ${given.length} times; give it once.`);
  if (file !== '' && file !== '-') {
    if (ENDINGS[form]?.test(file) === true) return file;
    throw new Failure('usage', `--${form} ${quote(file)}: the name of the file must end in .${form}.`, {
      hint: `Put --${form} behind the tickers to write to stdout.`,
    });
  }
  if (!io.outIsTerminal) return null;
  throw new Failure('usage', `--${form} writes no text for a terminal.`, {
    hint: `Name a file, such as --${form} chart.${form}, or redirect stdout with >.`,
  });
}
