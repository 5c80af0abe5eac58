/** `--plan` of commands that read documents: the requests for filings and to the SEC's site. Loaded on demand. */
import type { Connection } from '../client/connection.ts';
import { isFailure } from '../contract/failure.ts';
import type { Question } from '../contract/question.ts';
import type { FilingSource } from '../contract/resources/filings.ts';
import type { DocumentRequest } from './command/command.ts';
import { makeFilingQuestion, openDocuments } from './fetch/read-filings.ts';
import type { Plan } from './plan.ts';

export interface RequestCounts {
  readonly cached: number;
  readonly requests: number;
  /** Number of cached responses that remain valid only if the release is unchanged. */
  readonly revalidatedCount: number;
  /** Number of responses that are not cached and may show that further requests are necessary. */
  readonly uncertainCount: number;
  readonly secRequests: number;
}

/** Counts the requests that follow the answer to a question: one per filing, and those for its document. */
export async function planDocuments(
  { command, parsed: { options } }: Plan,
  question: Question,
  connection: Connection,
): Promise<RequestCounts> {
  const counts = { cached: 0, requests: 0, revalidatedCount: 0, uncertainCount: 0, secRequests: 0 };
  const { client, isInProcess } = connection;
  /** Returns the data of an answer; null if only a request would tell. */
  const readData = async (asked: Question): Promise<unknown> =>
    isInProcess ? (await client.ask(asked)).envelope.data : (client.plan(asked).envelope?.data ?? null);
  const data = await readData(question);
  const wanted = data === null ? null : listDocuments(() => command.documents?.(data, options) ?? []);
  if (wanted === null) return { ...counts, uncertainCount: 1 };
  const source = await openDocuments(connection, options);
  try {
    for (const { accession, choice } of wanted) {
      const asked = makeFilingQuestion(accession);
      if (!isInProcess && question.operation.id !== 'filing') {
        const { by } = client.plan(asked);
        counts[by === 'cache' ? 'cached' : by === 'release' ? 'revalidatedCount' : 'requests'] += 1;
      }
      const filing = await readData(asked);
      if (filing === null) counts.uncertainCount = 1;
      else counts.secRequests += source.countRequests(filing as FilingSource, choice);
    }
    return counts;
  } finally {
    await source.close();
  }
}

/** Returns the documents; empty if the answer has no filing that fits, for which nothing more is requested. */
function listDocuments(list: () => readonly DocumentRequest[]): readonly DocumentRequest[] {
  try {
    return list();
  } catch (error) {
    if (isFailure(error)) return [];
    throw error;
  }
}
