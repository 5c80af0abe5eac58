/** Formats a request as one line of JSON. Texts of the client that look like a key are replaced. */
import { redactApiKeys } from '../../contract/text/quote.ts';

export interface LogEntry {
  readonly requestId: string;
  readonly account: string | null;
  readonly remote: string | null;
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly bytes: number;
  readonly milliseconds: number;
}

/** Maximum number of logged characters of a target. */
const MAX_TARGET_LENGTH = 2_000;

export const formatLogLine = (entry: LogEntry, now: number): string =>
  JSON.stringify({
    time: new Date(now).toISOString(),
    request_id: redactApiKeys(entry.requestId),
    account: entry.account,
    remote: entry.remote,
    method: entry.method,
    // Redacted before it is cut, because a part of a key would not be recognized.
    target: redactApiKeys(entry.target).slice(0, MAX_TARGET_LENGTH),
    status: entry.status,
    bytes: entry.bytes,
    ms: Math.round(entry.milliseconds * 10) / 10,
  });
