/** Runs commands with answers of a test instead of a client. Planning and rendering are the program's own. */
import { type AskOptions, askEach } from '../../src/ask/ask.ts';
import type { GivenArguments, QuestionCommand } from '../../src/ask/command/command.ts';
import { planQuestion } from '../../src/ask/plan.ts';
import type { Client } from '../../src/client/client.ts';
import { Failure } from '../../src/contract/failure.ts';
import type { Question } from '../../src/contract/question.ts';
import { formatForTerminal } from '../../src/contract/text/text.ts';
import { formatCsvLine } from '../../src/render/formats/row-formats.ts';
import { renderBlocks } from '../../src/render/terminal/print-blocks.ts';
import type { Notice } from '../../src/result/notice.ts';
import { makeFlatRows, makeView, type Result } from '../../src/result/result.ts';
import type { FlatValue } from '../../src/result/rows.ts';
import { META } from './envelopes.ts';

export interface QuestionSettings {
  /** Options by name, such as `year-ended-within`; the value of a flag is an empty text. */
  readonly options?: Readonly<Record<string, string | readonly string[]>>;
  readonly args?: readonly string[];
  readonly meta?: object;
  readonly form?: GivenArguments['form'];
  readonly fields?: readonly string[] | null;
  readonly inProcess?: boolean;
  readonly sample?: boolean;
}

/** Returns the answer of the service to a request; null makes the request fail. */
export type AnswerQuestion = (question: Question) => { readonly data: unknown; readonly meta?: object } | null;

const PLACEHOLDER_ARGUMENTS: Readonly<Record<string, string>> = {
  ...{ ticker: 'AAPL', metric_key: 'revenue', query: 'apple', cik: '1067983' },
  accession: '0000320193-25-000079',
};

function createFakeClient(answerQuestion: AnswerQuestion): Pick<Client, 'ask' | 'plan' | 'attribution'> {
  return {
    ask: async (question) => {
      const answer = answerQuestion(question);
      if (answer === null) throw new Failure('not_found', `The test has no answer of ${question.operation.id}.`);
      const envelope = { data: answer.data, meta: { ...META, ...answer.meta } };
      return { envelope, text: JSON.stringify(envelope) } as unknown as Awaited<ReturnType<Client['ask']>>;
    },
    plan: () => ({ envelope: null }) as unknown as ReturnType<Client['plan']>,
    attribution: async () => null,
  };
}

export function planCommand(command: QuestionCommand, settings: QuestionSettings = {}) {
  const { options = {}, form = 'view', fields = null, inProcess = true } = settings;
  const optionTexts = new Map(Object.entries(options).map(([name, value]) => [name, [value].flat()]));
  const requiredArguments = command.args.filter(
    ({ parameter, optional, own }) => optional !== true || (parameter === 'metric_key' && own === undefined),
  );
  const args = settings.args ?? requiredArguments.map(({ parameter }) => PLACEHOLDER_ARGUMENTS[parameter] ?? parameter);
  const nameSource = { inIsTerminal: false, lines: async function* () {}, log: () => undefined };
  return planQuestion({
    command,
    parsed: { args, options: optionTexts },
    form,
    fields,
    unchecked: false,
    inProcess,
    nameSource: nameSource,
  });
}

export function createAskOptions(
  answerQuestion: AnswerQuestion,
  { inProcess = true, sample = false }: QuestionSettings = {},
): AskOptions {
  const connection = { client: createFakeClient(answerQuestion), isInProcess: inProcess, sample: sample ? {} : null };
  return { connection, progress: () => undefined, wantsNotes: true } as unknown as AskOptions;
}

/** Returns the result of a command whose request is answered with `data`. Throws the Failure of the command. */
export async function runWithData(
  command: QuestionCommand,
  data: unknown,
  settings: QuestionSettings = {},
): Promise<Result> {
  const { meta = {} } = settings;
  return runWithAnswers(
    command,
    ({ operation }) => (operation.id === command.operation ? { data, meta } : null),
    settings,
  );
}

export async function runWithAnswers(
  command: QuestionCommand,
  answerQuestion: AnswerQuestion,
  settings: QuestionSettings = {},
): Promise<Result> {
  const plan = await planCommand(command, settings);
  for await (const outcome of askEach(plan, createAskOptions(answerQuestion, settings))) {
    if ('error' in outcome) throw outcome.error;
    outcome.close();
    return { ...outcome.result, notices: [...plan.notices, ...outcome.result.notices] };
  }
  throw new Error(`${command.operation} has no input`);
}

/** Returns the text for a terminal of this number of columns, or for a pipe if `width` is null. */
export const renderText = (result: Result, width: number | null = null): string =>
  renderBlocks(makeView(result, { width }), { width, exact: false, header: true });

/** Returns the header line, followed by a line per row. */
export function renderCsvLines(result: Result): string[] {
  const { columns, rows } = makeFlatRows(result);
  return [columns, ...rows].map((line) => formatCsvLine(line).trimEnd());
}

/** Returns the rows as objects with values by column. */
export function makeRecords(result: Result): readonly Readonly<Record<string, FlatValue>>[] {
  const { columns, rows } = makeFlatRows(result);
  return [...rows].map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null])));
}

/** Returns the notices as a terminal shows them. */
export const formatNotices = ({ notices }: Pick<Result, 'notices'>): string[] => notices.map(formatNotice);

export const formatNotice = ({ severity, text }: Notice): string =>
  severity === 'warning' ? `Warning: ${formatForTerminal(text)}` : formatForTerminal(text);
