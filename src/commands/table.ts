/**
 * All commands by name. Each is loaded only when it is named: start-up pays for one command, and help
 * for none.
 */
import type { OperationId } from '../contract/operations.ts';
import type { CommandDef } from './types.ts';
import type { UtilityCommand } from './utility.ts';

type Loader<Command> = () => Promise<{ readonly default: Command }>;

export const QUESTIONS: Readonly<Record<OperationId, Loader<CommandDef>>> = {
  search: () => import('./search.ts'),
  profile: () => import('./profile.ts'),
  metrics: () => import('./metrics.ts'),
  catalog: () => import('./catalog.ts'),
  lineage: () => import('./lineage.ts'),
  revisions: () => import('./revisions.ts'),
  'raw-concepts': () => import('./raw-concepts.ts'),
  filings: () => import('./filings.ts'),
  day: () => import('./day.ts'),
  filing: () => import('./filing.ts'),
  'insider-activity': () => import('./insider-activity.ts'),
  insiders: () => import('./insiders.ts'),
  holders: () => import('./holders.ts'),
  managers: () => import('./managers.ts'),
  manager: () => import('./manager.ts'),
  segments: () => import('./segments.ts'),
  prices: () => import('./prices.ts'),
  screen: () => import('./screen.ts'),
  release: () => import('./release.ts'),
};

export interface UtilityEntry {
  readonly summary: string;
  readonly load: Loader<UtilityCommand>;
}

/** By the words after `fin`. A command's own `name` and `summary` must say the same: a test holds them together. */
export const UTILITIES: Readonly<Record<string, UtilityEntry>> = {
  completion: {
    summary: 'Print the completion script of a shell',
    load: () => import('./completion.ts'),
  },
  'data build': { summary: 'Build a release from the public files of the SEC', load: () => import('./data-build.ts') },
  'data status': {
    summary: 'Show the releases on this machine and which one answers',
    load: () => import('./data-status.ts'),
  },
  'data use': { summary: 'Choose the release that answers', load: () => import('./data-use.ts') },
  serve: {
    summary: 'Answer the interface over HTTP from a release on this machine',
    load: () => import('./serve.ts'),
  },
  'keys create': { summary: 'Make an API key for an account of this service', load: () => import('./keys-create.ts') },
  'keys list': { summary: 'List the API keys of this service by their ids', load: () => import('./keys-list.ts') },
  'keys revoke': {
    summary: 'Revoke API keys of an account, at once and for good',
    load: () => import('./keys-revoke.ts'),
  },
};
