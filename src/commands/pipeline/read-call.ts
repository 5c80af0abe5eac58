/** The command line of one question, read: everything that can be wrong with it is found before anything is asked. */
import { Failure } from '../../contract/failure.ts';
import { hasPages, operationOf } from '../../contract/operations.ts';
import type { Question } from '../../contract/question/question.ts';
import type { Narrowing, QuestionCommand, RowFilter } from '../command.ts';
import { formatOf, type GlobalOptions } from '../command-line/global-options.ts';
import type { GivenOptions, ParsedArguments } from '../command-line/option-spec.ts';
import type { Io } from '../io.ts';
import type { Presentation } from './answer-output.ts';
import { type Inputs, readInputs } from './inputs.ts';
import { readParameters } from './parameters.ts';
import { readDrawing, withChosenRows } from './question-options.ts';

export interface CommandCall {
  readonly command: QuestionCommand;
  readonly parsed: ParsedArguments;
  readonly globals: GlobalOptions;
  readonly io: Io;
}

/** A call once all its options have been read. */
export interface ReadCall extends CommandCall, Inputs {
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

/**
 * Throws a usage Failure for what is wrong with the command line, before anything is asked or opened.
 * @param local whether this program's own service will answer
 */
export async function readCall<Call extends CommandCall>(call: Call, local: boolean): Promise<Call & ReadCall> {
  const { parsed, globals, io } = call;
  const { options } = parsed;
  const chosen = withChosenRows(await byItsOptions(call.command, options), options);
  const { command, drawing } = readDrawing(chosen, options, io);
  const presentation: Presentation = {
    ...globals,
    ...(drawing === null ? {} : { format: drawing.form === 'xlsx' ? 'csv' : 'table' }),
    drawing,
  };
  const purpose = {
    format: presentation.format,
    fields: presentation.fields,
    local,
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
  const choice = presentation.fields !== null ? '--fields chooses columns' : '--rows chooses rows';
  const chooses = presentation.fields !== null || parsed.options.has('rows');
  if (chooses && formatOf(presentation.format).form === 'document') {
    throw new Failure('usage', `${choice}; JSON is always the whole answer.`, {
      hint: 'Use --output ndjson, or choose with a JSON tool.',
    });
  }
  return { ...call, ...inputs, ...parameters, command, presentation, rowFilters, narrowing, walkTo, all };
}

const byItsOptions = async (command: QuestionCommand, options: GivenOptions): Promise<QuestionCommand> => ({
  ...command,
  ...(await command.byOptions?.(options)),
});
