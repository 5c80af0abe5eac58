/** One input of a question, answered: the pages it takes, the rows to keep, and why it failed or has nothing. */
import { isFailure } from '../../contract/failure.ts';
import { changeQuestion, type Question } from '../../contract/question/question.ts';
import type { QuestionCommand } from '../command.ts';
import type { Connection } from '../connection.ts';
import { isEmpty } from '../empty-answers/empty-answer.ts';
import { lookUpBeside } from '../look-up.ts';
import { showsPrices } from './answer-output.ts';
import { type FetchedAnswer, fetchAnswer, fetchOnePage, isFull, type PageFetcher } from './fetch.ts';
import type { Input } from './inputs.ts';
import type { ReadCall } from './read-call.ts';
import { isConcept, namedMetrics, suggest } from './suggest.ts';

export type InputResult = { readonly input: Input; readonly asked: Question } & (
  | { readonly fetched: FetchedAnswer; readonly emptyReason: string | null }
  | { readonly error: unknown }
);

/** Never rejects for what the question fails with: that is the result's error. */
export async function answerInput(
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
  connection: Pick<Connection, 'client' | 'local' | 'planLoad'>,
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
  connection: Pick<Connection, 'client' | 'local' | 'planLoad'>,
): Promise<readonly string[]> {
  try {
    return (await command.lookUpNotices?.(whole(), parameters, lookUpBeside(answer, connection))) ?? [];
  } catch (error) {
    if (isFailure(error)) return [];
    throw error;
  }
}
