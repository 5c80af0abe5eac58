import { defineCommand } from '../ask/command/command.ts';
import { normalizeTicker, parseCik, splitNameIntoWords } from '../contract/identifiers.ts';
import type { SecuritySearchHit } from '../contract/resources/securities.ts';
import { quote } from '../contract/text/quote.ts';
import { say } from '../contract/text/text.ts';
import { makeNoteIf, type Notice } from '../result/notice.ts';
import { makeFieldColumns, makeTable } from '../result/table.ts';

export default defineCommand({
  operation: 'search',
  args: [{ parameter: 'query' }],
  examples: {
    'search apple': 'companies whose name has a word that starts with this text',
    'search MS': 'tickers that start with this text',
    'search bank --csv': 'matches as CSV rows',
  },
  result: ({ data, items, meta: { query = '' } }) => {
    const approximate = data.some((hit) => hit.approximate === true);
    const similarText = say`No ticker or name begins with ${quote(query)}. The companies shown have similar names.`;
    const others = approximate ? [] : data.filter((hit) => hit.brand === undefined && !showsWhyItMatches(hit, query));
    const former = others.map(({ ticker }) => ticker);
    const brands = data.flatMap(({ ticker, brand }) => (brand === undefined ? [] : [`${ticker} (${brand})`]));
    return {
      tables: [
        makeTable({
          name: 'companies',
          columns: [
            { key: 'ticker', tone: 'strong' },
            { key: 'ticker_normalized' },
            { key: 'exchange', drop: 1 },
            { key: 'cik', align: 'right', drop: 2 },
            { key: 'entity_name', shrinkTo: 16, cell: makeNameCell },
            { key: 'security_coverage_state' },
            { key: 'company_coverage_state', label: 'Coverage', tone: 'quiet', drop: 3 },
            ...(data.some((hit) => hit.last_report !== undefined) ? makeFieldColumns('last_report') : []),
            ...(brands.length > 0 ? makeFieldColumns('brand') : []),
            ...(approximate ? makeFieldColumns('approximate') : []),
          ],
          shownKeys: ['ticker', 'entity_name', 'exchange', 'cik', 'company_coverage_state'],
          records: items,
        }),
      ],
      notices: [
        ...makeListNote('former_names', 'Companies found by a former name or ticker', 'tickers', former),
        ...makeListNote('brands', 'Companies found by a segment or product in their reports', 'brands', brands),
        ...makeNoteIf(approximate, 'approximate', similarText, { query }),
      ],
    };
  },
});

const makeNameCell = ({ entity_name: name, last_report: report }: SecuritySearchHit): string =>
  report == null ? name : `${name} (last report ${report})`;

/** Whether the ticker, CIK or name of a hit shows why it matches; if not, a former name or ticker matched. */
function showsWhyItMatches({ ticker, cik, entity_name: name }: SecuritySearchHit, query: string): boolean {
  if (normalizeTicker(ticker).startsWith(normalizeTicker(query))) return true;
  if (parseCik(query.trim().replace(/^CIK/i, '')) === cik) return true;
  const words = splitNameIntoWords(name);
  return splitNameIntoWords(query).every((word) => words.some((ownWord) => ownWord.startsWith(word)));
}

const makeListNote = (code: string, text: string, field: string, items: readonly string[]): readonly Notice[] =>
  makeNoteIf(items.length > 0, code, `${text}: ${items.join(', ')}`, { [field]: items });
