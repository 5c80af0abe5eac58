/**
 * Sends the requests of a plan and converts the answers to results, for the terminal, programs and assistants. Up to
 * four inputs are requested in parallel; results are in the order of the inputs.
 */
import type { Connection } from '../client/connection.ts';
import { nullIfFailure } from '../contract/failure.ts';
import { findRows, getOperation, type OperationId, replaceRows } from '../contract/operations.ts';
import { changeQuestion, parseQuestion, type Question } from '../contract/question.ts';
import type { Text } from '../contract/text/text.ts';
import type { Notice } from '../result/notice.ts';
import { hasPrices, keepOnlyColumns, keepOnlyTable, type Result } from '../result/result.ts';
import { type Answer, type Envelope, narrowAnswer } from './command/answer.ts';
import type { FailedInput, Input, LookUp, ResultContext, ResultMembers } from './command/command.ts';
import { type FetchAnswer, findAttribution, loadFetcher } from './fetch/fetch.ts';
import type { FetchCall } from './fetch/fetch-response.ts';
import { MAX_CONCURRENCY, processInOrder } from './fetch/in-order.ts';
import { describePage, describeRows, isEmpty, makeCommonNotices, type PageInfo } from './notices.ts';
import type { Plan, RowWindow } from './plan.ts';

export interface AskOptions {
  readonly connection: Connection;
  readonly progress: (line: string | null) => void;
  /** Whether notices of severity `note` will be shown; some of them need additional lookups in the release. */
  readonly wantsNotes: boolean;
  /** Removes rows of an answer before filters of the command apply; by default no rows. */
  readonly narrowInput?: (input: Input, answer: Answer) => Answer;
  /** Returns true once no further request may be sent. */
  readonly isStopped?: () => boolean;
}

type Outcome = { readonly input: Input } & (
  | { readonly result: Result; readonly answers: readonly Answer[]; readonly close: () => void }
  | { readonly error: unknown }
);

/**
 * Yields the outcome of each input: a result, which the caller must close, or an error. A command that compares its
 * inputs yields the errors first, then one result for all answered inputs.
 */
export async function* askEach(plan: Plan, options: AskOptions): AsyncGenerator<Outcome> {
  const run: Run = { plan, options, fetchAnswer: await loadFetcher(plan.extent) };
  const isSequential = plan.command.isSequential === true && options.connection.isInProcess;
  const outcomes = processInOrder(plan.inputs, plan.isArray && !isSequential ? MAX_CONCURRENCY : 1, async (input) =>
    options.isStopped?.() === true ? null : answerInput(run, input),
  );
  if (plan.command.combineAnswers !== undefined) {
    yield* combineOutcomes(run, outcomes);
    return;
  }
  for await (const outcome of outcomes) {
    if (outcome === null) continue;
    if ('error' in outcome) yield outcome;
    else yield await makeOutcome(run, outcome);
  }
}

/** A plan whose questions are being sent. */
type Run = { readonly plan: Plan; readonly options: AskOptions; readonly fetchAnswer: FetchAnswer };

/** Makes the result of one input. A command may fail here, because it may read documents that its answer names. */
async function makeOutcome(run: Run, answered: AnsweredInput): Promise<Outcome> {
  const { input, answer } = answered;
  try {
    return { input, ...(await makeResult(run, answered)) };
  } catch (error) {
    answer.close();
    return { input, error };
  }
}

type InputOutcome = AnsweredInput | FailedInput;

/** Yields the errors of inputs, then one result for all answered inputs. */
async function* combineOutcomes(run: Run, outcomes: AsyncIterable<InputOutcome | null>): AsyncGenerator<Outcome> {
  const answered: AnsweredInput[] = [];
  const failed: FailedInput[] = [];
  const yieldFailures = async function* (inputOutcomes: AsyncIterable<InputOutcome | null>, answers: AnsweredInput[]) {
    for await (const item of inputOutcomes) {
      if (item === null) continue;
      if ('error' in item) {
        failed.push(item);
        yield item;
      } else answers.push(item);
    }
  };
  yield* yieldFailures(outcomes, answered);
  const aligned: AnsweredInput[] = failed.length > 0 ? answered : [];
  if (failed.length === 0) yield* yieldFailures(alignAnswers(run, answered), aligned);
  if (aligned.length > 0) yield await combineAnsweredInputs(run, aligned, failed);
}

/** Yields the answers. Answers for which `command.alignAnswers` returns parameters are requested again with them. */
function alignAnswers(run: Run, answered: readonly AnsweredInput[]): AsyncIterable<InputOutcome> {
  const { isArray, command } = run.plan;
  const repetitions = command.alignAnswers?.(answered.map(({ answer }) => answer)) ?? [];
  const items = answered.map((item, index) => ({ item, parameters: repetitions[index] ?? [] }));
  return processInOrder(items, isArray ? MAX_CONCURRENCY : 1, async ({ item, parameters }) => {
    if (parameters.length === 0) return item;
    item.answer.close();
    return answerInput(run, { ...item.input, parameters: [...item.input.parameters, ...parameters] });
  });
}

