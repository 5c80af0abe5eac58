/**
 * Why an answer is empty, as far as the question, the answer, the cache or a local release shows. Costs no request. Loaded when an answer is empty.
 */
import type { Client } from '../../client/client.ts';
import { isFailure } from '../../contract/failure.ts';
import type { OperationId } from '../../contract/operations.ts';
import { parseQuestion, type RawParameters } from '../../contract/question/question.ts';
import type { Answer } from '../command.ts';
import type { EmptyAnswer } from './empty-answer.ts';
import { whyNoFigures, whyNoRevisions } from './no-figures.ts';
import { whyNoFilings, whyNoPrices, whyNoSegments, whyNoTrades } from './no-filings.ts';
import { whyNoMatch } from './no-match.ts';

type Reason = (empty: EmptyAnswer) => string | null | Promise<string | null>;

const REASONS: Readonly<Partial<Record<OperationId, Reason>>> = {
  metrics: whyNoFigures,
  lineage: whyNoFigures,
  revisions: whyNoRevisions,
  filings: whyNoFilings,
  insiders: whyNoTrades,
  'insider-activity': whyNoTrades,
  prices: whyNoPrices,
  segments: whyNoSegments,
  screen: whyNoMatch,
  search: () => 'No ticker starts with it, and no company name matches.',
  managers: () => 'No manager’s name matches.',
  holders: () => 'No manager reports holding it.',
};

/** Sentences that say why, or null where it cannot be known. */
export async function whyEmpty(
  operation: OperationId,
  parameters: RawParameters,
  answer: Answer<unknown>,
  { client, local }: { readonly client: Client; readonly local: boolean },
): Promise<string | null> {
  const reason = REASONS[operation];
  const { offset = 0, release } = answer.meta;
  if (reason === undefined || offset > 0) return null;
  const lookUp: EmptyAnswer['lookUp'] = async (other, given) => {
    const question = parseQuestion(other, given);
    const found: Answer<unknown> | null = (local ? await client.ask(question) : client.plan(question)).envelope;
    // A cached response of another release proves nothing about this one.
    return found !== null && found.meta.release?.stamp === release?.stamp ? found : null;
  };
  try {
    return await reason({ operation, parameters, answer, local, lookUp });
  } catch (error) {
    // The question itself was answered: that no reason is found is no failure of it.
    if (isFailure(error)) return null;
    throw error;
  }
}
