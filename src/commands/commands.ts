/** The questions and the utilities of the client, as commands. A command's module is loaded on first use. */

import { getOperation } from '../contract/operations.ts';
import { loadQuestion, QUESTION_COMMANDS, type QuestionName } from '../questions/question-table.ts';
import { type CommandEntry, type CommandTable, utility } from './command-line/command-table.ts';

const QUESTIONS: CommandTable = Object.fromEntries(
  Object.entries(QUESTION_COMMANDS).map(([name, { operation, summary }]): [string, CommandEntry] => {
    const { tag, summary: general } = getOperation(operation);
    const load = () => loadQuestion(name as QuestionName);
    return [name, { kind: 'question', summary: summary ?? general, tag, load }];
  }),
);

const auth = () => import('./utilities/auth.ts');
const config = () => import('./utilities/config.ts');
const cache = () => import('./utilities/cache.ts');

export const COMMANDS: CommandTable = {
  ...QUESTIONS,
  'auth login': utility('Store the API key of a service', auth, 'authLoginCommand'),
  'auth status': utility('Show which service is used, and with which key', auth, 'authStatusCommand'),
  'auth logout': utility('Remove the stored API key of the profile', auth, 'authLogoutCommand'),
  'config get': utility('Print one setting of the profile', config, 'configGetCommand'),
  'config set': utility('Set or remove one setting of the profile', config, 'configSetCommand'),
  'config list': utility('Show the settings of every profile', config, 'configListCommand'),
  'config path': utility('Print the path of the settings file', config, 'configPathCommand'),
  'cache info': utility('Show how many responses and documents are cached, and where', cache, 'cacheInfoCommand'),
  'cache clear': utility('Remove all cached responses and documents', cache, 'cacheClearCommand'),
  'cache path': utility('Print the directory of cached responses', cache, 'cachePathCommand'),
  quota: utility('Show the remaining requests of the account', () => import('./utilities/quota.ts')),
  api: utility(
    'Request any path of the HTTP API, and print the response unchanged',
    () => import('./utilities/api.ts'),
  ),
  open: utility('Open a company or a filing at the SEC in the browser', () => import('./utilities/open.ts')),
  completion: utility('Print the completion script of a shell', () => import('./utilities/completion.ts')),
};
