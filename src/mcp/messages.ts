/** Checks messages of JSON-RPC, so that every message with an id gets an answer, also a message that is invalid. */
import { isObject } from '../platform/json-object.ts';

export type ErrorAnswer = ReturnType<typeof makeErrorAnswer>;

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

/** The message that a text contains; or, if the text is no valid message, the answers to send. */
type MessageReading =
  | { readonly message: unknown }
  /** `isText` is present if the text is not JSON. */
  | { readonly answers: readonly ErrorAnswer[]; readonly isText?: true };

export function readMessage(text: string): MessageReading {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return { answers: [makeErrorAnswer(null, PARSE_ERROR, 'The message is not JSON.')], isText: true };
  }
  if (Array.isArray(value)) {
    const text = 'Batches are not supported: send one message per request.';
    const ids = value.map(findId).filter((id) => id !== null);
    return { answers: (ids.length === 0 ? [null] : ids).map((id) => makeErrorAnswer(id, INVALID_REQUEST, text)) };
  }
  const fault = findFault(value);
  return fault === null ? { message: value } : { answers: [makeErrorAnswer(findId(value), INVALID_REQUEST, fault)] };
}

const findId = (value: unknown): string | number | null =>
  isObject(value) && (typeof value.id === 'string' || typeof value.id === 'number') ? value.id : null;

/** Returns why a value is not a message, as a sentence; null for a message. */
function findFault(value: unknown): string | null {
  if (!isObject(value)) return 'The message is not a JSON object.';
  if (value.jsonrpc !== '2.0') return 'The field "jsonrpc" must be "2.0".';
  const { id, method, params } = value;
  if ('id' in value && typeof id !== 'string' && !Number.isInteger(id)) {
    // An error answer may have the id null, if the other side could not read the id of its request.
    if (!(id === null && 'error' in value)) return 'The field "id" must be a text or a whole number.';
  }
  if (!('method' in value)) {
    return 'result' in value || 'error' in value ? null : 'The field "method" is missing.';
  }
  if (typeof method !== 'string') return 'The field "method" must be a text.';
  return 'params' in value && !isObject(params) ? 'The field "params" must be an object.' : null;
}

/** Returns an error answer, as JSON-RPC defines it (https://www.jsonrpc.org/specification#error_object). */
export const makeErrorAnswer = (id: string | number | null, code: number, message: string) => {
  return { jsonrpc: '2.0', id, error: { code, message } } as const;
};
