/** All commands by name. A command's module is loaded on first use, so that start-up usually loads only one module. */

import type { QuestionCommand } from '../ask/command.ts';
import type { ArgumentSpec, OptionSpec } from '../ask/option-spec.ts';
import { listQuestionArguments, listQuestionOptions } from '../ask/options.ts';
import { Failure } from '../contract/failure.ts';
import { getOperation, type OperationId } from '../contract/operations.ts';
import { didYouMean } from '../contract/text/nearest.ts';
import { quote } from '../contract/text/quote.ts';
import { GLOBAL_OPTIONS, type GlobalOption } from './command-line/global-options.ts';
import { listFormatOptions } from './presentation.ts';
import type { UtilityCommand } from './utilities/utility.ts';

export type QuestionName = OperationId | 'compare' | 'peers' | 'facts';

interface QuestionEntry {
  readonly operation: OperationId;
  /** The command's summary in help; by default the operation's summary. */
  readonly summary?: string;
  readonly load: () => Promise<{ readonly default: QuestionCommand }>;
}

/** The main command of each operation, and additional commands on the same operations. */
export const QUESTION_COMMANDS: Readonly<Record<QuestionName, QuestionEntry>> = {
  search: { operation: 'search', load: () => import('./questions/search.ts') },
  profile: { operation: 'profile', load: () => import('./questions/profile.ts') },
  metrics: { operation: 'metrics', load: () => import('./questions/metrics.ts') },
  catalog: { operation: 'catalog', load: () => import('./questions/catalog.ts') },
  lineage: { operation: 'lineage', load: () => import('./questions/lineage.ts') },
  revisions: { operation: 'revisions', load: () => import('./questions/revisions.ts') },
  'raw-concepts': { operation: 'raw-concepts', load: () => import('./questions/raw-concepts.ts') },
  filings: { operation: 'filings', load: () => import('./questions/filings.ts') },
  day: { operation: 'day', load: () => import('./questions/day.ts') },
  filing: { operation: 'filing', load: () => import('./questions/filing.ts') },
  'insider-activity': { operation: 'insider-activity', load: () => import('./questions/insider-activity.ts') },
  insiders: { operation: 'insiders', load: () => import('./questions/insiders.ts') },
  holders: { operation: 'holders', load: () => import('./questions/holders.ts') },
  managers: { operation: 'managers', load: () => import('./questions/managers.ts') },
  manager: { operation: 'manager', load: () => import('./questions/manager.ts') },
  segments: { operation: 'segments', load: () => import('./questions/segments.ts') },
  prices: { operation: 'prices', load: () => import('./questions/prices.ts') },
  screen: { operation: 'screen', load: () => import('./questions/screen.ts') },
  release: { operation: 'release', load: () => import('./questions/release.ts') },
  facts: {
    operation: 'raw-concepts',
    summary: 'Show the facts of an XBRL concept as filed, or find concepts',
    load: () => import('./questions/facts.ts'),
  },
  compare: {
    operation: 'metrics',
    summary: 'Compare companies by one metric over years, or by several metrics in one period',
    load: () => import('./compare/compare.ts'),
  },
  peers: {
    operation: 'screen',
    summary: 'Rank a company among the companies of its industry',
    load: () => import('./questions/peers.ts'),
  },
};

export interface UtilityEntry {
  readonly summary: string;
  readonly load: () => Promise<UtilityCommand>;
}

