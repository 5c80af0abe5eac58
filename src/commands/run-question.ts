/**
 * Runs a question command: makes the plan, asks the service, and prints the results with one renderer; notices go to
 * stderr.
 */

import { askEach, createEmptyResult } from '../ask/ask.ts';
import type { Input, QuestionCommand } from '../ask/command/command.ts';
import type { ParsedArguments } from '../ask/command/option-spec.ts';
import {
  affectsAllInputs,
  findExitCode,
  formatFailureLines,
  makeProblemDocument,
  PARTIAL_EXIT_CODE,
} from '../ask/failure-report.ts';
import { type Plan, planQuestion } from '../ask/plan.ts';
import type { Connect, ConnectionTarget } from '../client/connection.ts';
import { type Failure, failUsage, isFailure } from '../contract/failure.ts';
import { redactApiKeys } from '../contract/text/quote.ts';
import { formatForTerminal, option, say } from '../contract/text/text.ts';
import type { Renderer } from '../render/formats/renderer.ts';
import { FORMATS } from '../render/formats.ts';
import type { Notice } from '../result/notice.ts';
import { hasPrices, makeFlatRows, type Result } from '../result/result.ts';
import { pickFields } from '../result/rows.ts';
import type { GlobalOptionValues } from './command-line/global-options.ts';
import type { Io } from './command-line/io.ts';
import type { Output, Presentation } from './output/presentation.ts';
import { openOutput, openRenderer, printReport, readPresentation } from './output/presentation.ts';
import type { ProgressLine } from './output/progress.ts';
import type { Stats } from './stats.ts';

interface QuestionCall {
  readonly command: QuestionCommand;
  readonly parsed: ParsedArguments;
  readonly globals: GlobalOptionValues;
  readonly io: Io;
  readonly waitLine: ProgressLine;
  readonly target: ConnectionTarget;
  readonly connect: Connect;
  /** Counters for `--stats`; null without that option. */
  readonly stats: Stats | null;
}

/** Returns the exit code. Throws a Failure if the only input fails, or if all inputs would fail in the same way. */
export async function runQuestion(call: QuestionCall): Promise<number> {
  const { command, parsed, globals, io, target, connect } = call;
  const presentation = readPresentation(parsed.options, globals, io);
  const { form } = FORMATS[presentation.format];
  const inProcess = target.destination.to !== 'service';
  const { fields, unchecked } = globals;
  const plan = await planQuestion({ command, parsed, form, fields, unchecked, inProcess, nameSource: io });
  if (!parsed.options.has('plan')) return printAnswers(call, plan, presentation);
  for (const notice of plan.notices) io.log(formatNoticeLine(notice));
  const { makePlanReport: reportPlan } = await import('../ask/plan-report.ts');
  const { values, view } = await reportPlan(plan, await connect(), target);
  await printReport({ json: values, rows: pickFields(Object.keys(values), [values]), view }, globals, io);
  return 0;
}

async function printAnswers(originalCall: QuestionCall, plan: Plan, presentation: Presentation): Promise<number> {
  const call: QuestionCall = { ...originalCall, command: plan.command };
  const { io, parsed } = call;
  const newRows = parsed.options.has('new') ? await openNewRowsFor(call, plan) : null;
  if (newRows === null && parsed.options.has('mark')) failUsage(say`${option('mark')} needs ${option('new')}.`);
  const digest = parsed.options.has('if-changed') ? await openDigest(call, presentation) : null;
  // Answers to names from stdin are printed as they arrive, so no pager is used.
  const usesPager = io.usesPager && !plan.isStreamed && presentation.file === null;
  const output = openOutput({ ...io, usesPager }, digest !== null);
  // With `--if-changed`, notices are buffered too: if the answer is unchanged, nothing is printed.
  const log = digest === null ? io.log : output.log;
  for (const notice of plan.notices) log(formatNoticeLine(notice));
  const connection = await call.connect(log);
  const isBatch = plan.isArray && plan.command.combineAnswers === undefined;
  const renderer = await openRenderer(presentation, io, isBatch, output);
  const batch = new OutcomePrinter(call, presentation, renderer, output, plan.isArray);
  const { waitLine } = call;
  waitLine.start(() => formatProgressLine(call.target, batch.answerCount));
  const wantsNotes = !presentation.quiet;
  const askOptions = {
    ...{ connection, progress: waitLine.progress, wantsNotes, isStopped: () => batch.stopped },
    ...(newRows === null ? {} : { narrowInput: newRows.narrow }),
  };
  let exitCode: number | undefined;
  try {
    const stoppablePlan = { ...plan, inputs: yieldInputsUntilFailure(newRows?.inputs ?? plan.inputs, batch) };
    for await (const outcome of askEach(stoppablePlan, askOptions)) {
      if ('error' in outcome) {
        batch.reportFailure(outcome.input.name, outcome.error);
        continue;
      }
      try {
        for (const answer of outcome.answers) digest?.add(answer);
        if (newRows === null) batch.addResult(outcome.input, outcome.result);
        else {
          const isEmpty = newRows.add(outcome.input, outcome.answers) === 0;
          batch.addNewRows(outcome.input, outcome.result, isEmpty);
        }
      } finally {
        outcome.close();
      }
    }
    waitLine.stop();
    exitCode = await batch.end(async () => (newRows === null ? createEmptyResult(plan, askOptions) : null));
  } finally {
    waitLine.stop();
    // After a failure the output is printed and the stored digest is kept, because an incomplete answer cannot be
    // compared with the answer of the last run.
    if (exitCode !== 0 || digest?.isSame() !== true) await output.flush();
  }
  if (exitCode === 0) digest?.saveDigest();
  await newRows?.record();
  return exitCode;
}

