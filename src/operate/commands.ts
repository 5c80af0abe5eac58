/** The commands that build, publish and serve releases. A command's module is loaded on first use. */
import type { CommandTable } from '../commands/command-line/command-table.ts';

export const OPERATE_COMMANDS: CommandTable = {
  doctor: {
    kind: 'utility',
    summary: 'Check directories, settings, key and release, and report what is wrong',
    load: async () => (await import('../operate/doctor.ts')).default,
  },
  'data fetch': {
    kind: 'utility',
    summary: 'Fetch public files of the SEC to build a release from',
    load: async () => (await import('../operate/data-fetch.ts')).default,
  },
  'data build': {
    kind: 'utility',
    summary: 'Build a release from the public files of the SEC',
    load: async () => (await import('../operate/data-build.ts')).default,
  },
  'data analytics': {
    kind: 'utility',
    summary: 'Write the tables of a release with typed columns, for DuckDB, Polars and others',
    load: async () => (await import('../operate/data-tables.ts')).dataAnalyticsCommand,
  },
  'data sql': {
    kind: 'utility',
    summary: 'Print a DuckDB script with views of the typed tables of a release',
    load: async () => (await import('../operate/data-tables.ts')).dataSqlCommand,
  },
  'data tables': {
    kind: 'utility',
    summary: 'Describe the typed tables of a release and their columns',
    load: async () => (await import('../operate/data-tables.ts')).dataTablesCommand,
  },
  'data status': {
    kind: 'utility',
    summary: 'Show the releases on this machine and which one is in use',
    load: async () => (await import('../operate/data-status.ts')).default,
  },
  'data check': {
    kind: 'utility',
    summary: 'Check that the figures of a release are consistent',
    load: async () => (await import('../operate/data-check.ts')).default,
  },
  'data diff': {
    kind: 'utility',
    summary: 'List the reports and figures that changed between two releases',
    load: async () => (await import('../operate/data-diff.ts')).default,
  },
  'data use': {
    kind: 'utility',
    summary: 'Choose the release to use',
    load: async () => (await import('../operate/data-use.ts')).default,
  },
  'data publish': {
    kind: 'utility',
    summary: 'Prepare a release for a static host, so that others can pull or read it',
    load: async () => (await import('../operate/data-publish.ts')).default,
  },
  'data pull': {
    kind: 'utility',
    summary: 'Pull a published release and use it',
    load: async () => (await import('../operate/data-pull.ts')).default,
  },
  'data keygen': {
    kind: 'utility',
    summary: 'Make a key for signing published releases',
    load: async () => (await import('../operate/data-keygen.ts')).default,
  },
  serve: {
    kind: 'utility',
    summary: 'Serve the HTTP API from a release on this machine',
    load: async () => (await import('../operate/serve.ts')).default,
  },
  mcp: {
    kind: 'utility',
    summary: 'Serve AI assistants over stdin and stdout (Model Context Protocol)',
    load: async () => (await import('../operate/mcp.ts')).default,
  },
  'keys create': {
    kind: 'utility',
    summary: 'Create an API key of the service on this machine, for an account',
    load: async () => (await import('../operate/keys.ts')).keysCreateCommand,
  },
  'keys list': {
    kind: 'utility',
    summary: 'List the API keys of the service on this machine',
    load: async () => (await import('../operate/keys.ts')).keysListCommand,
  },
  'keys revoke': {
    kind: 'utility',
    summary: 'Revoke API keys by their ids, or all keys of an account, immediately and permanently',
    load: async () => (await import('../operate/keys.ts')).keysRevokeCommand,
  },
};
