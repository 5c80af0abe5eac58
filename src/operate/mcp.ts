/**
 * `fin mcp`: serves the Model Context Protocol over stdin and stdout, for assistants that start the process themselves.
 */

import { Writable } from 'node:stream';
import { version } from '../../package.json';
import { formatFailureLines } from '../ask/failure-report.ts';
import type { Connection } from '../client/connection.ts';
import type { UtilityCommand } from '../commands/command-line/utility.ts';
import { isError } from '../contract/error-code.ts';
import { canReadDocuments } from './transfers.ts';

const mcpCommand: UtilityCommand = {
  help: [
    'Offers read-only tools, resources and prompts to an AI assistant, which starts this command. Each answer',
    'has at most about 8,000 tokens. Answers name the filing of each figure; for the figures of a screen, the tool "explain"',
    'names the filings. An answer that leaves rows out ends with the call that returns them. Uses the service, key,',
    'limits and cache of the settings. Ends when its standard input ends.\n\n' +
      'Most assistants need an entry like this in their settings:\n\n' +
      '  {"mcpServers": {"fin": {"command": "fin", "args": ["mcp"]}}}\n\n' +
      'Other assistants need only the command line: fin mcp. To set options or the environment, add for example "args": ["mcp",\n' +
      '"--profile", "work"] or "env": {"FIN_DATA_DIR": "/srv/fin"}. For assistants that need an address, run "fin serve\n' +
      '--mcp", and give the address /mcp and an API key:\n\n' +
      '  {"mcpServers": {"fin": {"type": "http", "url": "https://filings.example/mcp",\n' +
      '    "headers": {"Authorization": "Bearer <key>"}}}}',
  ].join(' '),
  examples: {},
  run: async (call) => {
    const { connect, io } = call;
    if (io.inIsTerminal) io.log('Waiting for messages of an assistant on stdin. To end: Ctrl-C. See: fin mcp --help');
    const output = new Writable({
      decodeStrings: false,
      write: (text: string, _, done) => {
        try {
          io.print(text);
          done();
        } catch (error) {
          done(isError(error) ? error : new Error(String(error)));
        }
      },
    });
    const { serveOverStdio } = await import('../mcp/stdio.ts');
    let connection: Connection | undefined;
    // Switches to the current release before each question, because the process may run for days.
    const connectNow = async () => {
      const current: Connection = connection ?? (await connect());
      connection = current.latest?.() ?? current;
      return connection;
    };
    await serveOverStdio({
      version,
      input: io.input(),
      output,
      connect: connectNow,
      readsDocuments: () => canReadDocuments(call),
      signal: io.signal,
      onError: (error) => {
        for (const line of formatFailureLines(error)) io.log(line);
      },
    });
    return undefined;
  },
};

export default mcpCommand;
