/** One question from the parsed command line to its output: check, ask, write, remark. */
import { checkParameters } from '../contract/check.ts';
import { Failure } from '../contract/failure.ts';
import { type Operation, operationOf } from '../contract/operations.ts';
import type { Emitter } from '../output/emitter.ts';
import { asked, attributionOf, partOf } from './answer-part.ts';
import { Batch } from './batch.ts';
import type { Connect } from './connection.ts';
import type { Place } from './find-place.ts';
import type { Globals } from './globals.ts';
import { inOrder } from './in-order.ts';
import { type Input, readInputs } from './inputs.ts';
import type { Io } from './io.ts';
import { makeEmitter } from './make-emitter.ts';
import { remarksOn } from './notices.ts';
import { kebab } from './option-spec.ts';
import type { ParsedLine } from './parse-options.ts';
import { suggest } from './suggest.ts';
import type { CommandDef, Given, ViewContext } from './types.ts';

/** The service answers so many of an account's requests at a time. */
const AT_A_TIME = 4;

export interface Question {
  readonly definition: CommandDef;
  readonly line: ParsedLine;
  readonly globals: Globals;
  readonly io: Io;
  readonly place: Place;
  readonly connect: Connect;
}

/** The exit code; throws the Failure of a question that has no answer at all. */
export async function askQuestion({ definition, line, globals, io, place, connect }: Question): Promise<number> {
  const operation = operationOf(definition.operation);
  const { several, inputs } = readInputs(definition, operation, line.args, io);
  const typed = withDefaults(definition, operation, readOptions(operation, line.options));
  const purpose = { format: globals.format, local: place.destination.to === 'local' };
  const { given: options, warnings } = definition.prepare?.(typed, purpose) ?? { given: typed, warnings: [] };
  for (const warning of warnings) io.say(`Warning: ${warning}`);
  if (!globals.unchecked) refuseEarly(operation, options);
  if (globals.fields !== null && globals.format === 'json') {
    throw new Failure('usage', '--fields chooses columns; JSON is always the whole answer.', {
      hint: 'Use --output ndjson, or choose with a JSON tool.',
    });
  }

  const { client } = await connect();
  const emitter: Emitter = await makeEmitter(globals, io, several);
  const batch = new Batch(several, globals, io, emitter);
  const work = async (input: Input) => {
    const given = [...input.given, ...options];
    try {
      if (batch.stopped) return null;
      const answer = await client.ask(operation, given);
      return { input, given, text: answer.text, source: answer.source, envelope: asked(operation, answer.envelope) };
    } catch (error) {
      return { input, failure: suggest(error, operation, given) };
    }
  };
  for await (const result of inOrder(inputs, several ? AT_A_TIME : 1, work)) {
    if (result === null) continue;
    if ('failure' in result) {
      batch.failed(result.input.name, result.failure);
      continue;
    }
    const context: ViewContext = {
      parameters: checkParameters(operation, result.given).parameters,
      width: io.width,
    };
    emitter.answer(partOf(definition, result.envelope, context, result.text, globals));
    batch.answered({
      name: result.input.name,
      remarks: remarksOn(definition, operation, result.envelope, context),
      attribution: attributionOf(result.envelope),
      source: result.source,
    });
  }
  return batch.end();
}

/** Options as parameters, in the order of the interface. */
function readOptions(operation: Operation, options: ParsedLine['options']): Given {
  return operation.parameters.flatMap(({ name, kind, in: place }) => {
    const texts = place === 'query' ? (options.get(kebab(name)) ?? []) : [];
    if (texts.length === 0) return [];
    if (kind === 'boolean') return [[name, 'true'] as const];
    // A list may be given in parts: --keys revenue --keys net_income.
    return kind === 'list' ? [[name, texts.join(',')] as const] : texts.map((text) => [name, text] as const);
  });
}

function withDefaults({ defaults = {} }: CommandDef, operation: Operation, given: Given): Given {
  const named = new Set(given.map(([name]) => name));
  const known = operation.parameters.map(({ name }) => name);
  const own = Object.entries(defaults).filter(([name]) => !named.has(name) && known.includes(name));
  return [...given, ...own];
}

/** What the interface itself says is wrong costs no request, and no look at keys or data. */
function refuseEarly(operation: Operation, given: Given): void {
  const paths = new Set(operation.parameters.filter(({ required }) => required).map(({ name }) => name));
  const fault = checkParameters(operation, given).faults.find(
    ({ source, parameter }) =>
      source === 'stated' && !(paths.has(parameter) && !given.some(([name]) => name === parameter)),
  );
  if (fault !== undefined) throw new Failure('usage', fault.detail);
}