type AnsweredInput = { readonly input: Input; readonly question: Question; readonly answer: Answer };

async function answerInput({ plan, options, fetchAnswer }: Run, input: Input): Promise<InputOutcome> {
  const { connection, progress } = options;
  const { client } = connection;
  let question = changeQuestion(plan.question, input.parameters);
  try {
    if (mayNameCik(question))
      question = await (await import('./reasons/named-companies.ts')).replaceCik(question, client);
    // With client-side filters, the limit in the question is not the user's: the client applies the user's limit after
    // filtering.
    const isLimitGiven = plan.isLimited && plan.narrowing === null;
    const call: FetchCall = { client, question, progress, inProcess: connection.isInProcess, isLimitGiven };
    return { input, question, answer: await fetchAnswer(call) };
  } catch (error) {
    // If the explanation cannot be loaded, the failure is reported without it.
    const reasons = await import('./reasons/explain-failure.ts').catch(() => null);
    // With several inputs, unknown names are not looked up, because each lookup would cost a request.
    const explained = await reasons?.explainFailure(error, question, connection, !plan.isArray);
    return { input, error: explained ?? error };
  }
}

/**
 * Whether the question may name a company or manager by a CIK in a form that the HTTP API rejects, such as
 * CIK0000320193.
 */
const mayNameCik = ({ rawParameters }: Question): boolean =>
  rawParameters.some(([name, text]) => (name === 'ticker' ? /^(?:CIK)?\d+$/i : /^CIK\d+$/i).test(text.trim()));

async function makeResult({ plan, options }: Run, { input, question, answer: fetchedAnswer }: AnsweredInput) {
  const { operation } = question;
  const base = options.narrowInput?.(input, fetchedAnswer) ?? fetchedAnswer;
  const { narrowing, window } = plan;
  const subset = narrowing === null ? base : narrowAnswer(base, operation, narrowing.apply(base.data, base.meta));
  const removals = narrowing === null ? [] : narrowing.notices(base.unfiltered, subset.data, base.meta);
  const rows = findRows(operation, subset.data) ?? [];
  const { offset = 0, limit = null } = window ?? {};
  const shownRows = rows.slice(offset, limit === null ? undefined : offset + limit);
  const isWindowed = window !== null && (offset > 0 || shownRows.length < rows.length);
  const answer = isWindowed ? narrowAnswer(subset, operation, replaceRows(operation, subset.data, shownRows)) : subset;
  const pageInfo = isWindowed
    ? describeWindow(question, rows.length, window)
    : plan.command.choosesRows === true
      ? NO_PAGE_INFO
      : describePage(answer, { question, isLimited: plan.isLimited });
  const context = makeContext(plan, options, question, answer);
  const content = await plan.command.result(answer, context);
  const isComplete = showsCompleteTable(plan, content);
  const page = isComplete ? NO_PAGE_INFO : pageInfo;
  const reason = options.wantsNotes ? await explainIfEmpty(question, answer, options.connection) : null;
  const notices = [
    ...makeCommonNotices(operation, isComplete ? base : answer, reason),
    ...page.notices,
    ...(content.notices ?? []),
    ...answer.notices,
    ...removals,
  ];
  const result = withChosenFields(plan, completeResult(content, answer, notices, page));
  const lacksAttribution = answer.meta.attribution === undefined && (plan.form === 'document' || hasPrices(result));
  const addition = lacksAttribution ? await findAttribution(options.connection.client, operation, answer) : null;
  return { result: withAttribution(result, addition), answers: [answer], close: answer.close };
}

const NO_PAGE_INFO: PageInfo = { total: null, more: null, notices: [] };

/** Whether `--rows` selects a table that omits nothing if only a page of the list was requested. */
const showsCompleteTable = ({ table }: Plan, { tables }: ResultMembers): boolean =>
  tables.some(({ name, coversAllPages }) => name === table && coversAllPages === true);

/** Adds the attribution that an answer with prices lacked, and its notice. */
function withAttribution(result: Result, addition: Awaited<ReturnType<typeof findAttribution>>): Result {
  if (addition === null) return result;
  const { attribution, notice } = addition;
  const notices = [...result.notices, notice];
  if (attribution === null) return { ...result, notices };
  const meta = { ...result.meta, attribution };
  return { ...result, notices, meta, attribution: formatAttribution({ meta }) };
}

const completeResult = (parts: ResultMembers, answer: Answer, notices: readonly Notice[], page: PageInfo): Result => ({
  ...{ title: null, facts: [], document: answer.document },
  ...parts,
  ...{ notices, meta: answer.meta, total: parts.total ?? page.total, more: page.more },
  attribution: formatAttribution(answer),
});

/** Returns an answer's attribution and the address of its terms on one line; null if the answer has none. */
const formatAttribution = ({ meta: { attribution } }: Pick<Answer, 'meta'>): string | null =>
  attribution === undefined ? null : `${attribution.text} ${attribution.url}`;

