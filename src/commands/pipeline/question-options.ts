/** What the command of a question takes on the command line, derived from its operation, and how it is drawn. */

import { Failure } from '../../contract/failure.ts';
import { hasPages, type Operation, operationOf } from '../../contract/operations.ts';
import type { Parameter } from '../../contract/question/parameters.ts';
import { quote } from '../../contract/quote.ts';
import { rowsTable } from '../../output/choose-fields.ts';
import type { Argument, QuestionCommand } from '../command.ts';
import { type ArgumentSpec, type GivenOptions, kebab, type OptionSpec } from '../command-line/option-spec.ts';
import type { Io } from '../io.ts';
import { columnLabel } from '../questions/shared/labels.ts';

const ALL: OptionSpec = { name: 'all', help: 'Fetch every page, and print when the last has arrived' };

/** How the question is asked, whatever it is. */
export const QUESTION_FLAGS: readonly OptionSpec[] = [
  { name: 'plan', help: 'Print the requests and time this would take, and exit' },
  { name: 'xlsx', help: 'Write an Excel spreadsheet: the rows, with links to the filings', value: 'file' },
  { name: 'if-changed', help: 'Print only if the data changed since the last run' },
];

/** All query parameters of the operation that no argument fills, and how to ask. */
export function questionOptions(command: QuestionCommand): readonly OptionSpec[] {
  const operation = operationOf(command.operation);
  const filled = new Set(command.args.map((argument) => argument.parameter));
  return [
    ...operation.parameters
      .filter((parameter) => parameter.in === 'query' && !filled.has(parameter.name))
      .map((parameter) => optionOf(parameter, command.defaults?.[parameter.name])),
    ...(command.options ?? []),
    ...rowsOption(command),
    ...(command.draw === undefined ? [] : DRAWING_OPTIONS),
    // Accepted everywhere, so that the error can say why it is not possible.
    !hasPages(operation) ? { ...ALL, hidden: true } : ALL,
    ...QUESTION_FLAGS,
  ];
}

function rowsOption({ rowChoices }: QuestionCommand): readonly OptionSpec[] {
  const values = Object.keys(rowChoices ?? {});
  return values.length === 0 ? [] : [{ name: 'rows', help: 'What rows are of', value: 'name', values }];
}

/** The command with the rows that `--rows` names, as a table too. Throws a usage Failure for an unknown name. */
export function withChosenRows(command: QuestionCommand, options: GivenOptions): QuestionCommand {
  const [name, ...more] = options.get('rows') ?? [];
  if (name === undefined) return command;
  const names = Object.keys(command.rowChoices ?? {});
  const rows = names.includes(name) ? command.rowChoices?.[name] : undefined;
  if (rows === undefined || more.length > 0) {
    throw new Failure('usage', `--rows takes one of ${names.join(', ')}, not ${quote([name, ...more].join(', '))}.`);
  }
  return {
    ...command,
    rows,
    viewsRows: true,
    view: (answer, context) => [rowsTable(rows(answer, context), columnLabel)],
  };
}

export function questionArguments(command: QuestionCommand): readonly ArgumentSpec[] {
  const operation = operationOf(command.operation);
  return command.args.map((argument) => {
    const { parameter, own, optional, many } = argument;
    return {
      name: kebab(parameter),
      help: own ?? parameterOf(operation, parameter).help + (many === true ? SEVERAL : ''),
      ...(optional === undefined ? {} : { optional }),
      many: many === true || takesWords(operation, argument),
    };
  });
}

const SEVERAL = '; several are requested one by one, - reads them from stdin';

/** A name is often several words, and nothing can follow it: `fin search johnson controls`. */
export const takesWords = (operation: Operation, { parameter, own }: Argument): boolean =>
  own === undefined && parameterOf(operation, parameter).kind === 'string';

function parameterOf({ id, parameters }: Operation, name: string): Parameter {
  const parameter = parameters.find((known) => known.name === name);
  if (parameter === undefined) throw new Error(`${id} has no parameter ${name}`);
  return parameter;
}

function optionOf(parameter: Parameter, ownDefault: string | undefined): OptionSpec {
  const { name, kind, values } = parameter;
  const standard = ownDefault ?? parameter.default;
  const suffix = standard === undefined || kind === 'boolean' ? '' : ` (default: ${standard})`;
  return {
    name: kebab(name),
    help: parameter.help + suffix,
    ...(kind === 'boolean' ? {} : { value: name === 'fiscal_year' ? 'year' : (PLACEHOLDERS[kind] ?? 'text') }),
    ...(values === undefined || values.length > LISTED ? {} : { values }),
  };
}

/** More values than this are listed by a help topic, not beside the option. */
const LISTED = 8;

