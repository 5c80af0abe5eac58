/**
 * Why an answer is empty, where that can be known: from the question, from the answer, and from what else is held or
 * on this machine. No request is made for it. Loaded when an answer is empty.
 */
import type { Client } from '../../client/client.ts';
import { isFailure } from '../../contract/failure.ts';
import type { OperationId } from '../../contract/operations.ts';
import { parseQuestion } from '../../contract/question/question.ts';
import type { Answer, RawParameters } from '../command.ts';
import { whyNoFigures, whyNoRevisions } from './no-figures.ts';
import { whyNoFilings, whyNoPrices, whyNoSegments, whyNoTrades } from './no-filings.ts';
import { whyNoMatch } from './no-match.ts';

/** A question that was answered with nothing. */
export interface EmptyAnswer {
  readonly operation: OperationId;
  readonly parameters: RawParameters;
  readonly answer: Answer<unknown>;
  /** Whether `look` sees everything, and not only what is held. */
  readonly local: boolean;
  /** What another question is answered with, where that costs nobody anything; else null. */
  readonly lookUp: (operation: OperationId, given: RawParameters) => Promise<Answer<unknown> | null>;
}

const REASONS: Readonly<
  Partial<Record<OperationId, (nothing: EmptyAnswer) => string | null | Promise<string | null>>>
> = {
  metrics: whyNoFigures,
  lineage: whyNoFigures,
  revisions: whyNoRevisions,
  filings: whyNoFilings,
  insiders: whyNoTrades,
  'insider-activity': whyNoTrades,
  prices: whyNoPrices,
  segments: whyNoSegments,
  screen: whyNoMatch,
  search: () => 'No ticker begins so, and no name matches.',
  managers: () => 'No name of a manager on file matches.',
  holders: () => 'No report on file has it.',
};

/** Sentences that say why, or null where it cannot be known. */
export async function whyEmpty(
  operation: OperationId,
  given: RawParameters,
  answer: Answer<unknown>,
  { client, local }: { readonly client: Client; readonly local: boolean },
): Promise<string | null> {
  if (Number(answer.meta.offset ?? 0) > 0) return null;
  const look: EmptyAnswer['lookUp'] = async (other, asked) => {
    const envelope = local
      ? (await client.ask(parseQuestion(other, asked))).envelope
      : client.plan(parseQuestion(other, asked)).envelope;
    const seen: Answer<unknown> | null = envelope;
    // What is held of another release says nothing of this one.
    return seen !== null && seen.meta.release?.stamp === answer.meta.release?.stamp ? seen : null;
  };
  try {
    return (await REASONS[operation]?.({ operation, parameters: given, answer, local, lookUp: look })) ?? null;
  } catch (error) {
    // A reason is a courtesy: that none is found is no failure of the question.
    if (isFailure(error) || error instanceof TypeError) return null;
    throw error;
  }
}
