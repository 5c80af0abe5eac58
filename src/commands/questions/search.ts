import { nameWords, normalizeTicker, parseCik } from '../../contract/identifiers.ts';
import type { SecuritySearchHit } from '../../contract/resources/securities.ts';
import { quiet, table } from '../../output/blocks.ts';
import { pick } from '../../output/rows.ts';
import { command } from '../command.ts';

export default command({
  operation: 'search',
  args: [{ parameter: 'query' }],
  examples: [
    { line: 'search apple', shows: 'companies with a word in the name that starts with it' },
    { line: 'search MS', shows: 'tickers that start with it' },
    { line: 'search bank --csv', shows: 'the same as rows' },
  ],
  notices: ({ data, meta: { query = '' } }) => {
    const found = data.filter((hit) => !shows(hit, query)).map(({ ticker }) => ticker);
    return found.length === 0 ? [] : [`Found by a former name or ticker: ${found.join(', ')}`];
  },
  view: ({ data }) => [
    table(
      [
        { key: 'ticker', title: 'Ticker' },
        { key: 'entity_name', title: 'Company', shrinkTo: 16 },
        { key: 'exchange', title: 'Exchange', drop: 1 },
        { key: 'cik', title: 'CIK', align: 'right', drop: 2 },
        { key: 'company_coverage_state', title: 'Coverage', drop: 3 },
      ],
      data.map((hit) => [
        { text: hit.ticker, tone: 'strong' },
        hit.last_report == null ? hit.entity_name : `${hit.entity_name} (last report ${hit.last_report})`,
        hit.exchange,
        hit.cik,
        quiet(hit.company_coverage_state),
      ]),
    ),
  ],
  rows: ({ data }) =>
    pick(
      [
        'ticker',
        'ticker_normalized',
        'exchange',
        'cik',
        'entity_name',
        'security_coverage_state',
        'company_coverage_state',
        ...(data.some((hit) => hit.last_report !== undefined) ? ['last_report'] : []),
      ],
      data,
    ),
});

/** Whether the hit itself shows why it was found: by the ticker, the CIK, or a beginning of each word in the name. */
function shows({ ticker, cik, entity_name: name }: SecuritySearchHit, query: string): boolean {
  if (normalizeTicker(ticker).startsWith(normalizeTicker(query))) return true;
  if (parseCik(query.trim().replace(/^CIK/i, '')) === cik) return true;
  const own = nameWords(name);
  return nameWords(query).every((word) => own.some((part) => part.startsWith(word)));
}
