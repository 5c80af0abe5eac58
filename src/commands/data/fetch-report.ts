/** What was fetched, what was not, and why: as lines on stderr, and as a report. */
import { didYouMean } from '../../contract/nearest.ts';
import { quote } from '../../contract/quote.ts';
import type { Outcome } from '../../edgar/fetch/download.ts';
import type { FetchReport, FetchRequest } from '../../edgar/fetch/fetch-files.ts';
import { fields, note } from '../../output/blocks.ts';
import { pick } from '../../output/rows.ts';
import { PARTIAL } from '../failure-report.ts';
import type { Report, UtilityCall } from '../utility.ts';
import { type FetchProgress, size } from './fetch-progress.ts';

const NOT_FOUND_EXIT = 3;

export function fetchReport(
  { io, globals }: UtilityCall,
  order: FetchRequest,
  { outcomes, unknown, tickers }: FetchReport,
  directory: string,
  { requests, received }: FetchProgress,
): Report {
  const of = (state: Outcome['state']) => outcomes.filter((outcome) => outcome.state === state);
  for (const { file, problem } of of('failed')) io.log(`Error: ${file} was not fetched: ${problem}.`);
  const missing = of('absent').filter(({ file }) => /^(?:companyfacts|submissions|files)\//.test(file));
  if (!globals.quiet) for (const { file } of missing) io.log(`The site has no ${file}.`);
  for (const text of unknown) io.log(`fin: ${quote(text)} is on no list of tickers.${didYouMean(text, tickers)}`);
  const count = (state: Outcome['state']) => of(state).length;
  const [fetched, unchanged, failed] = [count('fetched'), count('unchanged'), count('failed')];
  if (!globals.quiet && !io.errIsTerminal) {
    io.log(`Fetched ${fetched} files (${size(received)}); ${unchanged} were up to date`);
  }
  return {
    json: { directory, requests, received, unknown, files: outcomes },
    rows: pick(['file', 'state', 'bytes', 'sha256', 'url', 'problem'], outcomes),
    view: [
      fields([
        ['Where', directory],
        ['Fetched', `${fetched} files, ${size(received)}`],
        ['Up to date', unchanged],
        ['Not at the site', count('absent')],
        ['Failed', { text: String(failed), tone: failed > 0 ? 'warn' : 'plain' }],
        ['Requests', requests],
      ]),
      ...(outcomes.length > failed ? [note('To answer from it: fin data build')] : []),
    ],
    ...exitOf(order, failed, unknown),
  };
}

function exitOf({ companies, bulk, families }: FetchRequest, failed: number, unknown: readonly string[]) {
  if (failed === 0 && unknown.length === 0) return {};
  const nothingElse = !bulk && families.length === 0 && failed === 0;
  return { exitCode: nothingElse && unknown.length === companies.length ? NOT_FOUND_EXIT : PARTIAL };
}
