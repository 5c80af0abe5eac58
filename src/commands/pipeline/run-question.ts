/** Runs one question, from the parsed command line to its output: parameters, fetch, render, notices. */
import type { Client } from '../../client/client.ts';
import { Failure, isFailure } from '../../contract/failure.ts';
import { hasPages, operationOf } from '../../contract/operations.ts';
import { changeQuestion, type Question } from '../../contract/question/question.ts';
import type { Narrowing, QuestionCommand, RowFilter } from '../command.ts';
import { formatOf, type GlobalOptions } from '../command-line/global-options.ts';
import type { ParsedArguments } from '../command-line/option-spec.ts';
import { accountOf, type Connect, type Connection, type ConnectionTarget } from '../connection.ts';
import { isEmpty } from '../empty-answers/empty-answer.ts';
import type { Io } from '../io.ts';
import { lookUpBeside } from '../look-up.ts';
import { printReport } from '../report.ts';
import { openAnswerWriter, openOutput, outputTarget, type Presentation, showsPrices } from './answer-output.ts';
import { Batch, inOrder } from './batch.ts';
import { type FetchedAnswer, fetchAnswer, fetchOnePage, isFull, type PageFetcher } from './fetch.ts';
import type { LastAnswer } from './if-changed.ts';
import { type Input, type Inputs, readInputs } from './inputs.ts';
import { readParameters } from './parameters.ts';
import { readDrawing, withChosenRows } from './question-options.ts';
import type { Stats } from './stats.ts';
import { isConcept, namedMetrics, suggest } from './suggest.ts';

/** The service answers so many of an account's requests at a time. */
export const CONCURRENCY = 4;

export interface QuestionCall {
  readonly command: QuestionCommand;
  readonly parsed: ParsedArguments;
  readonly globals: GlobalOptions;
  readonly io: Io;
  readonly target: ConnectionTarget;
  readonly connect: Connect;
  /** Where `--stats` counts. */
  readonly stats: Stats | null;
}

/** A call once all its options have been read. */
interface ReadCall extends QuestionCall, Inputs {
  readonly presentation: Presentation;
  /** The question of every input, without the parameters that arguments fill. */
  readonly question: Question;
  readonly warnings: readonly string[];
  /** Whether all rows of its keys are wanted. */
  readonly whole: boolean;
  readonly rowFilters: readonly RowFilter[];
  readonly narrowing: Narrowing | null;
  /** The day to walk back to, as typed, or null. */
  readonly walkTo: string | null;
  /** Whether every page is fetched. */
  readonly all: boolean;
}

/** The exit code; throws the Failure of a question that has no answer at all. */
export async function runQuestion(call: QuestionCall): Promise<number> {
  const read = readCall(call);
  return call.parsed.options.has('plan') ? printPlan(read) : printAnswers(read);
}

/** Throws a usage Failure for what is wrong with the command line, before anything is asked or opened. */
function readCall(call: QuestionCall): ReadCall {
  const { parsed, globals, io, target } = call;
  const { options } = parsed;
  const { command, drawing } = readDrawing(withChosenRows(byItsOptions(call.command, options), options), options, io);
  const presentation: Presentation = {
    ...globals,
    ...(drawing === null ? {} : { format: drawing.form === 'xlsx' ? 'csv' : 'table' }),
    drawing,
  };
  const purpose = {
    format: presentation.format,
    fields: presentation.fields,
    local: target.destination.to === 'local',
    unchecked: globals.unchecked,
    options: parsed.options,
  };
  const rowFilters = [command.rowFilter?.(parsed.options, parsed.args) ?? []].flat();
  const narrowing = command.narrow?.(parsed.options) ?? null;
  const walkTo = command.walkTo?.(parsed.options) ?? null;
  const ofAllPages = narrowing !== null || rowFilters.some(({ allPages }) => allPages === true);
  const named = parsed.options.has('limit') || parsed.options.has('offset');
  const all = parsed.options.has('all') || (ofAllPages && !named && hasPages(operationOf(command.operation)));
  const inputs = readInputs(command, parsed, io);
  const parameters = readParameters(command, parsed.options, purpose);
  const chosen = presentation.fields !== null ? '--fields chooses columns' : '--rows chooses rows';
  const chooses = presentation.fields !== null || parsed.options.has('rows');
  if (chooses && formatOf(presentation.format).form === 'document') {
    throw new Failure('usage', `${chosen}; JSON is always the whole answer.`, {
      hint: 'Use --output ndjson, or choose with a JSON tool.',
    });
  }
  return { ...call, ...inputs, ...parameters, command, presentation, rowFilters, narrowing, walkTo, all };
}

