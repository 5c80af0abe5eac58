/** The metrics that a question names, and whether a name is a concept. */
import { givenText, type Question } from '../../contract/question/question.ts';

/** Returns the names of metrics in a question. */
export const namedMetrics = ({ given }: Question): string[] =>
  [givenText(given, 'metric_key') ?? '', ...(givenText(given, 'keys') ?? '').split(',')]
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Whether a name is a concept, with or without taxonomy, and not a metric. */
export const isConcept = (name: string): boolean => /^[\w-]+:\w+$|^[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*$/.test(name);
