/** Metric names in a question, and how to recognize XBRL concepts among them. */
import { findGivenText, type Question } from '../../contract/question/question.ts';

export const listNamedMetrics = ({ rawParameters }: Question): string[] =>
  [findGivenText(rawParameters, 'metric_key') ?? '', ...(findGivenText(rawParameters, 'keys') ?? '').split(',')]
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Whether a name has the form of an XBRL concept (with or without taxonomy) rather than of a metric key. */
export const looksLikeConcept = (name: string): boolean =>
  /^[\w-]+:\w+$|^[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*$/.test(name);
