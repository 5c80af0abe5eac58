/**
 * Parameters of fin that only ask for fields of `meta`. The client adds them by itself, and only for a service that is
 * known to have them: to any other service, the question goes as the HTTP API defines it, and the notice made from the
 * field is left out.
 */
import { changeQuestion, type Question } from '../../contract/question.ts';
import type { Clause } from '../../contract/where-clause.ts';

/** Returns the parameters that the client adds to a question, without those that would tell nothing. */
export function findMetaAdditions({ operation, parameters, rawParameters }: Question): readonly string[] {
  if (operation.id !== 'screen') return [];
  const isGiven = (name: string): boolean => rawParameters.some(([other]) => other === name);
  const clauses = (parameters.where ?? []) as readonly Clause[];
  return [
    // With filters on one figure, the companies that lack it are all that are set aside.
    ...(new Set(clauses.map(({ column }) => column)).size > 1 ? ['set_aside_by'] : []),
    ...(isGiven('columns') || (isGiven('sort') && parameters.sort !== 'ticker') ? ['missing_by'] : []),
  ].filter((name) => !isGiven(name));
}

/** Returns the question with the parameters that `findMetaAdditions` found. */
export function withMetaAdditions(question: Question, names: readonly string[]): Question {
  const added = names.map((name) => [name, 'true'] as const);
  return added.length === 0 ? question : changeQuestion(question, added);
}
