/** Whether an answer is empty: what then is said of it is worked out in why-empty.ts, loaded only then. */
import type { OperationId } from '../../contract/operations.ts';
import type { Answer } from '../command.ts';

/** The field that holds the rows of an answer that is no list itself. */
const ROWS: Readonly<Partial<Record<OperationId, string>>> = {
  insiders: 'filings',
  'insider-activity': 'filings',
  holders: 'rows',
  manager: 'rows',
  prices: 'days',
  segments: 'axes',
};

export function isEmpty(operation: OperationId, { data }: Answer<unknown>): boolean {
  const rows = Array.isArray(data) ? data : Reflect.get(Object(data), ROWS[operation] ?? '');
  return Array.isArray(rows) && rows.length === 0;
}
