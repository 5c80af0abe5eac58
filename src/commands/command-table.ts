/**
 * All commands by name. Each is loaded only when it is named: start-up pays for one command, and help
 * for none.
 */
import type { OperationId } from '../contract/operations.ts';
import type { QuestionCommand } from './command.ts';
import type { UtilityCommand } from './utility.ts';

type Loader<Command> = () => Promise<{ readonly default: Command }>;

export const QUESTIONS: Readonly<Record<OperationId, Loader<QuestionCommand>>> = {
  search: () => import('./questions/search.ts'),
  profile: () => import('./questions/profile.ts'),
  metrics: () => import('./questions/metrics.ts'),
  catalog: () => import('./questions/catalog.ts'),
  lineage: () => import('./questions/lineage.ts'),
  revisions: () => import('./questions/revisions.ts'),
  'raw-concepts': () => import('./questions/raw-concepts.ts'),
  filings: () => import('./questions/filings.ts'),
  day: () => import('./questions/day.ts'),
  filing: () => import('./questions/filing.ts'),
  'insider-activity': () => import('./questions/insider-activity.ts'),
  insiders: () => import('./questions/insiders.ts'),
  holders: () => import('./questions/holders.ts'),
  managers: () => import('./questions/managers.ts'),
  manager: () => import('./questions/manager.ts'),
  segments: () => import('./questions/segments.ts'),
  prices: () => import('./questions/prices.ts'),
  screen: () => import('./questions/screen.ts'),
  release: () => import('./questions/release.ts'),
};

export interface UtilityEntry {
  readonly summary: string;
  readonly load: Loader<UtilityCommand>;
}

/** By the words after `fin`. A command's own `name` and `summary` must say the same: a test holds them together. */
export const UTILITIES: Readonly<Record<string, UtilityEntry>> = {
  'auth login': { summary: 'Store an API key for its service', load: () => import('./auth/auth-login.ts') },
  'auth status': {
    summary: 'Show where questions go, and which key goes with them',
    load: () => import('./auth/auth-status.ts'),
  },
  'auth logout': { summary: 'Remove the stored API key of the profile', load: () => import('./auth/auth-logout.ts') },
  'config get': { summary: 'Print one setting of the profile', load: () => import('./settings/config-get.ts') },
  'config set': {
    summary: 'Set, or without a value remove, one setting of the profile',
    load: () => import('./settings/config-set.ts'),
  },
  'config list': { summary: 'Show the settings of every profile', load: () => import('./settings/config-list.ts') },
  'config path': { summary: 'Print the file of the settings', load: () => import('./settings/config-path.ts') },
  'cache info': { summary: 'Show how many answers are held, and where', load: () => import('./cache/cache-info.ts') },
  'cache clear': { summary: 'Remove all held answers', load: () => import('./cache/cache-clear.ts') },
  'cache path': { summary: 'Print the directory of held answers', load: () => import('./cache/cache-path.ts') },
  quota: { summary: "Show what is left of the account's limits", load: () => import('./quota.ts') },
  api: {
    summary: 'Ask any path of the interface, and print its answer as it came',
    load: () => import('./api.ts'),
  },
  open: {
    summary: 'Open a company or a filing at the regulator in the browser',
    load: () => import('./open.ts'),
  },
  completion: {
    summary: 'Print the completion script of a shell',
    load: () => import('./completion/completion.ts'),
  },
  doctor: {
    summary: 'Check directories, settings, key and release, and say what is wrong',
    load: () => import('./doctor/doctor.ts'),
  },
  'data fetch': {
    summary: 'Fetch public files of the SEC, politely, to build from',
    load: () => import('./data/data-fetch.ts'),
  },
  'data build': {
    summary: 'Build a release from the public files of the SEC',
    load: () => import('./data/data-build.ts'),
  },
  'data status': {
    summary: 'Show the releases on this machine and which one answers',
    load: () => import('./data/data-status.ts'),
  },
  'data use': { summary: 'Choose the release that answers', load: () => import('./data/data-use.ts') },
  serve: {
    summary: 'Answer the interface over HTTP from a release on this machine',
    load: () => import('./serving/serve.ts'),
  },
  'keys create': {
    summary: 'Make an API key for an account of this service',
    load: () => import('./serving/keys-create.ts'),
  },
  'keys list': {
    summary: 'List the API keys of this service by their ids',
    load: () => import('./serving/keys-list.ts'),
  },
  'keys revoke': {
    summary: 'Revoke API keys by their ids, or all of an account, at once and for good',
    load: () => import('./serving/keys-revoke.ts'),
  },
};
