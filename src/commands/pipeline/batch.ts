/** Keeps count over the inputs of one command: who failed, what was said, and the exit code at the end. */
import { isConnectionError } from '../../client/http/transport.ts';
import { type Failure, isFailure } from '../../contract/failure.ts';
import { operationOf } from '../../contract/operations.ts';
import type { AnswerWriter } from '../../output/formats/answer-writer.ts';
import type { QuestionCommand, ViewContext } from '../command.ts';
import type { GlobalOptions } from '../command-line/global-options.ts';
import { exitCode, failureLines, PARTIAL, problemDocument } from '../failure-report.ts';
import type { Io } from '../io.ts';
import type { AnswerOutput } from './answer-output.ts';
import type { FetchedAnswer } from './fetched-answer.ts';
import { noticesFor } from './notices.ts';
import { attributionOf, countRows, renderAnswer, renderNothing } from './render-answer.ts';
import type { Stats } from './stats.ts';

const NOT_ATTRIBUTED = 'The service sent no attribution with these prices, and none of its is known.';

export class Batch {
  private answers = 0;
  private readonly codes: number[] = [];
  private readonly attributions = new Set<string>();
  private readonly beside = new Set<string>();
  private stop: Failure | null = null;

  constructor(
    private readonly several: boolean,
    private readonly globals: GlobalOptions,
    private readonly io: Io,
    private readonly emitter: AnswerWriter,
    private readonly outlet: AnswerOutput,
    private readonly costs: Stats | null,
  ) {}

  /** Whether nothing more is to be asked: the fault is the account's or the address's, not one input's. */
  get stopped(): boolean {
    return this.stop !== null;
  }

  answered(name: string, found: FetchedAnswer, definition: QuestionCommand, context: ViewContext): void {
    this.answers += 1;
    this.emitter.answer(renderAnswer(definition, found, context, this.globals));
    const attribution = attributionOf(found.answer);
    if (attribution !== null) this.attributions.add(attribution);
    if (found.attributed === 'missing') this.outlet.log(`Warning: ${NOT_ATTRIBUTED}`);
    // The document is the service's own; what it lacks is said beside it.
    if (found.attributed === 'added' && this.globals.format === 'json') this.beside.add(attribution ?? '');
    this.costs?.addRows(countRows(definition, found, context));
    const { warnings, notices } = noticesFor(definition, operationOf(definition.operation), found.answer, context);
    const head = this.several ? `${name}: ` : '';
    for (const warning of warnings) this.outlet.log(`Warning: ${head}${warning}`);
    if (!this.globals.quiet) for (const notice of notices) this.outlet.log(head + notice);
  }

  /** Alone, a failure is the command's; among several it is named and the rest goes on. */
  failed(name: string, error: unknown): void {
    if (!this.several || !isFailure(error)) throw error;
    if (stopsAll(error)) {
      this.stop ??= error;
      return;
    }
    const problem = problemDocument(error);
    this.codes.push(exitCode(error));
    this.emitter.failed(name, problem);
    if (this.globals.format === 'json') this.io.log(JSON.stringify({ input: name, ...problem }));
    else for (const line of failureLines(error)) this.io.log(line.replace(/^fin: /, `fin: ${name}: `));
  }

  /** 0, or 8 where some failed, or the one code of all where none was answered. Throws what stopped the batch. */
  end(definition: QuestionCommand, context: ViewContext): number {
    if (this.answers === 0 && this.stop === null && this.globals.format === 'csv') {
      // A file of rows has its header, whether or not anything stands under it.
      this.emitter.answer(renderNothing(definition, context, this.globals));
    }
    this.emitter.end();
    if (this.several && this.answers + this.codes.length === 0 && this.stop === null && !this.globals.quiet) {
      this.outlet.log('Standard input named nothing, so nothing was asked.');
    }
    this.attribute();
    if (this.stop !== null) throw this.stop;
    const [first, ...others] = new Set(this.codes);
    if (first === undefined) return 0;
    return this.answers === 0 && others.length === 0 ? first : PARTIAL;
  }

  /** Rows carry it in a column; whoever watches them scroll by sees it once more, and `--quiet` or not. */
  private attribute(): void {
    for (const attribution of this.beside) this.outlet.log(attribution);
    const { format } = this.globals;
    if (!this.io.errIsTerminal || (format !== 'csv' && format !== 'ndjson')) return;
    for (const attribution of this.attributions) this.outlet.log(attribution);
  }
}

/** The account's and the address's faults; one answer that broke off or is malformed is only that one's. */
function stopsAll({ kind, cause }: Failure): boolean {
  if (kind !== 'network') return kind === 'key' || kind === 'limit' || kind === 'data';
  if (!(cause instanceof Error)) return false;
  if (isConnectionError(cause)) return cause.kind === 'refused' || cause.kind === 'absent';
  return !(cause instanceof SyntaxError || cause instanceof TypeError);
}
