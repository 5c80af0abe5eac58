import { spawn } from 'node:child_process';
import { Failure } from '../../contract/failure.ts';
import { accessionIn, normalizeAccession } from '../../contract/identifiers.ts';
import type { OperationId } from '../../contract/operations.ts';
import { parseQuestion } from '../../contract/question/question.ts';
import type { UtilityCall, UtilityCommand } from './utility.ts';

const open: UtilityCommand = {
  name: 'open',
  summary: 'Open a company or a filing at the SEC in the browser',
  args: [{ name: 'ticker|accession', help: 'a ticker, or the accession number of a filing' }],
  options: [{ name: 'print', help: 'Print the address instead of opening it' }],
  examples: [
    { line: 'open AAPL --print', shows: "the address of a company's filings" },
    { line: 'open 0000320193-25-000079', shows: "a filing's folder, in the browser" },
  ],
  run: async (call) => {
    const [wanted = ''] = call.args;
    const address = await addressOf(wanted, call);
    if (!isSafe(address)) throw new Failure('network', 'The service returned an address that is not https.', {});
    if (call.options.print === true) call.io.print(`${address}\n`);
    else await openBrowser(address);
    return undefined;
  },
};

export default open;

async function addressOf(wanted: string, { connect }: UtilityCall): Promise<string> {
  const { client } = await connect();
  const ask = async (id: OperationId, name: string, value: string): Promise<Readonly<Record<string, unknown>>> => {
    const { envelope } = await client.ask(parseQuestion(id, [[name, value]]));
    return envelope.data as Readonly<Record<string, unknown>>;
  };
  const accession = normalizeAccession(accessionIn(wanted));
  if (accession !== null) return String((await ask('filing', 'accession', accession)).folder);
  const { cik } = await ask('profile', 'ticker', wanted);
  if (!Number.isSafeInteger(cik)) throw new Failure('network', `The profile of ${wanted} has no CIK.`);
  return `https://www.sec.gov/edgar/browse/?CIK=${String(cik)}`;
}

/** https, and nothing that an opener could mistake for options or several addresses. */
function isSafe(address: string): boolean {
  return /^https:\/\/[\x21-\x7e]+$/.test(address) && URL.canParse(address);
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** The platform's own opener, started as a program: no shell reads the address. */
async function openBrowser(address: string): Promise<void> {
  const [program = 'xdg-open', ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true, shell: false });
  await new Promise<void>((done, fail) => {
    child.once('spawn', done);
    child.once('error', () => {
      fail(
        new Failure('usage', `No browser could be opened: ${program} was not found.`, {
          hint: `The address: ${address}`,
        }),
      );
    });
  });
  child.unref();
}
