/** Whether an answer is empty: why it is, is found out in why-empty.ts, loaded only then. */
import { type Operation, rowsOf } from '../../contract/operations.ts';
import type { Answer } from '../command.ts';

export const isEmpty = (operation: Operation, { data }: Answer<unknown>): boolean =>
  operation.rows?.partial !== true && rowsOf(operation, data)?.length === 0;
