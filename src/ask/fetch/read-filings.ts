/** Opens the reader of filings and their documents. Loaded on demand. */
import type { Client } from '../../client/client.ts';
import type { Connection } from '../../client/connection.ts';
import type { DocumentSource } from '../../client/request/ports.ts';
import { Failure } from '../../contract/failure.ts';
import { parseQuestion } from '../../contract/question.ts';
import type { FilingSource } from '../../contract/resources/filings.ts';
import type { FilingReader } from '../command/command.ts';
import type { GivenOptions } from '../command/option-spec.ts';

/** Opens the documents of filings with the options of a command. Throws a usage Failure if documents cannot be read. */
export const openDocuments = ({ openDocuments: open }: Connection, options: GivenOptions): Promise<DocumentSource> => {
  if (open === undefined) throw new Failure('usage', 'Documents of filings cannot be read here.');
  return open({ contact: options.get('contact')?.at(-1) ?? null, site: options.get('site')?.at(-1) ?? null });
};

export async function findFiling(client: Client, accession: string): Promise<FilingSource> {
  const { envelope } = await client.ask(makeFilingQuestion(accession));
  return envelope.data as FilingSource;
}

export const makeFilingQuestion = (accession: string) => parseQuestion('filing', [['accession', accession]]);

/** Runs `work` with a reader, which is closed afterwards. */
export async function withFilings<Out>(
  connection: Connection,
  options: GivenOptions,
  progress: (line: string | null) => void,
  work: (reader: FilingReader) => Promise<Out>,
): Promise<Out> {
  const source = await openDocuments(connection, options);
  try {
    return await work({
      find: (accession) => findFiling(connection.client, accession),
      read: (filing, choice) => {
        progress(`Reading ${filing.form} of ${filing.entity_name}, filed ${filing.filed_at ?? 'on an unknown day'}`);
        return source.read(filing, choice);
      },
    });
  } finally {
    progress(null);
    await source.close();
  }
}
