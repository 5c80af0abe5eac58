/**
 * Exports of `import … from 'fin-filings'`: the command's questions for programs, with the same plans, results,
 * connections, limits, caches and settings. `README.md` in this folder documents the exports and their guarantees.
 */
import type { Answer } from '../ask/command/answer.ts';
import { isListCommand } from '../ask/command/options.ts';
import { type Connection, findConnectionTarget, openConnection, withKey } from '../client/connection.ts';
import { EXIT_CODES, type Failure, type FailureKind, failUsage, isFailure } from '../contract/failure.ts';
import { didYouMean } from '../contract/nearest.ts';
import type { Operation, OperationId } from '../contract/operations.ts';
import { findRows, getOperation, hasPages, OPERATIONS } from '../contract/operations.ts';
import { parseQuestion, type RawParameters } from '../contract/question.ts';
import type { Problem } from '../contract/resources/envelope.ts';
import { describeMissingTexts } from '../contract/text/missing-text.ts';
import { quote } from '../contract/text/quote.ts';
import type { CommandCall, Text, Wording } from '../contract/text/text.ts';
import { formatText, listCalls, TERMINAL_WORDING } from '../contract/text/text.ts';
import { explainSystemError } from '../platform/files/system-error.ts';
import { askByName, isQuestionName, toTypedArguments } from '../questions/ask-by-name.ts';
import { loadQuestion, QUESTION_COMMANDS, type QuestionName } from '../questions/question-table.ts';
import type { Notice as ResultNotice } from '../result/notice.ts';
import type { Meta } from './operation-types.ts';
import type { Call, Client, ErrorDetails, Library, Notice, Options } from './public-types.ts';

const ports = {
  localService: () => import('../wiring/local-service.ts'),
  published: () => import('../wiring/published-service.ts'),
  documents: () => import('../wiring/documents/open-documents.ts'),
};

/**
 * Options that programs write differently from the command line: by name of the command's option, what programs give to
 * `connect` or to a function.
 */
const PROGRAM_NAMES: Readonly<Record<string, string>> = {
  all: 'rows()',
  'api-key-file': 'apiKey',
  'base-url': 'baseUrl',
  'max-age': 'maxAge',
  'max-wait': 'maxWait',
  'no-cache': 'cache: false',
};

const OWN_FUNCTIONS: ReadonlySet<string> = new Set(['compare', 'peers', 'read', 'grep', 'changes']);

const PROGRAM_WORDING: Wording = {
  option: ({ option, value }) => {
    const name = PROGRAM_NAMES[option] ?? option.replaceAll('-', '_');
    return value === undefined ? name : `${name}: ${JSON.stringify(value)}`;
  },
  call: (call) => {
    if (!isQuestionName(call.command)) return TERMINAL_WORDING.call(call);
    const argumentsText = JSON.stringify(toTypedArguments(call.command, call.given));
    return OWN_FUNCTIONS.has(call.command)
      ? `${call.command}(${argumentsText})`
      : `ask(${JSON.stringify(call.command)}, ${argumentsText})`;
  },
};

const formatForProgram = (text: Text): string => formatText(text, PROGRAM_WORDING);

const toProgramCall = (call: CommandCall): Call => ({
  command: call.command,
  given: isQuestionName(call.command) ? (toTypedArguments(call.command, call.given) as Call['given']) : call.given,
});

/** The class of fin's errors. Any other error is a bug, except that an aborted call throws the reason of its signal. */
export class FinError extends Error implements ErrorDetails {
  override readonly name = 'FinError';
  readonly kind: FailureKind;
  readonly exitCode: number;
  readonly hint: string | undefined;
  readonly calls: readonly Call[];
  readonly problem: Problem | undefined;
  readonly retryAfter: number | undefined;

