import type { UtilityCommand } from './utility.ts';

const api: UtilityCommand = {
  help: 'With the limits, retries and cached responses of every command. Takes a path, never an address: the key stays\nwith its service.',
  args: [{ name: 'path', help: 'Path and query, percent-encoded, such as /v1/release' }],
  options: [],
  examples: [
    { line: 'api /v1/release', shows: 'the release, raw' },
    { line: "api '/v1/securities/AAPL/metrics?keys=revenue'", shows: 'what Apple last reported as revenue, raw' },
  ],
  run: async ({ args, connect, io }) => {
    const { client } = await connect();
    const [path = ''] = args;
    const { text } = await client.askPath(path.startsWith('/') ? path : `/${path}`);
    await io.page(io.outIsTerminal && !text.endsWith('\n') ? `${text}\n` : text);
    return undefined;
  },
};

export default api;
