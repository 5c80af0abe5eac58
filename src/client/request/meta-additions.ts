/**
 * Parameters of fin that only ask for fields of `meta`. The client adds them by itself, and only for a service that is
 * known to have them: to any other service, the question goes as the HTTP API defines it, and the notice made from the
 * field is left out.
 */
import { changeQuestion, type Question } from '../../contract/question.ts';
import type { Clause } from '../../contract/where-clause.ts';

/** Returns the parameter that the client adds to a question; null if it would tell nothing. */
export function findMetaAddition({ operation, parameters, rawParameters }: Question): string | null {
  if (operation.id !== 'screen' || rawParameters.some(([name]) => name === 'set_aside_by')) return null;
  const clauses = (parameters.where ?? []) as readonly Clause[];
  // With filters on one figure, the companies that lack it are all that are set aside.
  return new Set(clauses.map(({ column }) => column)).size > 1 ? 'set_aside_by' : null;
}

/** Returns the question with the parameter that `findMetaAddition` found. */
export const withMetaAddition = (question: Question, name: string | null): Question =>
  name === null ? question : changeQuestion(question, [[name, 'true']]);
