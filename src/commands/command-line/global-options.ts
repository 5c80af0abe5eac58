/** The options that every command takes, as data and as parsed. */
import type { Drawing } from '../pipeline/drawing.ts';

export type Format = 'table' | 'json' | 'ndjson' | 'csv';
export const FORMATS: readonly Format[] = ['table', 'json', 'ndjson', 'csv'];

export interface GlobalOption {
  readonly name: string;
  readonly short?: string;
  readonly value?: string;
  readonly values?: readonly string[];
  readonly group: 'output' | 'service' | 'other';
  readonly help: string;
}

const option = (
  group: GlobalOption['group'],
  name: string,
  help: string,
  more: Partial<GlobalOption> = {},
): GlobalOption => ({ group, name, help, ...more });

export const GLOBAL_OPTIONS: readonly GlobalOption[] = [
  option('output', 'output', 'Form of the answer', { value: 'format', values: FORMATS, short: 'o' }),
  option('output', 'json', 'The same as --output json: the answer as the service sent it'),
  option('output', 'csv', 'The same as --output csv: one row per fact, exact figures'),
  option('output', 'fields', 'Columns to show, by name', { value: 'names' }),
  option('output', 'exact', 'Figures of a table with every digit'),
  option('output', 'no-header', 'A table without its header'),
  option('output', 'color', 'Colours', { value: 'when', values: ['auto', 'always', 'never'] }),
  option('output', 'no-pager', 'Long output straight to the terminal'),
  option('output', 'quiet', 'No notices; warnings and errors still show', { short: 'q' }),
  option('output', 'verbose', 'Say what is asked and where the answer came from', { short: 'v' }),
  option('output', 'stats', 'Say what the command cost'),
  option('service', 'base-url', 'Address of the service', { value: 'url' }),
  option('service', 'profile', 'Use this profile', { value: 'name' }),
  option('service', 'api-key-file', 'Read the API key from this file', { value: 'file' }),
  option('service', 'max-wait', 'Longest wait for a limit or a retry, such as 30s', { value: 'time' }),
  option('service', 'retries', 'Tries after a failure of the service', { value: 'count' }),
  option('service', 'timeout', 'Longest time for one request', { value: 'time' }),
  option('service', 'deadline', 'Longest time for the whole command', { value: 'time' }),
  option('service', 'fresh', 'Ask the service even when the held answer is good'),
  option('service', 'offline', 'Ask no service: held answers only'),
  option('service', 'max-age', 'Take a held answer up to this age without asking', { value: 'time' }),
  option('service', 'no-cache', 'Neither use held answers nor hold this one'),
  option('service', 'unchecked', 'Send parameters as they are, without checking them first'),
  option('other', 'help', 'Show help', { short: 'h' }),
  option('other', 'version', 'Show the version', { short: 'V' }),
];

/** The options above as given; times in milliseconds. */
export interface GlobalOptions {
  readonly format: Format;
  /** Of commands whose answers can be drawn: how, where it was asked for. */
  readonly drawing?: Drawing;
  readonly fields: readonly string[] | null;
  readonly exact: boolean;
  readonly header: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly stats: boolean;
  readonly baseUrl: string | null;
  readonly profile: string | null;
  readonly apiKeyFile: string | null;
  readonly maxWait: number | null;
  readonly retries: number | null;
  readonly timeout: number | null;
  readonly deadline: number | null;
  readonly fresh: boolean;
  readonly offline: boolean;
  readonly maxAge: number | null;
  readonly cache: boolean;
  readonly unchecked: boolean;
}
