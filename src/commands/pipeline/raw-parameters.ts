/** Parameters as given, looked up and changed. */
import type { RawParameters } from '../../contract/question/question.ts';

/** The text of a parameter as given, the first where it is repeated. */
export const textOf = (given: RawParameters, name: string): string | undefined =>
  given.find(([parameter]) => parameter === name)?.[1];

export const without = (given: RawParameters, ...names: readonly string[]): RawParameters =>
  given.filter(([name]) => !names.includes(name));

export const having = (given: RawParameters, name: string, value: string): RawParameters => [
  ...without(given, name),
  [name, value],
];
