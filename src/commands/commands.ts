/** The questions and the utilities of the client, as commands. A command's module is loaded on first use. */

import { getOperation } from '../contract/operations.ts';
import { loadQuestion, QUESTION_COMMANDS, type QuestionName } from '../questions/question-table.ts';
import type { CommandEntry, CommandTable } from './command-line/command-table.ts';

const QUESTIONS: CommandTable = Object.fromEntries(
  Object.entries(QUESTION_COMMANDS).map(([name, { operation, summary }]): [string, CommandEntry] => {
    const { tag, summary: general } = getOperation(operation);
    const load = () => loadQuestion(name as QuestionName);
    return [name, { kind: 'question', summary: summary ?? general, tag, load }];
  }),
);

export const COMMANDS: CommandTable = {
  ...QUESTIONS,
  'auth login': {
    kind: 'utility',
    summary: 'Store the API key of a service',
    load: async () => (await import('./utilities/auth.ts')).authLoginCommand,
  },
  'auth status': {
    kind: 'utility',
    summary: 'Show which service is used, and with which key',
    load: async () => (await import('./utilities/auth.ts')).authStatusCommand,
  },
  'auth logout': {
    kind: 'utility',
    summary: 'Remove the stored API key of the profile',
    load: async () => (await import('./utilities/auth.ts')).authLogoutCommand,
  },
  'config get': {
    kind: 'utility',
    summary: 'Print one setting of the profile',
    load: async () => (await import('./utilities/config.ts')).configGetCommand,
  },
  'config set': {
    kind: 'utility',
    summary: 'Set or remove one setting of the profile',
    load: async () => (await import('./utilities/config.ts')).configSetCommand,
  },
  'config list': {
    kind: 'utility',
    summary: 'Show the settings of every profile',
    load: async () => (await import('./utilities/config.ts')).configListCommand,
  },
  'config path': {
    kind: 'utility',
    summary: 'Print the path of the settings file',
    load: async () => (await import('./utilities/config.ts')).configPathCommand,
  },
  'cache info': {
    kind: 'utility',
    summary: 'Show how many responses are cached, and where',
    load: async () => (await import('./utilities/cache.ts')).cacheInfoCommand,
  },
  'cache clear': {
    kind: 'utility',
    summary: 'Remove all cached responses',
    load: async () => (await import('./utilities/cache.ts')).cacheClearCommand,
  },
  'cache path': {
    kind: 'utility',
    summary: 'Print the directory of cached responses',
    load: async () => (await import('./utilities/cache.ts')).cachePathCommand,
  },
  quota: {
    kind: 'utility',
    summary: 'Show the remaining requests of the account',
    load: async () => (await import('./utilities/quota.ts')).default,
  },
  api: {
    kind: 'utility',
    summary: 'Request any path of the HTTP API, and print the response unchanged',
    load: async () => (await import('./utilities/api.ts')).default,
  },
  open: {
    kind: 'utility',
    summary: 'Open a company or a filing at the SEC in the browser',
    load: async () => (await import('./utilities/open.ts')).default,
  },
  completion: {
    kind: 'utility',
    summary: 'Print the completion script of a shell',
    load: async () => (await import('./utilities/completion.ts')).default,
  },
};