  constructor({ kind, text, hint, problem, retryAfter, cause }: Failure) {
    super(formatForProgram(text), cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.exitCode = EXIT_CODES[kind];
    this.hint = hint === undefined ? undefined : formatForProgram(hint);
    this.calls = hint === undefined ? [] : listCalls(hint).map(toProgramCall);
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

/** Converts a Failure or an error of the file system to a FinError, and throws it; throws any other error unchanged. */
function rejectWithFinError(error: unknown): never {
  const failure = isFailure(error) ? error : explainSystemError(error);
  throw failure === null ? error : new FinError(failure);
}

/** Parameters as JavaScript values: a list is an array, or one comma-separated text. */
type GivenParameters = Readonly<Record<string, unknown>>;

/** An answer to any operation, which the client has validated against the contract. */
type AnyResponse = { readonly data: never; readonly meta: Meta };
/** A document that a command makes, instead of a response of the service. */
type DerivedAnswer = { readonly data: never; readonly meta: never; readonly notices: readonly Notice[] };

/** The client as implemented here; callers see it as `Client`, which has a type for each operation. */
type AnyClient = ReturnType<typeof openClient>;

function refuseUnknownOperation(name: string): asserts name is QuestionName {
  if (Object.hasOwn(QUESTION_COMMANDS, name)) return;
  const names = OPERATIONS.map(({ id }) => id);
  failUsage(`Unknown operation ${quote(String(name))}.${didYouMean(String(name), names)}`);
}

const toRawParameters = ({ parameters }: Operation, given: GivenParameters): RawParameters =>
  Object.entries(given).flatMap(([name, value]): RawParameters => {
    if (value === undefined) return [];
    if (!Array.isArray(value)) return [[name, String(value)]];
    const repeats = parameters.some((parameter) => parameter.name === name && parameter.kind === 'clauses');
    return repeats ? value.map((item) => [name, String(item)]) : [[name, value.join(',')]];
  });

const toNotice = ({ code, severity, text, values, calls }: ResultNotice): Notice => ({
  ...{ code, severity, values },
  message: formatForProgram(text),
  calls: calls.map(toProgramCall),
});

function openLibraryConnection(options: Options): Promise<Connection> {
  const { baseUrl = null, profile = null, apiKey, env = process.env, signal = null, onNotice } = options;
  const { maxWait = null, retries = null, timeout = null, maxAge = null } = options;
  const { fresh = false, offline = false, cache = true } = options;
  const given = { baseUrl, profile, fresh, offline, cache, maxWait, retries, timeout, maxAge };
  const fixed = { apiKeyFile: null, verbose: false, unchecked: false, deadline: null };
  const global = { ...given, ...fixed, quiet: onNotice === undefined };
  const io = { env, signal, log: (line: string) => onNotice?.(line) };
  const target = findConnectionTarget(global, io);
  return openConnection({
    target: apiKey === undefined ? target : withKey(target, apiKey),
    globals: global,
    io,
    ports,
    onEvent: (event) => {
      if (event.type === 'notice') io.log(event.text);
      if (event.type === 'incomplete') io.log(describeMissingTexts(event.missing));
    },
  });
}

function openClient(options: Options) {
  let promise: Promise<Connection> | null = null;
  let isClosed = false;

  async function getConnection(): Promise<Connection> {
    options.signal?.throwIfAborted();
    if (isClosed) failUsage('This client is closed.', 'Open a new client with connect().');
    const pending = promise ?? openLibraryConnection(options);
    promise = pending;
    return pending.catch((error) => {
      promise = null;
      throw error;
    });
  }

  async function askQuestion(name: string, given: GivenParameters) {
    refuseUnknownOperation(name);
    const options = { connection: await getConnection(), form: 'document', offeredOptions: null } as const;
    return askByName(name, given, options);
  }

  async function* askAnswers(operation: OperationId, given: GivenParameters): AsyncGenerator<Answer> {
    const parameters = { ...given, ...(await makeAllPagesParameters(operation, given)) };
    const answered = await askQuestion(operation, parameters).catch(rejectWithFinError);
    try {
      yield* answered.answers;
    } finally {
      answered.close();
    }
  }

  async function* yieldPages(operation: OperationId, given: GivenParameters = {}): AsyncGenerator<AnyResponse> {
    for await (const answer of askAnswers(operation, given)) {
      for (const { data, meta } of answer.readPages()) yield { data, meta } as AnyResponse;
    }
  }

  /** Runs a command that makes its own JSON document instead of returning the service's response. */
  async function askDocument(name: QuestionName, given: GivenParameters): Promise<DerivedAnswer> {
    const { result, close } = await askQuestion(name, given).catch(rejectWithFinError);
    const { data, meta } = JSON.parse([...result.document()].join('')) as DerivedAnswer;
    close();
    // A document lacks an attribution that fin requested separately.
    const { attribution } = result.meta;
    const fullMeta = attribution === undefined ? meta : Object.assign(meta, { attribution });
    return { data, meta: fullMeta, notices: result.notices.map(toNotice) };
  }

  return {
    pages: yieldPages,
    async ask(operation: string, given: GivenParameters = {}) {
      const asked = await askQuestion(operation, given).catch(rejectWithFinError);
      try {
        const { result, answers } = asked;
        const { meta, total = null, notices } = result;
        // If a command combines several answers, the data are in the document that it makes of them.
        const data = answers.length > 1 ? JSON.parse([...result.document()].join('')).data : answers[0]?.data;
        // Repeats the given parameters, because the request lacks parameters by which the client itself filters and
        // sorts.
        const more = result.more ? { command: operation, given: { ...given, ...result.more } } : null;
        return { data, meta, total, more, notices: notices.map(toNotice) } as never;
      } finally {
        asked.close();
      }
    },
    async request(operation: string, given: GivenParameters = {}): Promise<AnyResponse> {
      try {
        refuseUnknownOperation(operation);
        const entry = getOperation(operation as OperationId);
        const { client } = await getConnection();
        const { envelope } = await client.ask(parseQuestion(entry.id, toRawParameters(entry, given)));
        return envelope as unknown as AnyResponse;
      } catch (error) {
        return rejectWithFinError(error);
      }
    },
    compare: (given: GivenParameters) => askDocument('compare', given),
    peers: (given: GivenParameters) => askDocument('peers', given),
    summary: (given: GivenParameters) => askDocument('screen', { ...given, summary: true }),
    read: (given: GivenParameters) => askDocument('read', given),
    grep: (given: GivenParameters) => askDocument('grep', given),
    changes: (given: GivenParameters) => askDocument('changes', given),
    async *rows(operation: OperationId, given: GivenParameters = {}): AsyncGenerator<never> {
      for await (const { data } of yieldPages(operation, given)) {
        yield* (findRows(getOperation(operation), data) ?? [data]) as readonly never[];
      }
    },
    async close() {
      isClosed = true;
      await (await promise?.catch(() => null))?.client.close();
    },
  };
}

/**
 * Returns `all: true` if the answer is a list, unless an `offset` or, for a list without pages, a `limit` selects a
 * page of it.
 */
async function makeAllPagesParameters(operation: OperationId, given: GivenParameters): Promise<GivenParameters> {
  const command = await loadQuestion(operation);
  const isPage = given.offset !== undefined || (given.limit !== undefined && !hasPages(getOperation(operation)));
  return isListCommand(command) && !isPage ? { all: true } : {};
}

/** Returns a client that reads settings and sends requests only when the first question is asked. */
export const connect: Library['connect'] = (options: Options = {}): Client => openClient(options) as unknown as Client;

/** Runs `work` with a new client, and closes the client afterwards. */
async function withClient<Out>(options: Options | undefined, work: (client: AnyClient) => Promise<Out>): Promise<Out> {
  const client = openClient(options ?? {});
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

export const ask: Library['ask'] = (operation: OperationId, given: GivenParameters = {}, options?: Options) =>
  withClient(options, (client) => client.ask(operation, given));

export const request: Library['request'] = (operation: OperationId, given: GivenParameters = {}, options?: Options) =>
  withClient(options, (client) => client.request(operation, given));

/** Returns the function that opens a client for one call of the method. */
const makeSingleCall =
  (method: 'compare' | 'peers' | 'summary' | 'read' | 'grep' | 'changes') =>
  (given: object = {}, options?: Options) =>
    withClient(options, (client) => client[method](given as GivenParameters));

export const compare: Library['compare'] = makeSingleCall('compare');
export const peers: Library['peers'] = makeSingleCall('peers');
export const summary: Library['summary'] = makeSingleCall('summary');
export const read: Library['read'] = makeSingleCall('read');
export const grep: Library['grep'] = makeSingleCall('grep');
export const changes: Library['changes'] = makeSingleCall('changes');

export const pages: Library['pages'] = (operation: OperationId, given: GivenParameters = {}, options: Options = {}) =>
  yieldAndClose(openClient(options), (client) => client.pages(operation, given));

export const rows: Library['rows'] = (operation: OperationId, given: GivenParameters = {}, options: Options = {}) =>
  yieldAndClose(openClient(options), (client) => client.rows(operation, given));

/** Yields items from a client, and closes the client at the end or when the consumer stops. */
async function* yieldAndClose<T>(client: AnyClient, items: (client: AnyClient) => AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* items(client);
  } finally {
    await client.close();
  }
}
