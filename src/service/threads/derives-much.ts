/** Decides which questions are answered in a thread: those whose answers take tens of milliseconds without a pause. */
import type { Question } from '../../contract/question/question.ts';
import { isOnRequest } from '../../figures/derived/formulas.ts';
import { inputMetrics } from '../../figures/figure-values.ts';

/** Measured with a large company: 20 to 50 ms for these, at most 10 for all others. */
export function derivesMuch({ operation, parameters, faults }: Question): boolean {
  if (faults.length > 0) return false;
  switch (operation.id) {
    case 'metrics':
      return derivesFigures(parameters);
    case 'lineage':
    case 'revisions':
      return true;
    case 'screen':
      return parameters.as_of !== undefined;
    default:
      return false;
  }
}

/**
 * Few reported metrics are read individually, and the latest figures are stored; all other questions need every value
 * of the company.
 */
const FEW_KEYS = 4;

function derivesFigures({ keys, period, as_of: asOf }: Question['parameters']): boolean {
  const requestedKeys = Array.isArray(keys) ? keys.map(String) : null;
  if (period === 'latest' && asOf === undefined) return requestedKeys?.some(isOnRequest) === true;
  return (
    requestedKeys === null ||
    requestedKeys.length > FEW_KEYS ||
    period === 'all' ||
    inputMetrics(requestedKeys) === null
  );
}
