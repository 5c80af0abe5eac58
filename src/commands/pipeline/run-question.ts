/** Runs one question, from the parsed command line to its output: parameters, fetch, render, notices. */
import { changeQuestion } from '../../contract/question/question.ts';
import { accountOf, type Connect, type ConnectionTarget } from '../connection.ts';
import { printReport } from '../report.ts';
import { answerInput } from './answer-input.ts';
import { openAnswerWriter, openOutput, outputTarget } from './answer-output.ts';
import { Batch, inOrder } from './batch.ts';
import type { LastAnswer } from './if-changed.ts';
import type { Input, Inputs } from './inputs.ts';
import { type CommandCall, type ReadCall, readCall } from './read-call.ts';
import type { Stats } from './stats.ts';

/** How many of an account's requests the service answers at a time. */
export const CONCURRENCY = 4;

export interface QuestionCall extends CommandCall {
  readonly target: ConnectionTarget;
  readonly connect: Connect;
  /** Where `--stats` counts. */
  readonly stats: Stats | null;
}

type ReadQuestion = QuestionCall & ReadCall;

/** The exit code; throws the Failure of a question that has no answer at all. */
export async function runQuestion(call: QuestionCall): Promise<number> {
  const read = await readCall(call, call.target.destination.to !== 'service');
  return call.parsed.options.has('plan') ? printPlan(read) : printAnswers(read);
}

/** The days that a walk would ask for, each an input. */
async function daysOf({ inputs, question }: Pick<ReadCall, 'inputs' | 'question'>, since: string): Promise<Input[]> {
  const { daysToPlan } = await import('./walk-days.ts');
  const days: Input[] = [];
  for await (const { parameters } of inputs) days.push(...daysToPlan(changeQuestion(question, parameters), since));
  return days;
}

async function printPlan({ globals, io, target, connect, ...read }: ReadQuestion): Promise<number> {
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

async function printAnswers(call: ReadQuestion): Promise<number> {
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

async function openLast({ command, parsed, presentation, io, target }: ReadQuestion): Promise<LastAnswer> {
  const { openLastAnswer } = await import('./if-changed.ts');
  const { state } = target.directories;
  const account = await accountOf(target);
  return openLastAnswer({ state, account, command, parsed, presentation, io });
}
