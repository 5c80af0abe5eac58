import { accessionIn } from '../../contract/identifiers.ts';
import { fields, table, title } from '../../output/blocks.ts';
import { pick } from '../../output/rows.ts';
import { command } from '../command.ts';

export default command({
  operation: 'filing',
  args: [{ parameter: 'accession', many: true, read: accessionIn }],
  valueHints: { accession: 'Find accession numbers: fin filings <ticker>' },
  examples: [
    { line: 'filing 0000320193-25-000057', shows: 'one filing, its documents and where they are' },
    { line: 'filing 000032019325000057 --csv', shows: 'a row for each document; the dashes may be left out' },
    {
      line: 'filing https://www.sec.gov/Archives/edgar/data/320193/000032019325000057/',
      shows: 'the same, from an address at the SEC',
    },
  ],
  view: ({ data }) => [
    title(`${data.form}, ${data.entity_name}${data.ticker == null ? '' : ` (${data.ticker})`}`),
    fields([
      ['Accession', data.accession_number],
      ['Filed', data.filed_at ?? null],
      ['Accepted', data.accepted_at ?? null],
      ['CIK', data.cik],
      ['Folder', { text: data.folder, link: data.folder }],
    ]),
    table(
      [
        { key: 'kind', title: 'Kind' },
        { key: 'document', title: 'Document' },
        { key: 'read', title: 'Read', drop: 1 },
        // Shown whole or not at all: half an address leads nowhere.
        { key: 'url', title: 'Address', drop: 2 },
      ],
      data.documents.map(({ kind, document, read, url }) => [
        kind,
        { text: document, tone: 'strong', link: url },
        read ? 'yes' : 'no',
        { text: url, tone: 'quiet', link: url },
      ]),
    ),
  ],
  rows: ({ data: { documents, ...filing } }) =>
    pick(
      [
        'accession_number',
        'cik',
        'ticker',
        'entity_name',
        'form',
        'filed_at',
        'accepted_at',
        'folder',
        'document',
        'kind',
        'url',
        'read',
      ],
      documents.map((document) => ({ ...filing, ...document })),
    ),
});
