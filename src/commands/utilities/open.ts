import { spawn } from 'node:child_process';
import { Failure } from '../../contract/failure.ts';
import { normalizeAccession, replaceArchiveAddress } from '../../contract/identifiers.ts';
import type { OperationId } from '../../contract/operations.ts';
import { parseQuestion } from '../../contract/question.ts';
import { quote } from '../../contract/text/quote.ts';
import type { UtilityCall, UtilityCommand } from '../command-line/utility.ts';

const openCommand: UtilityCommand = {
  args: [{ name: 'ticker|accession', help: 'Ticker of a company, or accession number of a filing' }],
  options: [{ name: 'print', help: 'Print the address instead of opening it in the browser' }],
  examples: {
    'open AAPL --print': "the address of a company's filings",
    'open 0000320193-25-000079': "opens a filing's folder in the browser",
  },
  run: async (call) => {
    const [subject = ''] = call.args;
    const address = await requestSecUrl(subject, call);
    if (!isSafeAddress(address)) {
      const fault = `the address ${quote(address)}, which is not a valid https address.`;
      throw new Failure('network', `The service returned ${fault}`);
    }
    if (call.options.print === true) call.io.print(`${address}\n`);
    else if (!hasBrowser(call.io.env) || !(await openBrowser(address))) {
      if (!call.globals.quiet) call.io.log('No browser could be opened. The address is:');
      call.io.print(`${address}\n`);
    }
  },
};

export default openCommand;

async function requestSecUrl(subject: string, { connect }: UtilityCall): Promise<string> {
  const connection = await connect();
  const request = async (id: OperationId, name: string, value: string): Promise<Readonly<Record<string, unknown>>> => {
    const question = parseQuestion(id, [[name, value]]);
    try {
      const { envelope } = await connection.client.ask(question);
      return envelope.data as Readonly<Record<string, unknown>>;
    } catch (error) {
      const { explainFailure } = await import('../../ask/reasons/explain-failure.ts');
      throw await explainFailure(error, question, connection, true);
    }
  };
  const accession = normalizeAccession(replaceArchiveAddress(subject));
  if (accession !== null) return String((await request('filing', 'accession', accession)).folder);
  const { cik } = await request('profile', 'ticker', subject);
  if (!Number.isSafeInteger(cik)) throw new Failure('network', `The profile of ${subject} has no CIK.`);
  return `https://www.sec.gov/edgar/browse/?CIK=${String(cik)}`;
}

/** Whether an address is https, and cannot be parsed as command options or as several addresses. */
const isSafeAddress = (address: string): boolean => /^https:\/\/[\x21-\x7e]+$/.test(address) && URL.canParse(address);

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/**
 * A Linux desktop sets at least one of these variables. Without a desktop, the opener would try for seconds before it
 * fails.
 */
const DESKTOP_VARIABLES = ['DISPLAY', 'WAYLAND_DISPLAY', 'WSL_DISTRO_NAME', 'BROWSER'];

const hasBrowser = (env: UtilityCall['io']['env']): boolean =>
  process.platform !== 'linux' || DESKTOP_VARIABLES.some((name) => (env[name] ?? '') !== '');

/**
 * Milliseconds after which an opener that is still running counts as successful, because it has become the browser or
 * waits for it.
 */
const MAX_OPENER_WAIT_MS = 2000;

/**
 * Opens an address with the platform's opener, without a shell. Returns false if the opener cannot be started or fails.
 */
async function openBrowser(address: string): Promise<boolean> {
  const [program = 'xdg-open', ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const { FIN_API_KEY: _, ...env } = process.env;
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true, shell: false, env });
  child.unref();
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), MAX_OPENER_WAIT_MS);
    const finish = (isOpened: boolean) => {
      clearTimeout(timer);
      resolve(isOpened);
    };
    child.once('exit', (code) => finish(code === 0));
    child.once('error', () => finish(false));
  });
}