const openDigest = async (call: QuestionCall, presentation: Presentation) =>
  (await import('./last-run.ts')).openAnswerDigest(call, presentation);

async function openNewRowsFor(call: QuestionCall, plan: Plan) {
  const { command, parsed } = call;
  if (command.listsFilings !== true || parsed.options.has('if-changed')) {
    const other = parsed.options.has('if-changed') ? option('if-changed') : option('group');
    failUsage(say`${option('new')} cannot be combined with ${other}.`);
  }
  const { openNewRows } = await import('./last-run.ts');
  return openNewRows(plan, call);
}

function formatProgressLine({ destination }: ConnectionTarget, answerCount: number): string {
  const source = destination.to === 'local' ? 'the release on this machine' : new URL(destination.baseUrl).host;
  return `Asking ${source}${answerCount > 0 ? `, ${answerCount} answered` : ''}`;
}

/**
 * Yields inputs. If reading them fails, records the error in the batch and ends, so that inputs already read are still
 * answered.
 */
async function* yieldInputsUntilFailure(inputs: Plan['inputs'], batch: OutcomePrinter): AsyncGenerator<Input> {
  try {
    yield* inputs;
  } catch (error) {
    batch.recordInputsFailure(error);
  }
}

const formatNoticeLine = ({ severity, text }: Notice): string =>
  severity === 'warning' ? `Warning: ${formatForTerminal(text)}` : formatForTerminal(text);

/**
 * Collects the outcomes of one command's inputs: prints each answer, reports failures by input, and determines the exit
 * code.
 */
class OutcomePrinter {
  /** Number of printed answers. */
  answerCount = 0;
  private readonly exitCodes: number[] = [];
  private readonly attributions = new Set<string>();
  /** Warnings already printed; a warning that several inputs share, such as one about the release, is printed once. */
  private readonly printedWarnings = new Set<string>();
  private stopFailure: Failure | null = null;

  constructor(
    private readonly call: QuestionCall,
    private readonly presentation: Presentation,
    private readonly renderer: Renderer,
    private readonly output: Output,
    private readonly isBatch: boolean,
  ) {}

  /**
   * Whether to stop, because a failure would repeat for every further input, or because the inputs could not be read.
   */
  get stopped(): boolean {
    return this.stopFailure !== null;
  }

  private get form() {
    return FORMATS[this.presentation.format].form;
  }

  /** Prints the result of `--new`: documents always, in other formats only if it has new rows. */
  addNewRows(input: Input, result: Result, isEmpty: boolean): void {
    const isHidden = this.call.parsed.options.has('mark') || (isEmpty && this.form !== 'document');
    if (isHidden) this.answerCount += 1;
    else this.addResult(input, result);
  }

  addResult(input: Input, result: Result): void {
    const { stats } = this.call;
    this.answerCount += 1;
    this.renderer.answer(result);
    if (result.attribution != null && hasPrices(result)) this.attributions.add(result.attribution);
    if (stats !== null) for (const _ of makeFlatRows(result).rows) stats.addRows(1);
    const isNamed = this.call.command.combineAnswers === undefined;
    for (const notice of result.notices) this.log(notice, isNamed ? this.findNoticePrefix(input, notice) : null);
  }

