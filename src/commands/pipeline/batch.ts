/** The inputs of one command, several at a time: what is printed of each, who failed, and the exit code at the end. */

import { type Failure, isFailure } from '../../contract/failure.ts';
import { operationOf } from '../../contract/operations.ts';
import { redactKeys } from '../../contract/quote.ts';
import { isConnectionError } from '../../http/connection-error.ts';
import type { AnswerWriter } from '../../output/formats/answer-writer.ts';
import type { QuestionCommand, ViewContext } from '../command.ts';
import { type FormatEntry, formatOf } from '../command-line/global-options.ts';
import { exitCode, failureLines, PARTIAL, problemDocument } from '../failure-report.ts';
import type { Io } from '../io.ts';
import {
  type AnswerOutput,
  attributionOf,
  countRows,
  type Presentation,
  renderAnswer,
  renderNothing,
  showsPrices,
} from './answer-output.ts';
import type { FetchedAnswer } from './fetch.ts';
import { noticesFor, warningsOf } from './notices.ts';
import type { Stats } from './stats.ts';

export interface BatchSetup {
  readonly command: QuestionCommand;
  /** Whether the answer is an array. */
  readonly several: boolean;
  readonly presentation: Presentation;
  readonly io: Io;
  readonly writer: AnswerWriter;
  readonly output: AnswerOutput;
  readonly stats: Stats | null;
}

export class Batch {
  private answers = 0;
  private readonly codes: number[] = [];
  private readonly attributions = new Set<string>();
  /** Attributions that the JSON document lacks. */
  private readonly addedAttributions = new Set<string>();
  /** Warnings are of a release, not of one input: each is printed once. */
  private readonly warned = new Set<string>();
  private stop: Failure | null = null;
  private readonly form: FormatEntry['form'];

  constructor(private readonly setup: BatchSetup) {
    this.form = formatOf(setup.presentation.format).form;
  }

  /** Whether nothing more is to be asked: what failed is the account's or the address's, not one input's. */
  get stopped(): boolean {
    return this.stop !== null;
  }

  answered(name: string, fetched: FetchedAnswer, context: ViewContext): void {
    const { command, several, presentation, writer, output, stats } = this.setup;
    this.answers += 1;
    writer.answer(renderAnswer(command, fetched, context, presentation));
    const attribution = attributionOf(fetched.answer);
    if (attribution !== null && this.isPriced(fetched, context)) {
      this.attributions.add(attribution);
      if (fetched.attributed === 'added' && this.form === 'document') this.addedAttributions.add(attribution);
    }
    if (fetched.attributed === 'missing') {
      output.log('Warning: The service sent no attribution with these prices, and none of its is known.');
    }
    stats?.addRows(countRows(command, fetched, context));
    const { answer, pages, notices: fetching = [] } = fetched;
    for (const warning of warningsOf(answer).filter((one) => !this.warned.has(one))) {
      output.log(`Warning: ${warning}`);
      this.warned.add(warning);
    }
    if (presentation.quiet) return;
    const notices = noticesFor(command, operationOf(command.operation), answer, context, pages);
    for (const notice of [...notices, ...fetching]) output.log(several ? `${name}: ${notice}` : notice);
  }

  /** The list of inputs broke off: what was answered is completed, then that error thrown. */
  inputsFailed(error: unknown): void {
    if (!this.setup.several || !isFailure(error)) throw error;
    this.stop ??= error;
  }

  /** Rows of chosen columns may show no price; a document is always whole. */
  private isPriced({ answer }: FetchedAnswer, context: ViewContext): boolean {
    const { command, presentation } = this.setup;
    return (
      this.form === 'document' || showsPrices(command, presentation.fields ?? command.rows(answer, context).columns)
    );
  }

