/**
 * Selects the questions that threads answer, because deriving their answers would block the main thread for tens of
 * milliseconds.
 */
import type { Question } from '../../contract/question.ts';
import { isDerivedOnRequest } from '../../figures/derived/formulas.ts';
import { listInputMetrics } from '../../figures/figure-values.ts';
import { isLatestFiguresRequest } from '../handlers/metrics/company-figures.ts';

/** Whether the response takes 20 to 50 ms for a large company (measured); all other responses take at most 10 ms. */
export function needsThread({ operation, parameters, faults }: Question): boolean {
  if (faults.length > 0) return false;
  switch (operation.id) {
    case 'metrics':
      return derivesManyFigures(parameters);
    case 'lineage':
    case 'revisions':
      return true;
    case 'screen':
      return parameters.as_of !== undefined || parameters.split_adjusted === true;
    default:
      return false;
  }
}

/**
 * Maximum number of metrics for which the main thread derives figures; requests for more metrics go to a thread.
 * Figures that the release stores need no derivation.
 */
const MAX_MAIN_THREAD_KEYS = 4;

function derivesManyFigures(parameters: Question['parameters']): boolean {
  const { keys, period } = parameters;
  const names = Array.isArray(keys) ? keys.map(String) : null;
  if (isLatestFiguresRequest(parameters)) return names?.some(isDerivedOnRequest) === true;
  return names === null || names.length > MAX_MAIN_THREAD_KEYS || period === 'all' || listInputMetrics(names) === null;
}
