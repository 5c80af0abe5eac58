/** The commands that build, publish and serve releases. A command's module is loaded on first use. */
import { type CommandTable, utility } from '../commands/command-line/command-table.ts';

const tables = () => import('./data-tables.ts');
const keys = () => import('./keys.ts');

export const OPERATE_COMMANDS: CommandTable = {
  doctor: utility(
    'Check directories, settings, key and release, and report what is wrong',
    () => import('./doctor.ts'),
  ),
  'data fetch': utility('Fetch public files of the SEC to build a release from', () => import('./data-fetch.ts')),
  'data build': utility('Build a release from the public files of the SEC', () => import('./data-build.ts')),
  'data analytics': utility(
    'Write the tables of a release with typed columns, for DuckDB, Polars and others',
    tables,
    'dataAnalyticsCommand',
  ),
  'data sql': utility('Print a DuckDB script with views of the typed tables of a release', tables, 'dataSqlCommand'),
  'data tables': utility('Describe the typed tables of a release and their columns', tables, 'dataTablesCommand'),
  'data status': utility('Show the releases on this machine and which one is in use', () => import('./data-status.ts')),
  'data check': utility('Check that the figures of a release are consistent', () => import('./data-check.ts')),
  'data diff': utility(
    'List the reports and figures that changed between two releases',
    () => import('./data-diff.ts'),
  ),
  'data use': utility('Choose the release to use', () => import('./data-use.ts')),
  'data publish': utility(
    'Prepare a release for a static host, so that others can pull or read it',
    () => import('./data-publish.ts'),
  ),
  'data pull': utility('Pull a published release and use it', () => import('./data-pull.ts')),
  'data keygen': utility('Make a key for signing published releases', () => import('./data-keygen.ts')),
  serve: utility('Serve the HTTP API from a release on this machine', () => import('./serve.ts')),
  mcp: utility('Serve AI assistants over stdin and stdout (Model Context Protocol)', () => import('./mcp.ts')),
  'keys create': utility('Create an API key of the service on this machine, for an account', keys, 'keysCreateCommand'),
  'keys list': utility('List the API keys of the service on this machine', keys, 'keysListCommand'),
  'keys revoke': utility(
    'Revoke API keys by their ids, or all keys of an account, immediately and permanently',
    keys,
    'keysRevokeCommand',
  ),
};