  /** Alone, a failure is the command's; among several it is named and the rest goes on. */
  failed(name: string, error: unknown): void {
    const { several, io, writer } = this.setup;
    if (!several || !isFailure(error)) throw error;
    if (stopsAll(error)) {
      this.stop ??= error;
      return;
    }
    const problem = problemDocument(error);
    this.codes.push(exitCode(error));
    writer.failed(redactKeys(name), problem);
    if (this.form === 'document') io.log(JSON.stringify({ input: name, ...problem }));
    else for (const line of failureLines(error)) io.log(line.replace(/^fin: /, () => `fin: ${shortened(name)}: `));
  }

  /** 0, or 8 where some failed, or the one code of all where none was answered. Throws what stopped the batch. */
  async end(context: ViewContext): Promise<number> {
    const { command, several, presentation, writer, output } = this.setup;
    // Of a batch that stopped before its first answer nothing is printed, not even an empty list.
    if (this.stop !== null && this.answers + this.codes.length === 0) throw this.stop;
    if (this.answers === 0 && this.stop === null && this.form === 'rows') {
      // Where rows have a header it is written, whether or not any follow.
      writer.answer(renderNothing(command, context, presentation));
    }
    await writer.end();
    if (several && this.answers + this.codes.length === 0 && this.stop === null && !presentation.quiet) {
      output.log('Standard input had no names, so nothing was asked.');
    }
    this.logAttributions();
    if (this.stop !== null) throw this.stop;
    const [first, ...others] = new Set(this.codes);
    if (first === undefined) return 0;
    return this.answers === 0 && others.length === 0 ? first : PARTIAL;
  }

  /** Rows carry it in a column; a reader who watches them scroll by sees it once more, `--quiet` or not. */
  private logAttributions(): void {
    const { io, output } = this.setup;
    for (const attribution of this.addedAttributions) output.log(attribution);
    if (!io.errIsTerminal || this.form !== 'rows') return;
    for (const attribution of this.attributions) output.log(attribution);
  }
}

const NAME_MAX = 60;

const shortened = (name: string): string => (name.length > NAME_MAX ? `${name.slice(0, NAME_MAX)}…` : name);

/** Failures of the account or the address; a response that broke off or is malformed concerns one input only. */
export function stopsAll({ kind, cause }: Failure): boolean {
  if (kind !== 'network') return kind === 'key' || kind === 'limit' || kind === 'data';
  if (isConnectionError(cause)) return cause.kind === 'refused' || cause.kind === 'absent';
  return cause instanceof Error;
}

/**
 * The results in the order of the items, each as soon as it and those before it are there, also while the next item is
 * awaited. At most `limit` are under way, those waiting for an earlier one included, so a slow first one holds the rest
 * back instead of filling memory. A result that throws ends the walk with that error.
 */
export async function* inOrder<In, Out>(
  items: AsyncIterable<In> | Iterable<In>,
  limit: number,
  work: (item: In) => Promise<Out>,
): AsyncGenerator<Out> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const pending: Promise<Out>[] = [];
  let next: Promise<IteratorResult<In>> | null = null;
  let ended = false;
  try {
    for (;;) {
      if (!ended && pending.length < limit) next ??= Promise.resolve(iterator.next());
      const [first] = pending;
      if (first !== undefined && (next === null || (await isFirst(first, next)))) {
        pending.shift();
        yield await first;
        continue;
      }
      if (next === null) return;
      const item: IteratorResult<In> = await next;
      next = null;
      if (item.done === true) ended = true;
      else pending.push(work(item.value));
      // The error is seen when the result is awaited; until then it must not count as unhandled.
      pending.at(-1)?.catch(() => undefined);
    }
  } finally {
    // Not awaited: an item that is still awaited may never come.
    if (!ended) Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

/** Whether one is settled before the other; the errors of both are left to those who await them. */
const isFirst = (one: Promise<unknown>, other: Promise<unknown>): Promise<boolean> => {
  const settled = (promise: Promise<unknown>, isOne: boolean) =>
    promise.then(
      () => isOne,
      () => isOne,
    );
  return Promise.race([settled(one, true), settled(other, false)]);
};
