/** Options of every question that are no parameters of the interface: how to ask, and whether to. */
import type { OptionSpec } from '../command-line/option-spec.ts';
import type { ParsedArguments } from '../command-line/parse.ts';

export const ALL: OptionSpec = { name: 'all', help: 'Every row: turn all pages, and write when the last is in' };

export const QUESTION_FLAGS: readonly OptionSpec[] = [
  { name: 'plan', help: 'Say what this would cost in requests and time, and ask nothing' },
  { name: 'if-changed', help: 'Write nothing when the data is what it was the last time' },
];

export interface QuestionFlags {
  readonly all: boolean;
  readonly plan: boolean;
  readonly ifChanged: boolean;
}

export const readQuestionFlags = ({ options }: ParsedArguments): QuestionFlags => ({
  all: options.has('all'),
  plan: options.has('plan'),
  ifChanged: options.has('if-changed'),
});