  /**
   * Returns the name of the input that a notice is about. A single input is named too, unless the notice names it: the
   * command may be one of many that a shell's loop or `xargs` runs.
   */
  private findNoticePrefix({ name, parameters }: Input, { text }: Notice): string | null {
    if (this.isBatch) return name;
    const subject = parameters.find(([parameter]) => SUBJECTS.has(parameter))?.[1];
    const isInText = (name: string) => formatForTerminal(text).toUpperCase().includes(name.toUpperCase());
    return subject === undefined || isInText(subject) ? null : redactApiKeys(shortenName(subject));
  }

  private log(notice: Notice, inputName: string | null): void {
    const { code, severity } = notice;
    // JSON documents do not contain an attribution that fin requested separately, so it is printed on stderr instead.
    if (code === 'attribution_added') {
      if (this.form === 'document') this.logOnce(formatForTerminal(notice.text));
      return;
    }
    if (severity === 'note') {
      if (!this.presentation.quiet)
        this.output.log(inputName === null ? formatNoticeLine(notice) : `${inputName}: ${formatNoticeLine(notice)}`);
      return;
    }
    const isPerInput = inputName !== null && code !== 'checks_failed' && code !== 'attribution_missing';
    this.logOnce(isPerInput ? `Warning: ${inputName}: ${formatForTerminal(notice.text)}` : formatNoticeLine(notice));
  }

  private logOnce(line: string): void {
    if (this.printedWarnings.has(line)) return;
    this.printedWarnings.add(line);
    this.output.log(line);
  }

  /**
   * Stores an error in reading the inputs: `end` throws the error after it has completed the output. Throws the error
   * immediately if the command has only one input, or if the error is not a Failure.
   */
  recordInputsFailure(error: unknown): void {
    if (!this.isBatch || !isFailure(error)) throw error;
    this.stopFailure ??= error;
  }

  /**
   * Throws the error if the command has only one input, or if the error is not a Failure. Otherwise reports the error
   * by the input's name, or stops the batch if every other input would fail in the same way.
   */
  reportFailure(inputName: string, error: unknown): void {
    const { io } = this.call;
    if (!this.isBatch || !isFailure(error)) throw error;
    if (affectsAllInputs(error)) {
      this.stopFailure ??= error;
      return;
    }
    const problem = makeProblemDocument(error);
    this.exitCodes.push(findExitCode(error));
    this.renderer.addFailure?.(redactApiKeys(inputName), problem);
    if (this.form === 'document') io.log(JSON.stringify({ input: inputName, ...problem }));
    else for (const line of formatFailureLines(error, `${shortenName(inputName)}: `)) io.log(line);
  }

  /**
   * Ends the output. Returns 0 if no input failed, the common exit code if all inputs failed with the same code,
   * otherwise 8. Throws the error that stopped the batch.
   */
  async end(makeEmpty: () => Promise<Result | null>): Promise<number> {
    // If the batch stopped before the first answer, not even an empty list is printed.
    if (this.stopFailure !== null && this.answerCount + this.exitCodes.length === 0) throw this.stopFailure;
    if (this.answerCount === 0 && this.stopFailure === null && this.form === 'rows') {
      // Formats with a header print the header even if there are no rows.
      const empty = await makeEmpty();
      if (empty !== null) this.renderer.answer(empty);
    }
    if (!this.call.parsed.options.has('mark')) await this.renderer.end?.();
    const hasOutcome = this.answerCount + this.exitCodes.length > 0 || this.stopFailure !== null;
    if (this.isBatch && !hasOutcome && !this.presentation.quiet)
      this.output.log('Standard input contained nothing to request.');
    // The rows of formats such as CSV have the attribution as a column; a person at a terminal reads it here, even with
    // `--quiet`.
    const readsMessages = this.call.io.errIsTerminal && this.form === 'rows';
    if (readsMessages) for (const attribution of this.attributions) this.output.log(attribution);
    if (this.stopFailure !== null) throw this.stopFailure;
    const [firstCode, ...otherCodes] = new Set(this.exitCodes);
    if (firstCode === undefined) return 0;
    return this.answerCount === 0 && otherCodes.length === 0 ? firstCode : PARTIAL_EXIT_CODE;
  }
}

/** Parameters that name what an answer is about. */
const SUBJECTS: ReadonlySet<string> = new Set(['ticker', 'cik', 'accession']);

const MAX_NAME_LENGTH = 60;

const shortenName = (name: string) => (name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name);
