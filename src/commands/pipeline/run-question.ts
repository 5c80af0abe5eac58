/** One question from the parsed command line to its output: check, ask, write, remark. */

import { operationOf } from '../../contract/operations.ts';
import { changeQuestion, type Question } from '../../contract/question/question.ts';
import type { QuestionCommand } from '../command.ts';
import type { GlobalOptions } from '../command-line/global-options.ts';
import type { ParsedArguments } from '../command-line/parse.ts';
import type { Connect } from '../connection/connection.ts';
import { accountOf, type ConnectionTarget } from '../connection/target.ts';
import { isEmpty } from '../empty-answers/empty-answer.ts';
import type { Io, OutputTarget } from '../io.ts';
import { printReport } from '../print-report.ts';
import { openOutput } from './answer-output.ts';
import { Batch } from './batch.ts';
import { type FetchedAnswer, oneAnswer } from './fetched-answer.ts';
import type { LastAnswer } from './if-changed.ts';
import { inOrder } from './in-order.ts';
import { type Input, readInputs } from './inputs.ts';
import { makeEmitter } from './make-emitter.ts';
import { readParameters } from './parameters.ts';
import { withAttribution } from './price-attribution.ts';
import { answerOf } from './render-answer.ts';
import type { Stats } from './stats.ts';
import { suggest } from './suggest.ts';

/** The service answers so many of an account's requests at a time. */
const AT_A_TIME = 4;

export interface QuestionCall {
  readonly definition: QuestionCommand;
  readonly parsed: ParsedArguments;
  readonly globals: GlobalOptions;
  readonly io: Io;
  readonly target: ConnectionTarget;
  readonly connect: Connect;
  /** Where `--stats` counts. */
  readonly stats: Stats | null;
}

/** The exit code; throws the Failure of a question that has no answer at all. */
export async function runQuestion(question: QuestionCall): Promise<number> {
  const { definition, parsed: line, globals, io, target: place, connect, stats: costs } = question;
  const operation = operationOf(definition.operation);
  const { several, inputs } = readInputs(definition, operation, line, io);
  const { question: base, flags: asking, warnings } = readParameters(definition, line, globals, place);
  const warn = (say: (line: string) => void) => {
    for (const warning of warnings) say(`Warning: ${warning}`);
  };

  if (asking.plan) {
    warn(io.log);
    const { client } = await connect();
    const { planQuestion } = await import('./plan.ts');
    const plan = await planQuestion({
      inputs,
      question: base,
      all: asking.all,
      client,
      target: place,
    });
    await printReport(plan, globals, io);
    return 0;
  }

  const last = asking.ifChanged ? await openLast(question) : null;
  const outlet = openOutput(await endsOf(globals, io), last !== null);
  // Where nothing is written unless it is news, nothing is said either.
  const say = last === null ? io.log : outlet.log;
  warn(say);
  const { client, local, sample } = await connect(say);
  const batch = new Batch(several, globals, io, await makeEmitter(globals, io, several, outlet.write), outlet, costs);
  const find = async (asked: Question): Promise<FetchedAnswer> => {
    if (asking.all) {
      const { walkPages } = await import('./all-pages.ts');
      return walkPages({ client, question: asked, progress: io.progress });
    }
    const response = await client.ask(asked);
    return oneAnswer(answerOf(operation, response.envelope), response);
  };
  const attributed = async (found: FetchedAnswer): Promise<FetchedAnswer> => {
    try {
      return await withAttribution(operation, found, client);
    } catch (error) {
      found.close();
      throw error;
    }
  };
  const whyNothing = async ({ answer: told }: FetchedAnswer, { given }: Question): Promise<string | null> => {
    // What asks for everything there is has no reason of its own to find nothing.
    if (globals.quiet || given.length === 0 || !isEmpty(operation, told)) return null;
    const { whyEmpty } = await import('../empty-answers/why-empty.ts');
    return whyEmpty(operation.id, given, told, { client, local });
  };
  const work = async (input: Input) => {
    const asked = changeQuestion(base, input.parameters);
    try {
      if (batch.stopped) return null;
      const found = await attributed(await find(asked));
      return { input, asked, found, nothing: await whyNothing(found, asked) };
    } catch (error) {
      return { input, failure: suggest(error, definition, asked) };
    }
  };
  let code: number | undefined;
  try {
    for await (const result of inOrder(inputs, several ? AT_A_TIME : 1, work)) {
      if (result === null) continue;
      if ('failure' in result) {
        batch.failed(result.input.name, result.failure);
        continue;
      }
      const { input, asked, found, nothing } = result;
      try {
        last?.add(found);
        batch.answered(input.name, found, definition, {
          parameters: asked.parameters,
          width: io.width,
          local,
          sample,
          emptyReason: nothing,
        });
      } finally {
        found.close();
      }
    }
    code = batch.end(definition, { parameters: base.parameters, width: io.width });
    // What has failed may hide a change: then what there is is shown, and what was known stays known.
    if (code === 0 && last?.same() === true) {
      last.keep();
      return 0;
    }
  } finally {
    if (code !== 0 || last?.same() !== true) await outlet.flush();
  }
  if (code === 0) last?.keep();
  return code;
}

/** The file of a picture stands in for stdout. */
async function endsOf(globals: GlobalOptions, io: Io): Promise<OutputTarget> {
  const file = globals.drawing?.file ?? null;
  if (file === null) return io;
  const { intoFile } = await import('./write-picture.ts');
  return { print: intoFile(file, globals, io), log: io.log, page: io.page, pages: false };
}

async function openLast({ definition, parsed: line, globals, io, target: place }: QuestionCall): Promise<LastAnswer> {
  const { openLastAnswer } = await import('./if-changed.ts');
  const { state } = place.directories;
  return openLastAnswer({ state, account: await accountOf(place), command: definition.operation, line, globals, io });
}
