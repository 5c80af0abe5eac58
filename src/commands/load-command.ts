/** A command by its name: its own code, and nobody else's. */
import { Failure } from '../contract/failure.ts';
import { didYouMean } from '../contract/nearest.ts';
import type { OperationId } from '../contract/operations.ts';
import type { QuestionCommand } from './command.ts';
import { QUESTIONS, UTILITIES } from './command-table.ts';
import type { UtilityCommand } from './utility.ts';

export type Command =
  | { readonly kind: 'question'; readonly definition: QuestionCommand }
  | { readonly kind: 'utility'; readonly utility: UtilityCommand };

export const COMMAND_NAMES: readonly string[] = [...Object.keys(QUESTIONS), ...Object.keys(UTILITIES)];

/** Throws a usage Failure that suggests what may have been meant. */
export async function loadCommand(name: string): Promise<Command> {
  if (isQuestion(name)) return { kind: 'question', definition: (await QUESTIONS[name]()).default };
  const utility = Object.hasOwn(UTILITIES, name) ? UTILITIES[name] : undefined;
  if (utility !== undefined) return { kind: 'utility', utility: await utility.load() };
  const group = COMMAND_NAMES.filter((known) => known.startsWith(`${name} `));
  if (group.length > 0) {
    throw new Failure('usage', `fin ${name} is several commands: ${group.join(', ')}.`, {
      hint: `Try: fin help ${name}`,
    });
  }
  throw new Failure('usage', `There is no command ${JSON.stringify(name)}.${meant(name)}`, {
    hint: 'fin --help lists the commands.',
  });
}

/** Words that people try for what goes by another name. */
const OTHERWISE: Readonly<Record<string, string>> = {
  version: 'fin --version',
  quote: 'fin prices <ticker>, or fin quota',
};

function meant(name: string): string {
  if (Object.hasOwn(OTHERWISE, name)) return ` Did you mean ${OTHERWISE[name]}?`;
  const isCommand = COMMAND_NAMES.some((known) => known.split(' ')[0] === name.toLowerCase());
  // No command has capitals, and tickers are mostly typed so.
  if (!isCommand && /^[A-Z][A-Z0-9.-]{0,5}$/.test(name)) return ` Did you mean fin metrics ${name}?`;
  return didYouMean(name, COMMAND_NAMES);
}

const isQuestion = (name: string): name is OperationId => Object.hasOwn(QUESTIONS, name);