/** Utility commands by the words after `fin`. */
export const UTILITY_COMMANDS: Readonly<Record<string, UtilityEntry>> = {
  'auth login': {
    summary: 'Store the API key of a service',
    load: async () => (await import('./utilities/auth.ts')).authLoginCommand,
  },
  'auth status': {
    summary: 'Show which service is used, and with which key',
    load: async () => (await import('./utilities/auth.ts')).authStatusCommand,
  },
  'auth logout': {
    summary: 'Remove the stored API key of the profile',
    load: async () => (await import('./utilities/auth.ts')).authLogoutCommand,
  },
  'config get': {
    summary: 'Print one setting of the profile',
    load: async () => (await import('./utilities/config.ts')).configGetCommand,
  },
  'config set': {
    summary: 'Set or remove one setting of the profile',
    load: async () => (await import('./utilities/config.ts')).configSetCommand,
  },
  'config list': {
    summary: 'Show the settings of every profile',
    load: async () => (await import('./utilities/config.ts')).configListCommand,
  },
  'config path': {
    summary: 'Print the path of the settings file',
    load: async () => (await import('./utilities/config.ts')).configPathCommand,
  },
  'cache info': {
    summary: 'Show how many responses are cached, and where',
    load: async () => (await import('./utilities/cache.ts')).cacheInfoCommand,
  },
  'cache clear': {
    summary: 'Remove all cached responses',
    load: async () => (await import('./utilities/cache.ts')).cacheClearCommand,
  },
  'cache path': {
    summary: 'Print the directory of cached responses',
    load: async () => (await import('./utilities/cache.ts')).cachePathCommand,
  },
  quota: {
    summary: 'Show the remaining requests of the account',
    load: async () => (await import('./utilities/quota.ts')).default,
  },
  api: {
    summary: 'Request any path of the HTTP API, and print the response unchanged',
    load: async () => (await import('./utilities/api.ts')).default,
  },
  open: {
    summary: 'Open a company or a filing at the SEC in the browser',
    load: async () => (await import('./utilities/open.ts')).default,
  },
  completion: {
    summary: 'Print the completion script of a shell',
    load: async () => (await import('./completion/completion.ts')).default,
  },
  doctor: {
    summary: 'Check directories, settings, key and release, and report what is wrong',
    load: async () => (await import('./utilities/doctor.ts')).default,
  },
  'data fetch': {
    summary: 'Fetch public files of the SEC to build a release from',
    load: async () => (await import('./utilities/data/fetch.ts')).default,
  },
  'data build': {
    summary: 'Build a release from the public files of the SEC',
    load: async () => (await import('./utilities/data/build.ts')).default,
  },
  'data analytics': {
    summary: 'Write the tables of a release with typed columns, for DuckDB, Polars and others',
    load: async () => (await import('./utilities/data/analytics.ts')).dataAnalyticsCommand,
  },
  'data sql': {
    summary: 'Print a DuckDB script with views of the typed tables of a release',
    load: async () => (await import('./utilities/data/analytics.ts')).dataSqlCommand,
  },
  'data tables': {
    summary: 'Describe the typed tables of a release and their columns',
    load: async () => (await import('./utilities/data/analytics.ts')).dataTablesCommand,
  },
  'data status': {
    summary: 'Show the releases on this machine and which one is in use',
    load: async () => (await import('./utilities/data/status.ts')).default,
  },
  'data check': {
    summary: 'Check that the figures of a release are consistent',
    load: async () => (await import('./utilities/data/check.ts')).default,
  },
  'data diff': {
    summary: 'List the reports and figures that changed between two releases',
    load: async () => (await import('./utilities/data/diff.ts')).default,
  },
  'data use': {
    summary: 'Choose the release to use',
    load: async () => (await import('./utilities/data/use.ts')).default,
  },
  'data publish': {
    summary: 'Prepare a release for a static host, so that others can pull or read it',
    load: async () => (await import('./utilities/data/publish.ts')).default,
  },
  'data pull': {
    summary: 'Pull a published release and use it',
    load: async () => (await import('./utilities/data/pull.ts')).default,
  },
  'data keygen': {
    summary: 'Make a key for signing published releases',
    load: async () => (await import('./utilities/data/keygen.ts')).default,
  },
  serve: {
    summary: 'Serve the HTTP API from a release on this machine',
    load: async () => (await import('./utilities/serve.ts')).default,
  },
  mcp: {
    summary: 'Serve AI assistants over stdin and stdout (Model Context Protocol)',
    load: async () => (await import('./utilities/mcp.ts')).default,
  },
  'keys create': {
    summary: 'Create an API key of the service on this machine, for an account',
    load: async () => (await import('./utilities/keys.ts')).keysCreateCommand,
  },
  'keys list': {
    summary: 'List the API keys of the service on this machine',
    load: async () => (await import('./utilities/keys.ts')).keysListCommand,
  },
  'keys revoke': {
    summary: 'Revoke API keys by their ids, or all keys of an account, immediately and permanently',
    load: async () => (await import('./utilities/keys.ts')).keysRevokeCommand,
  },
};

