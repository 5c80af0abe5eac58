/**
 * What `import … from 'fin-filings'` brings: the questions of the command for programs, over the same connections, limits,
 * caches and settings. `README.md` beside this file documents it, and says what is promised.
 */
import { type Connection, findTarget, openConnection, withKey } from '../commands/connection.ts';
import { fetchAllPages } from '../commands/pipeline/all-pages.ts';
import { type FetchedAnswer, fetchAnswer, fetchOnePage } from '../commands/pipeline/fetch.ts';
import { EXIT_CODES, Failure, type FailureKind, isFailure } from '../contract/failure.ts';
import { describeMissing } from '../contract/missing-text.ts';
import { didYouMean } from '../contract/nearest.ts';
import { hasPages, OPERATIONS, type Operation, type OperationId, operationOf, rowsOf } from '../contract/operations.ts';
import type { Problem } from '../contract/problems.ts';
import { parseQuestion, type Question, type RawParameters } from '../contract/question/question.ts';
import { quote } from '../contract/quote.ts';
import { explainSystemError } from '../platform/system-error.ts';
import type { Client, ErrorDetails, Library, Options } from './api.ts';
import type { Meta } from './operation-types.ts';

const ports = {
  localService: () => import('../wiring/local-service.ts'),
  hosted: () => import('../wiring/hosted-release.ts'),
};

/** The one class of errors, but for the reason of an abort and for defects. */
export class FinError extends Error implements ErrorDetails {
  override readonly name = 'FinError';
  readonly kind: FailureKind;
  readonly exitCode: number;
  readonly hint: string | undefined;
  readonly problem: Problem | undefined;
  readonly retryAfter: number | undefined;

  constructor({ kind, message, hint, problem, retryAfter, cause }: Failure) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.exitCode = EXIT_CODES[kind];
    this.hint = hint;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

/** An abort's reason and a defect stay what they are. */
function rejectWithFinError(error: unknown): never {
  const failure = isFailure(error) ? error : explainSystemError(error);
  throw failure === null ? error : new FinError(failure);
}

/** A parameter as given in JavaScript: a list is one text, or for filters one each. */
type Given = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** An answer of any operation: the client has validated it against the contract. */
interface AnyAnswer {
  readonly data: never;
  readonly meta: Meta;
}

/** A client without the types by operation, which hold for callers. */
interface AnyClient {
  ask(operation: OperationId, given?: Given): Promise<AnyAnswer>;
  pages(operation: OperationId, given?: Given): AsyncIterable<AnyAnswer>;
  rows(operation: OperationId, given?: Given): AsyncIterable<never>;
  close(): Promise<void>;
}

function questionOf(name: string, given: Given): Question {
  const operation = OPERATIONS.find(({ id }) => id === name);
  if (operation === undefined) {
    const names = OPERATIONS.map(({ id }) => id);
    throw new Failure('usage', `There is no operation ${quote(String(name))}.${didYouMean(String(name), names)}`);
  }
  return parseQuestion(operation.id, textsOf(operation, given));
}

function textsOf({ parameters }: Operation, given: Given): RawParameters {
  return Object.entries(given).flatMap(([name, value]): RawParameters => {
    if (value === undefined) return [];
    if (!Array.isArray(value)) return [[name, String(value)]];
    const isRepeated = parameters.some((parameter) => parameter.name === name && parameter.kind === 'clauses');
    return isRepeated ? value.map((item) => [name, item]) : [[name, value.join(',')]];
  });
}

function open(options: Options): Promise<Connection> {
  const { baseUrl = null, profile = null, apiKey, env = process.env, signal = null, onNotice } = options;
  const { maxWait = null, retries = null, timeout = null, maxAge = null } = options;
  const { fresh = false, offline = false, cache = true } = options;
  const quiet = onNotice === undefined;
  const timing = { maxWait, retries, timeout, maxAge, deadline: null };
  const globals = {
    baseUrl,
    profile,
    apiKeyFile: null,
    quiet,
    verbose: false,
    unchecked: false,
    fresh,
    offline,
    cache,
  };
  const io = { env, signal, log: (line: string) => onNotice?.(line) };
  const found = findTarget(globals, io);
  return openConnection({
    target: apiKey === undefined ? found : withKey(found, apiKey),
    globals: { ...globals, ...timing },
    io,
    ports,
    onEvent: (event) => {
      if (event.type === 'notice') io.log(event.text);
      if (event.type === 'incomplete') io.log(describeMissing(event.missing));
    },
  });
}

function openClient(options: Options): AnyClient {
  let connection: Promise<Connection> | null = null;
  let isClosed = false;

  async function fetchPages(operation: string, given: Given, all: boolean): Promise<FetchedAnswer> {
    options.signal?.throwIfAborted();
    if (isClosed) throw new Failure('usage', 'This client is closed.', { hint: 'Open another with connect().' });
    const question = questionOf(operation, given);
    if (all) refusePart(question.operation, given);
    const opening = connection ?? open(options);
    connection = opening;
    const { client } = await opening.catch((error) => {
      connection = null;
      throw error;
    });
    const call = { client, question, progress: () => undefined };
    return fetchAnswer(call, all && hasPages(question.operation) ? fetchAllPages : fetchOnePage);
  }

  async function* pages(operation: string, given: Given = {}): AsyncGenerator<AnyAnswer> {
    const fetched = await fetchPages(operation, given, true).catch(rejectWithFinError);
    try {
      const { attribution } = fetched.answer.meta;
      for (const { data, meta } of fetched.pages()) {
        yield { data, meta: attribution === undefined ? meta : { ...meta, attribution } } as AnyAnswer;
      }
    } finally {
      fetched.close();
    }
  }

  return {
    pages,
    async ask(operation: string, given: Given = {}): Promise<AnyAnswer> {
      const fetched = await fetchPages(operation, given, false).catch(rejectWithFinError);
      fetched.close();
      return fetched.answer as AnyAnswer;
    },
    async *rows(operation: OperationId, given?: Given): AsyncGenerator<never> {
      for await (const { data } of pages(operation, given)) {
        yield* (rowsOf(operationOf(operation), data) ?? [data]) as readonly never[];
      }
    },
    async close() {
      isClosed = true;
      await (await connection?.catch(() => null))?.client.close();
    },
  };
}

/** Some lists have a limit and no offset: without a limit of the caller's, their first rows would pass for all. */
function refusePart(operation: Operation, given: Given): void {
  const hasLimit = operation.parameters.some(({ name }) => name === 'limit');
  if (!hasLimit || hasPages(operation) || given.limit !== undefined) return;
  throw new Failure('usage', `${operation.id} has no offset, so rows and pages cannot give all of it.`, {
    hint: 'Give a limit; ask() tells the total.',
  });
}

/** Reads no settings, and sends nothing, before the first question. */
export const connect: Library['connect'] = (options: Options = {}): Client => openClient(options);

/** Asks one question and closes its connections. */
export const ask: Library['ask'] = async (operation: OperationId, given: Given = {}, options: Options = {}) => {
  const client = openClient(options);
  try {
    return await client.ask(operation, given);
  } finally {
    await client.close();
  }
};

export const pages: Library['pages'] = (operation: OperationId, given: Given = {}, options: Options = {}) =>
  closing(openClient(options), (client) => client.pages(operation, given));

export const rows: Library['rows'] = (operation: OperationId, given: Given = {}, options: Options = {}) =>
  closing(openClient(options), (client) => client.rows(operation, given));

/** Closes the client when all was read, or the reader stops. */
async function* closing<T>(client: AnyClient, read: (client: AnyClient) => AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* read(client);
  } finally {
    await client.close();
  }
}
