/** The metrics that a question names, and whether a name is that of a tagged concept. */
import { givenText, type Question } from '../../contract/question/question.ts';

/** The names of metrics that a question was given. */
export const namedMetrics = ({ given }: Question): string[] =>
  [givenText(given, 'metric_key') ?? '', ...(givenText(given, 'keys') ?? '').split(',')]
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Whether a name is that of a tagged concept, with or without its taxonomy, and not of a metric. */
export const isConcept = (name: string): boolean => /^[\w-]+:\w+$|^[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*$/.test(name);
