import { defineCommand } from '../ask/command/command.ts';
import { replaceArchiveAddress } from '../contract/identifiers.ts';
import { formatInstant } from '../contract/text/format-counts.ts';
import { call, say } from '../contract/text/text.ts';
import { makeNote, type Notice } from '../result/notice.ts';
import { makeFieldColumns, makeTable } from '../result/table.ts';

export default defineCommand({
  operation: 'filing',
  args: [{ parameter: 'accession', many: true, read: replaceArchiveAddress }],
  examples: {
    'filing 0000320193-25-000057': 'one filing, with its documents and their addresses',
    'filing 000032019325000057 --csv': 'one row for each document; dashes in the number are optional',
    'filing https://www.sec.gov/Archives/edgar/data/320193/000032019325000057/':
      "a filing by its address on the SEC's site",
  },
  result: ({ data: { documents, ...filing } }, { inProcess }) => ({
    title: `${filing.form}, ${filing.entity_name}${filing.ticker == null ? '' : ` (${filing.ticker})`}`,
    facts: [
      ['Accession', filing.accession_number],
      ['Filed', filing.filed_at ?? null],
      ['Accepted', formatInstant(filing.accepted_at)],
      ['CIK', filing.cik],
      ['Folder', { text: filing.folder, link: filing.folder }],
    ],
    tables: [
      makeTable({
        name: 'documents',
        columns: [
          ...makeFieldColumns('accession_number', 'cik', 'ticker', 'entity_name', 'form', 'filed_at', 'accepted_at'),
          ...makeFieldColumns('folder'),
          { key: 'document', cell: ({ document, url }) => ({ text: document, tone: 'strong', link: url }) },
          { key: 'kind' },
          // The column is dropped rather than shortened, because a truncated address is useless.
          { key: 'url', label: 'Address', drop: 2, cell: ({ url }) => ({ text: url, tone: 'quiet', link: url }) },
          { key: 'read', drop: 1, cell: ({ read }) => (read ? 'yes' : 'no') },
        ],
        shownKeys: ['kind', 'document', 'read', 'url'],
        records: () => documents.map((document) => ({ ...filing, ...document })),
      }),
    ],
    notices: inProcess && documents.length === 1 ? [makeNoExhibitsNotice(filing.accession_number)] : [],
  }),
});

/** Exhibits are listed only on a filing's index page, which few sources include. */
function makeNoExhibitsNotice(accession: string): Notice {
  const text = say`Only one document is listed: the release may lack the index page of this filing. To see all documents: ${call('open', { accession })}`;
  return makeNote('exhibits_not_listed', text);
}
