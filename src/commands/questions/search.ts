import { command } from '../../ask/command.ts';
import { nameWords, normalizeTicker, parseCik } from '../../contract/identifiers.ts';
import type { SecuritySearchHit } from '../../contract/resources/securities.ts';
import { quote } from '../../contract/text/quote.ts';
import { say } from '../../contract/text/text.ts';
import { noteOf } from '../../result/notice.ts';
import { table } from '../../result/table.ts';

export default command({
  operation: 'search',
  args: [{ parameter: 'query' }],
  examples: [
    { line: 'search apple', shows: 'companies with a word in the name that starts with this text' },
    { line: 'search MS', shows: 'tickers that start with this text' },
    { line: 'search bank --csv', shows: 'matches as CSV rows' },
  ],
  result: ({ data, items, meta: { query = '', approximate = false } }) => {
    const renamed = approximate ? [] : data.filter((hit) => !shows(hit, query)).map(({ ticker }) => ticker);
    return {
      tables: [
        table({
          name: 'companies',
          columns: [
            { key: 'ticker', tone: 'strong' },
            { key: 'ticker_normalized' },
            { key: 'exchange', drop: 1 },
            { key: 'cik', align: 'right', drop: 2 },
            {
              key: 'entity_name',
              shrinkTo: 16,
              cell: ({ entity_name: name, last_report: last }) =>
                last == null ? name : `${name} (last report ${last})`,
            },
            { key: 'security_coverage_state' },
            { key: 'company_coverage_state', label: 'Coverage', tone: 'quiet', drop: 3 },
            ...(data.some((hit) => hit.last_report !== undefined) ? [{ key: 'last_report' }] : []),
          ],
          shown: ['ticker', 'entity_name', 'exchange', 'cik', 'company_coverage_state'],
          records: items,
        }),
      ],
      notices: [
        ...(renamed.length === 0
          ? []
          : [
              noteOf('former_names', `These companies match by a former name or ticker: ${renamed.join(', ')}`, {
                tickers: renamed,
              }),
            ]),
        ...(approximate
          ? [
              noteOf('approximate', say`No ticker and no name begins with ${quote(query)}; these names are similar`, {
                query,
              }),
            ]
          : []),
      ],
    };
  },
});

/** Whether the hit itself shows why it matches: by ticker, CIK, or the beginning of each word in the name. */
function shows({ ticker, cik, entity_name: name }: SecuritySearchHit, query: string): boolean {
  if (normalizeTicker(ticker).startsWith(normalizeTicker(query))) return true;
  if (parseCik(query.trim().replace(/^CIK/i, '')) === cik) return true;
  const own = nameWords(name);
  return nameWords(query).every((word) => own.some((part) => part.startsWith(word)));
}