const PLACEHOLDERS: Partial<Readonly<Record<Parameter['kind'], string>>> = {
  integer: 'count',
  date: 'day',
  uuid: 'id',
  choice: 'name',
  list: 'names',
  clauses: 'column:op:value',
};

/**
 * `--chart`, `--svg`, `--html` or `--xlsx`: an answer drawn, or made a spreadsheet, in place of its table. `file` is null for
 * stdout.
 */
export type Drawing =
  | { readonly form: 'chart' | 'svg' | 'html'; readonly file: string | null }
  | { readonly form: 'xlsx'; readonly file: string };

const OPTIONAL_FILE = { value: 'file', optional: true } as const;

const DRAWING_OPTIONS: readonly OptionSpec[] = [
  { name: 'chart', help: 'Draw a chart in place of the table' },
  { name: 'no-chart', help: 'Print the table without the chart that a terminal shows above it' },
  { name: 'svg', help: 'Write an SVG chart to share, to a file or stdout', ...OPTIONAL_FILE },
  { name: 'html', help: 'Write an HTML page to share, to a file or stdout', ...OPTIONAL_FILE },
];

const FILE_ENDINGS: Readonly<Record<string, RegExp>> = { svg: /\.svg$/i, html: /\.html?$/i, xlsx: /\.xlsx$/i };

interface DrawnCommand {
  /** The command with its chart for a view, or without one. */
  readonly command: QuestionCommand;
  /** Null where nothing is to be drawn in place of the table. */
  readonly drawing: Drawing | null;
}

/** Throws a usage Failure where two formats are asked for, and for a file whose name has another ending. */
export function readDrawing(command: QuestionCommand, options: GivenOptions, io: Io): DrawnCommand {
  const forms = (['chart', 'svg', 'html', 'xlsx'] as const).filter((name) => options.has(name));
  const [form, ...others] = forms;
  const { draw, drawDefaults } = command;
  const plain = options.has('no-chart');
  if (form === 'xlsx') {
    refuseOther(form, others);
    return { command, drawing: readSpreadsheet(options) };
  }
  if (form === undefined || draw === undefined) {
    return { command: plain ? { ...command, view: withoutCharts(command.view) } : command, drawing: null };
  }
  const otherFormats = ['no-chart', 'output', 'json', 'csv', 'fields'].filter((name) => options.has(name));
  refuseOther(form, [...others, ...otherFormats]);
  return {
    command: { ...command, view: draw, defaults: { ...command.defaults, ...drawDefaults } },
    drawing: { form, file: form === 'chart' ? null : drawingFile(form, options.get(form) ?? [], io) },
  };
}

/** What `--xlsx` asks for; null without it. Throws a usage Failure beside another format, and for another file name. */
export function readSpreadsheet(options: GivenOptions): Drawing | null {
  const given = options.get('xlsx');
  if (given === undefined) return null;
  refuseOther(
    'xlsx',
    ['output', 'json', 'csv'].filter((name) => options.has(name)),
  );
  return { form: 'xlsx', file: spreadsheetFile(given) };
}

function refuseOther(form: string, [other]: readonly string[]): void {
  if (other !== undefined) throw new Failure('usage', `--${form} and --${other} cannot be combined; choose one.`);
}

function spreadsheetFile([file = '', ...more]: readonly string[]): string {
  if (more.length > 0) throw new Failure('usage', `--xlsx was given ${more.length + 1} times; give it once.`);
  if (FILE_ENDINGS.xlsx?.test(file) === true) return file;
  throw new Failure('usage', `--xlsx ${quote(file)}: the name of the file must end in .xlsx.`);
}

const withoutCharts =
  (view: QuestionCommand['view']): QuestionCommand['view'] =>
  (answer, context) =>
    view(answer, context).filter(({ kind }) => kind !== 'chart');

/** A ticker behind the option would be taken for its file, so the name must end like one. */
function drawingFile(form: 'svg' | 'html', given: readonly string[], io: Io): string | null {
  const [file = '', ...more] = given;
  if (more.length > 0) throw new Failure('usage', `--${form} was given ${given.length} times; give it once.`);
  if (file !== '' && file !== '-') {
    if (FILE_ENDINGS[form]?.test(file) === true) return file;
    throw new Failure('usage', `--${form} ${quote(file)}: the name of the file must end in .${form}.`, {
      hint: `Put --${form} behind the tickers to write to stdout.`,
    });
  }
  if (!io.outIsTerminal) return null;
  throw new Failure('usage', `--${form} writes no text for a terminal.`, {
    hint: `Name a file, such as --${form} chart.${form}, or redirect stdout with >.`,
  });
}
