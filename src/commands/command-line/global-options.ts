/** The options that every command accepts: their definitions, and the type of their parsed values. */
import type { OptionSpec } from '../../ask/command/option-spec.ts';
import type { ConnectionOptions } from '../../client/connection.ts';
import { type FormatName, OUTPUT_FORMAT_NAMES } from '../../render/formats.ts';

export interface GlobalOption extends OptionSpec {
  readonly group: 'output' | 'service' | 'other';
  /** Whether the option is short for another option, so that help does not list it. */
  readonly isSynonym?: boolean;
}

const defineOption = (
  group: GlobalOption['group'],
  name: string,
  help: string,
  others: Partial<GlobalOption> = {},
): GlobalOption => ({ group, name, help, ...others });

export const GLOBAL_OPTIONS: readonly GlobalOption[] = [
  defineOption('output', 'output', 'Output format (--json and --csv for short)', {
    value: 'format',
    values: OUTPUT_FORMAT_NAMES,
    short: 'o',
  }),
  defineOption('output', 'json', 'Same as --output json: the response as the service sent it', { isSynonym: true }),
  defineOption('output', 'csv', 'Same as --output csv: exact figures as rows', { isSynonym: true }),
  defineOption('output', 'fields', 'Columns to show, by name', { value: 'names' }),
  defineOption('output', 'exact', 'Show every digit in tables'),
  defineOption('output', 'no-header', 'Print tables, CSV and TSV without their header'),
  defineOption('output', 'color', 'Use colors', { value: 'when', values: ['auto', 'always', 'never'] }),
  defineOption('output', 'no-color', 'Same as --color never', { hidden: true }),
  defineOption('output', 'no-pager', 'Print long output directly, without a pager'),
  defineOption('output', 'quiet', 'Do not print notices; warnings and errors are still printed', { short: 'q' }),
  defineOption('output', 'verbose', 'Log each request and where its response came from', { short: 'v' }),
  defineOption('output', 'stats', 'Print the numbers of requests and cached responses, and the time taken'),
  defineOption('service', 'base-url', 'Address of the service, or "local:" for the data on this machine', {
    value: 'url',
  }),
  defineOption('service', 'profile', 'Name of the profile to use', { value: 'name' }),
  defineOption('service', 'api-key-file', 'Read the API key from this file', { value: 'file' }),
  defineOption('service', 'max-wait', 'Maximum time to wait for a rate limit or a retry, such as 30s', {
    value: 'time',
  }),
  defineOption('service', 'retries', 'Maximum number of retries after a failure of the service', { value: 'count' }),
  defineOption('service', 'timeout', 'Maximum time for one request', { value: 'time' }),
  defineOption('service', 'deadline', 'Maximum time for the whole command', { value: 'time' }),
  defineOption('service', 'fresh', 'Ask the service even if a cached response is still valid'),
  defineOption('service', 'offline', 'Use cached responses only; send no request'),
  defineOption('service', 'max-age', 'Use cached responses up to this age without asking the service', {
    value: 'time',
  }),
  defineOption('service', 'no-cache', 'Neither read nor write the cache'),
  defineOption(
    'service',
    'allow-older',
    'Accept a published release even if a newer release was read from the same address before',
  ),
  defineOption('service', 'unchecked', 'Send parameters to the service without checking them first'),
  defineOption('other', 'help', 'Show help', { short: 'h' }),
  defineOption('other', 'version', 'Show the version', { short: 'V' }),
];

/** Values of the global options. Times are in milliseconds; null means that the option was not given. */
export interface GlobalOptionValues extends Required<ConnectionOptions> {
  readonly format: FormatName;
  readonly fields: readonly string[] | null;
  readonly exact: boolean;
  readonly header: boolean;
  readonly stats: boolean;
  readonly baseUrl: string | null;
  readonly apiKeyFile: string | null;
}
