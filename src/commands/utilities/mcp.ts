/** `fin mcp`: the Model Context Protocol over stdin and stdout, for assistants that start the process themselves. */
import { Writable } from 'node:stream';
import type { Connection } from '../../client/connection.ts';
import { failureLines } from '../failure-report.ts';
import type { UtilityCommand } from './utility.ts';

const mcp: UtilityCommand = {
  help: [
    'An assistant starts it and asks: eight tools that only read, three resources, three prompts. Each answer is at most',
    'some 8,000 tokens, names the filing of every figure, and ends with the call that brings what it left out. It asks',
    'whatever service the settings name, with their key, limits and cache. It ends with its input.\n\n' +
      'Most assistants find it by an entry like this in their settings:\n\n' +
      '  {"mcpServers": {"fin": {"command": "fin", "args": ["mcp"]}}}\n\n' +
      'Some take a command line instead: fin mcp. Options and environment go with it, such as "args": ["mcp", "--profile",\n' +
      '"work"] or "env": {"FIN_DATA_DIR": "/srv/fin"}. For assistants that take an address, "fin serve --mcp" answers\n' +
      'at /mcp with an API key:\n\n' +
      '  {"mcpServers": {"fin": {"type": "http", "url": "https://filings.example/mcp",\n' +
      '    "headers": {"Authorization": "Bearer <key>"}}}}',
  ].join(' '),
  args: [],
  options: [],
  examples: [],
  run: async ({ connect, io, ports }) => {
    if (io.inIsTerminal) io.log('Waiting for an assistant on stdin; Ctrl-C ends. See: fin mcp --help');
    const output = new Writable({
      decodeStrings: false,
      write: (text: string, _, done) => {
        try {
          io.print(text);
          done();
        } catch (error) {
          done(error instanceof Error ? error : new Error(String(error)));
        }
      },
    });
    const { serveAssistants } = await ports.assistants();
    let connection: Connection | undefined;
    // The process may run for days: each question is answered from the current release.
    const connectNow = async () => {
      const knownConnection: Connection = connection ?? (await connect());
      connection = knownConnection.latest?.() ?? knownConnection;
      return connection;
    };
    await serveAssistants({
      input: io.input(),
      output,
      connect: connectNow,
      signal: io.signal,
      onError: (error) => {
        for (const line of failureLines(error)) io.log(line);
      },
    });
    return undefined;
  },
};

export default mcp;