/** The days that a walk would ask for, each an input. */
async function daysOf({ inputs, question }: Pick<ReadCall, 'inputs' | 'question'>, since: string): Promise<Input[]> {
  const { daysToPlan } = await import('./walk-days.ts');
  const days: Input[] = [];
  for await (const { parameters } of inputs) days.push(...daysToPlan(changeQuestion(question, parameters), since));
  return days;
}

const byItsOptions = (command: QuestionCommand, options: ReadCall['parsed']['options']): QuestionCommand => ({
  ...command,
  ...command.byOptions?.(options),
});

async function printPlan({ globals, io, target, connect, ...read }: ReadCall): Promise<number> {
  for (const warning of read.warnings) io.log(`Warning: ${warning}`);
  const { client, planLoad } = await connect();
  const { command, question, all, walkTo } = read;
  const inputs = walkTo === null ? read.inputs : await daysOf(read, walkTo);
  if (planLoad !== undefined) {
    const load = await import('./plan-load.ts');
    await printReport(await load.planLoad({ inputs, question, planLoad }), globals, io);
    return 0;
  }
  const { planQuestion } = await import('./plan.ts');
  const plan = await planQuestion({ inputs, question, byKeys: command.byKeys ?? null, all, client, target });
  await printReport(plan, globals, io);
  return 0;
}

async function printAnswers(call: ReadCall): Promise<number> {
  const { command, presentation, io, several, streamed, inputs, question, stats } = call;
  const last = call.parsed.options.has('if-changed') ? await openLast(call) : null;
  const target = outputTarget(presentation, io);
  // An answer from stdin is shown at once, not paged when the last has come.
  const output = openOutput(streamed ? { ...target, pages: false } : target, last !== null);
  // Where an answer is printed only if it changed, so is what is reported with it.
  const log = last === null ? io.log : output.log;
  for (const warning of call.warnings) log(`Warning: ${warning}`);
  const connection = await call.connect(log);
  const writer = await openAnswerWriter(presentation, io, several, output.write, command.figureColumns);
  const batch = new Batch({ command, several, presentation, io, writer, output, stats });
  const { local, sample } = connection;
  const { byKeys } = command;
  const complete = byKeys && (await import('./by-keys.ts')).keyNamer(byKeys, connection);
  // Markdown is laid out by whatever shows it.
  const width = presentation.format === 'md' ? null : io.width;
  let code: number | undefined;
  try {
    const answers = inOrder(untilBroken(inputs, batch), several ? CONCURRENCY : 1, async (input) =>
      batch.stopped ? null : answerInput(call, connection, input, complete),
    );
    for await (const result of answers) {
      if (result === null) continue;
      const { input, asked } = result;
      if ('error' in result) {
        batch.failed(input.name, result.error);
        continue;
      }
      const { fetched, emptyReason } = result;
      try {
        last?.add(fetched);
        batch.answered(input.name, fetched, {
          parameters: asked.parameters,
          width,
          local,
          sample,
          options: call.parsed.options,
          emptyReason,
        });
      } finally {
        fetched.close();
      }
    }
    code = await batch.end({ parameters: question.parameters, width });
  } finally {
    // A failure may hide a change: then what there is is printed, and the last answer stays the last.
    if (code !== 0 || last?.same() !== true) await output.flush();
  }
  if (code === 0) last?.keep();
  return code;
}

/** The inputs; where reading them fails the batch has the error, and what was asked before is still answered. */
async function* untilBroken(inputs: Inputs['inputs'], batch: Batch): AsyncGenerator<Input> {
  try {
    yield* inputs;
  } catch (error) {
    batch.inputsFailed(error);
  }
}

type InputResult = { readonly input: Input; readonly asked: Question } & (
  | { readonly fetched: FetchedAnswer; readonly emptyReason: string | null }
  | { readonly error: unknown }
);

