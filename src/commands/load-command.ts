/** A command by its name: its own code, and nobody else's. */
import { Failure } from '../contract/failure.ts';
import { didYouMean } from '../contract/nearest.ts';
import type { OperationId } from '../contract/operations.ts';
import { QUESTIONS, UTILITIES } from './table.ts';
import type { CommandDef } from './types.ts';
import type { UtilityCommand } from './utility.ts';

export type Command =
  | { readonly kind: 'question'; readonly definition: CommandDef }
  | { readonly kind: 'utility'; readonly utility: UtilityCommand };

export const COMMAND_NAMES: readonly string[] = [...Object.keys(QUESTIONS), ...Object.keys(UTILITIES)];

/** Throws a usage Failure that suggests what may have been meant. */
export async function loadCommand(name: string): Promise<Command> {
  if (isQuestion(name)) return { kind: 'question', definition: (await QUESTIONS[name]()).default };
  const utility = Object.hasOwn(UTILITIES, name) ? UTILITIES[name] : undefined;
  if (utility !== undefined) return { kind: 'utility', utility: (await utility.load()).default };
  const group = COMMAND_NAMES.filter((known) => known.startsWith(`${name} `));
  if (group.length > 0) throw new Failure('usage', `fin ${name} is several commands: ${group.join(', ')}.`);
  throw new Failure('usage', `There is no command ${JSON.stringify(name)}.${didYouMean(name, COMMAND_NAMES)}`, {
    hint: 'fin --help lists the commands.',
  });
}

const isQuestion = (name: string): name is OperationId => Object.hasOwn(QUESTIONS, name);
