import type { UtilityCommand } from '../command-line/utility.ts';

const apiCommand: UtilityCommand = {
  help: 'Uses limits, retries and cached responses like every command. Takes a path instead of an address, so that the\nkey is sent only to the service that it belongs to.',
  args: [{ name: 'path', help: 'Path and query, percent-encoded, such as /v1/release' }],
  examples: {
    'api /v1/release': 'the response for the release, unchanged',
    "api '/v1/securities/AAPL/metrics?keys=revenue'": "the response for Apple's latest revenue, unchanged",
  },
  run: async ({ args, connect, io }) => {
    const { client } = await connect();
    const [path = ''] = args;
    // An address is passed unchanged, so that its error quotes what was typed.
    const isWhole = path.startsWith('/') || /^[a-z]+:\/\//i.test(path);
    const { text } = await client.askPath(isWhole ? path : `/${path}`);
    await io.page(io.outIsTerminal && !text.endsWith('\n') ? `${text}\n` : text);
  },
};

export default apiCommand;
