/** The options that every command accepts: their definitions, and the type of their parsed values. */
import type { OptionSpec } from '../../ask/option-spec.ts';
import { type FormatName, OUTPUT_FORMATS } from '../../render/formats.ts';

export interface GlobalOption extends OptionSpec {
  readonly group: 'output' | 'service' | 'other';
}

const option = (
  group: GlobalOption['group'],
  name: string,
  help: string,
  otherFields: Partial<GlobalOption> = {},
): GlobalOption => ({ group, name, help, ...otherFields });

export const GLOBAL_OPTIONS: readonly GlobalOption[] = [
  option('output', 'output', 'Output format', { value: 'format', values: OUTPUT_FORMATS, short: 'o' }),
  option('output', 'json', 'Same as --output json: the response as the service sent it'),
  option('output', 'csv', 'Same as --output csv: exact figures as rows'),
  option('output', 'fields', 'Columns to show, by name', { value: 'names' }),
  option('output', 'exact', 'Show every digit in tables'),
  option('output', 'no-header', 'Print tables, CSV and TSV without their header'),
  option('output', 'color', 'Use colours', { value: 'when', values: ['auto', 'always', 'never'] }),
  option('output', 'no-color', 'Same as --color never', { hidden: true }),
  option('output', 'no-pager', 'Print long output directly, without a pager'),
  option('output', 'quiet', 'Do not print notices; warnings and errors are still printed', { short: 'q' }),
  option('output', 'verbose', 'Log each request and where its response came from', { short: 'v' }),
  option('output', 'stats', 'Print the number of requests and cached responses, and the time'),
  option('service', 'base-url', 'Address of the service, or "local:" for the data on this machine', { value: 'url' }),
  option('service', 'profile', 'Use this profile', { value: 'name' }),
  option('service', 'api-key-file', 'Read the API key from this file', { value: 'file' }),
  option('service', 'max-wait', 'Maximum wait for a limit or a retry, such as 30s', { value: 'time' }),
  option('service', 'retries', 'Maximum number of retries after a failure of the service', { value: 'count' }),
  option('service', 'timeout', 'Maximum time for one request', { value: 'time' }),
  option('service', 'deadline', 'Maximum time for the whole command', { value: 'time' }),
  option('service', 'fresh', 'Ask the service even if a cached response is still valid'),
  option('service', 'offline', 'Use cached responses only; send no request'),
  option('service', 'max-age', 'Use cached responses up to this age without asking the service', { value: 'time' }),
  option('service', 'no-cache', 'Neither read nor write the cache'),
  option(
    'service',
    'allow-older',
    'Accept a published release that is older than the last release read from this address',
  ),
  option('service', 'unchecked', 'Send parameters to the service without checking them first'),
  option('other', 'help', 'Show help', { short: 'h' }),
  option('other', 'version', 'Show the version', { short: 'V' }),
];

/** Values of the global options. Times are in milliseconds; an option that was not given is null. */
export interface GlobalOptions {
  readonly format: FormatName;
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
  readonly allowOlder: boolean;
  readonly unchecked: boolean;
}