export const COMMAND_NAMES: readonly string[] = [...Object.keys(QUESTION_COMMANDS), ...Object.keys(UTILITY_COMMANDS)];

export type LoadedCommand = {
  readonly arguments: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
} & (
  | { readonly kind: 'question'; readonly definition: QuestionCommand }
  | { readonly kind: 'utility'; readonly utility: UtilityCommand }
);

export const loadQuestion = async (name: QuestionName): Promise<QuestionCommand> =>
  (await QUESTION_COMMANDS[name].load()).default;

/** Loads a command. Throws a usage Failure with suggestions if the name is unknown. */
export async function loadCommand(name: string): Promise<LoadedCommand> {
  if (isQuestionName(name)) {
    const definition = await loadQuestion(name);
    const options = [...listQuestionOptions(definition), ...listFormatOptions(definition.hasCharts === true)];
    const args = listQuestionArguments(definition);
    return { kind: 'question', definition, arguments: args, options };
  }
  const utility = await requireUtilityEntry(name).load();
  return { kind: 'utility', utility, arguments: utility.args, options: utility.options };
}

/** Returns the global options that apply to a command, except those that the command itself declares. */
export function listGlobalOptions(command: LoadedCommand): readonly GlobalOption[] {
  const isLocal = command.kind === 'utility' && command.utility.local === true;
  return GLOBAL_OPTIONS.filter(
    ({ name, group }) =>
      !(isLocal && group === 'service') && !command.options.some((ownOption) => ownOption.name === name),
  );
}

const isQuestionName = (name: string): name is QuestionName => Object.hasOwn(QUESTION_COMMANDS, name);

/** Returns a command's summary without loading the command. */
export function findSummary(name: string): string {
  if (!isQuestionName(name)) return requireUtilityEntry(name).summary;
  const { summary, operation } = QUESTION_COMMANDS[name];
  return summary ?? getOperation(operation).summary;
}

function requireUtilityEntry(name: string): UtilityEntry {
  const entry = Object.hasOwn(UTILITY_COMMANDS, name) ? UTILITY_COMMANDS[name] : undefined;
  if (entry === undefined) throw makeUnknownCommandFailure(name);
  return entry;
}

export const makeUnknownCommandFailure = (name: string): Failure =>
  new Failure('usage', `Unknown command ${quote(name)}.${formatCommandSuggestion(name)}`, {
    hint: 'fin --help lists the commands.',
  });

/** Command names that users know from other programs, with the equivalent in fin. */
const COMMAND_EQUIVALENTS: Readonly<Record<string, string>> = {
  version: 'fin --version',
  quote: 'fin prices <ticker>, or fin quota',
  text: 'fin open <accession>, which opens the filing at the SEC',
};

function formatCommandSuggestion(name: string): string {
  if (Object.hasOwn(COMMAND_EQUIVALENTS, name)) return ` Did you mean ${COMMAND_EQUIVALENTS[name]}?`;
  const isFirstCommandWord = COMMAND_NAMES.some((commandName) => commandName.split(' ')[0] === name.toLowerCase());
  // Command names are lowercase, and users mostly type tickers in capitals.
  if (!isFirstCommandWord && /^[A-Z][A-Z0-9.-]{0,5}$/.test(name)) return ` Did you mean fin metrics ${name}?`;
  return didYouMean(name, COMMAND_NAMES);
}