/** Returns the result with only the table and columns that the user selected. */
function withChosenFields({ table, fields }: Plan, result: Result): Result {
  const chosen = table === null ? result : keepOnlyTable(result, table);
  return fields === null ? chosen : keepOnlyColumns(chosen, fields);
}

function describeWindow({ operation }: Question, total: number, { offset, limit }: RowWindow): PageInfo {
  const count = Math.max(0, Math.min(total, offset + (limit ?? total)) - offset);
  return describeRows(operation, { offset, count, total, limit: limit ?? total, isLimited: true });
}

function makeContext(plan: Plan, options: AskOptions, { parameters }: Question, answer: Answer): ResultContext {
  const { connection, wantsNotes, progress } = options;
  const { parsed, form } = plan;
  const lookUp = createLookUp(answer, connection);
  return {
    ...{ ...parsed, parameters, form, wantsNotes, inProcess: connection.isInProcess },
    isSample: connection.sample !== null,
    // A failed lookup must not hide the answer.
    lookUp: async (...args) => (wantsNotes ? lookUp(...args).catch(nullIfFailure) : null),
    withFilings: async (work) => {
      const { withFilings } = await import('./fetch/read-filings.ts');
      return withFilings(connection, parsed.options, progress, work);
    },
  };
}

/**
 * Returns a function that answers further questions about the release of `answer`, from a local release or the cache,
 * without sending requests.
 */
const createLookUp =
  ({ meta: { release } }: Answer, { client, isInProcess, planLoad }: Connection): LookUp =>
  async (operation, parameters) => {
    const question = parseQuestion(operation, parameters);
    // Skips questions for which data would have to be loaded from a static host.
    if (planLoad !== undefined && (await planLoad(question)).bytes !== 0) return null;
    const envelope: Envelope | null = (isInProcess ? await client.ask(question) : client.plan(question)).envelope;
    return envelope !== null && envelope.meta.release?.stamp === release?.stamp ? envelope : null;
  };

/** Returns why an answer is empty, or null. Without parameters, no filter can be the reason. */
async function explainIfEmpty(question: Question, answer: Answer, connection: Connection): Promise<Text | null> {
  const { operation } = question;
  // If rows were received but the client's filter removed all of them, a different notice reports the removal.
  if (question.rawParameters.length === 0 || !isEmpty(operation, answer.unfiltered)) return null;
  const { explainEmptyAnswer } = await import('./reasons/why-empty.ts');
  return explainEmptyAnswer({
    ...{ operation: operation.id as OperationId, parameters: question.rawParameters, answer },
    ...{ inProcess: connection.isInProcess, lookUp: createLookUp(answer, connection) },
  });
}

async function combineAnsweredInputs({ plan, options }: Run, answered: AnsweredInput[], failed: FailedInput[]) {
  const [first] = answered;
  if (first === undefined || plan.command.combineAnswers === undefined) throw new Error('no answer to compare');
  const answers = answered.map(({ answer }) => answer);
  const context = makeContext(plan, options, plan.question, first.answer);
  const content = await plan.command.combineAnswers(answers, context, failed);
  const { operation } = plan.question;
  // Omits the notice about companies left out (set_aside): each answer leaves out different companies.
  const commonNotices = answers.flatMap((answer) =>
    makeCommonNotices(operation, { ...answer, data: null, meta: { ...answer.meta, set_aside: 0 } }, null),
  );
  const notices = [
    ...new Map(commonNotices.map((notice) => [notice.code, notice])).values(),
    ...(content.notices ?? []),
    ...answers.flatMap((answer) => answer.notices),
  ];
  const close = () => {
    for (const answer of answers) answer.close();
  };
  const joinedInput = { name: answered.map(({ input }) => input.name).join(' '), parameters: [] };
  const result = completeResult(content, first.answer, notices, NO_PAGE_INFO);
  return { input: joinedInput, result: withChosenFields(plan, result), answers, close };
}

/**
 * Returns the empty result of a command that received no answer, because some formats print a header even without rows.
 */
export async function createEmptyResult(plan: Plan, options: AskOptions): Promise<Result> {
  const operation = getOperation(plan.command.operation);
  const { rows } = operation;
  const empty = rows === null ? {} : rows.field === null ? [] : { [rows.field]: [] };
  const answer: Answer = {
    ...{ data: empty, unfiltered: empty, meta: {}, requests: 0, isPage: false, notices: [] },
    ...{ items: () => [], readPages: () => [], document: () => [], close: () => undefined },
  };
  const context = makeContext(plan, { ...options, wantsNotes: false }, plan.question, answer);
  const content = plan.command.combineAnswers?.([], context, []) ?? plan.command.result(answer, context);
  const result = completeResult(await content, answer, [], NO_PAGE_INFO);
  const [first, ...otherTables] = result.tables.map((table) => ({ ...table, records: () => [] }));
  return withChosenFields(plan, first === undefined ? result : { ...result, tables: [first, ...otherTables] });
}