async function answerInput(
  call: ReadCall,
  connection: Connection,
  input: Input,
  complete?: (question: Question) => Promise<Question>,
): Promise<InputResult> {
  const { command, globals, io, presentation, rowFilters, narrowing } = call;
  const { client } = connection;
  const { fields } = presentation;
  let asked = changeQuestion(call.question, input.parameters);
  try {
    if (mayBeCik(asked)) asked = await (await import('./named-companies.ts')).withoutCik(asked, client);
    if (complete !== undefined) asked = await complete(asked);
    const fetchPages = await pageFetcher(call);
    const priced = fields === null || showsPrices(command, fields);
    const whole = await fetchAnswer({ client, question: asked, progress: io.progress, priced }, fetchPages);
    const kept = rowFilters.length === 0 && narrowing === null ? whole : await keep(whole, call);
    const emptyReason = globals.quiet ? null : await reasonIfEmpty(asked, kept, connection);
    const looked = globals.quiet ? [] : await lookUpNotices(command, asked, kept, connection);
    const fetched = looked.length === 0 ? kept : { ...kept, notices: [...(kept.notices ?? []), ...looked] };
    return { input, asked, fetched, emptyReason };
  } catch (error) {
    return { input, asked, error: await explain(error, call, asked, connection) };
  }
}

/** Whether the company or manager may be named by a CIK that the interface does not take so. */
const mayBeCik = ({ given }: Question): boolean =>
  given.some(([name, text]) => (name === 'ticker' ? /^(?:CIK)?\d+$/i : /^CIK\d+$/i).test(text.trim()));

/** Undefined where one request has the whole answer, or the page that was asked for. */
async function pageFetcher({ command, all, whole, walkTo, narrowing }: ReadCall): Promise<PageFetcher | undefined> {
  if (all) return (await import('./all-pages.ts')).fetchAllPages;
  if (walkTo !== null) {
    const { walkDays } = await import('./walk-days.ts');
    return (call) => walkDays(call, walkTo, narrowing);
  }
  if (command.byKeys !== undefined) return (await import('./by-keys.ts')).fetchByKeys;
  if (!whole) return undefined;
  return async (call) => {
    const page = await fetchOnePage(call);
    return isFull(call.question, page.answer) ? (await import('./by-keys.ts')).fetchByKeys(call) : page;
  };
}

/** The error with a hint where one can be given; something is asked for a concept in place of a metric, or a name of a ticker. */
async function explain(error: unknown, { command, several }: ReadCall, asked: Question, { client }: Connection) {
  const suggested = suggest(error, command, asked);
  if (!isFailure(suggested) || !['usage', 'not_found'].includes(suggested.kind)) return suggested;
  if (!namedMetrics(asked).some(isConcept)) {
    // Of a long list of unknown names none is searched for: each would cost a request more.
    return several ? suggested : (await import('./named-companies.ts')).withCandidates(suggested, asked, client);
  }
  const { metricsOfConcepts } = await import('./concepts-as-metrics.ts');
  return metricsOfConcepts(suggested, asked, client);
}

async function keep(whole: FetchedAnswer, { rowFilters, narrowing, walkTo }: ReadCall): Promise<FetchedAnswer> {
  const { keepRows, narrowAnswer } = await import('./keep-rows.ts');
  const kept = rowFilters.reduce(keepRows, whole);
  // A walk has narrowed each day.
  return narrowing === null || walkTo !== null ? kept : narrowAnswer(kept, narrowing);
}

/** A question without parameters asks for everything there is, and has no reason of its own to find nothing. */
async function reasonIfEmpty(
  { operation, given }: Question,
  { answer }: FetchedAnswer,
  connection: { readonly client: Client; readonly local: boolean },
): Promise<string | null> {
  if (given.length === 0 || !isEmpty(operation, answer)) return null;
  const { whyEmpty } = await import('../empty-answers/why-empty.ts');
  return whyEmpty(operation.id, given, answer, connection);
}

/** The question itself was answered: that something else cannot be looked up is no failure of it. */
async function lookUpNotices(
  command: QuestionCommand,
  { parameters }: Question,
  { answer, whole }: FetchedAnswer,
  connection: { readonly client: Client; readonly local: boolean },
): Promise<readonly string[]> {
  try {
    return (await command.lookUpNotices?.(whole(), parameters, lookUpBeside(answer, connection))) ?? [];
  } catch (error) {
    if (isFailure(error)) return [];
    throw error;
  }
}

async function openLast({ command, parsed, presentation, io, target }: ReadCall): Promise<LastAnswer> {
  const { openLastAnswer } = await import('./if-changed.ts');
  const { state } = target.directories;
  const account = await accountOf(target);
  return openLastAnswer({ state, account, command, parsed, presentation, io });
}
