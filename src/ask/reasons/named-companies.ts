/**
 * Resolves companies and managers that the user named by CIK or by name although the HTTP API requires a ticker or a
 * plain CIK. Loaded on demand.
 */
import type { Client } from '../../client/client.ts';
import { Failure, isFailure, withHint } from '../../contract/failure.ts';
import { parseCik } from '../../contract/identifiers.ts';
import type { OperationId } from '../../contract/operations.ts';
import { changeQuestion, findCompany, findGivenText, parseQuestion, type Question } from '../../contract/question.ts';
import type { HolderHit } from '../../contract/resources/holders.ts';
import type { SecuritySearchHit } from '../../contract/resources/securities.ts';
import { quote } from '../../contract/text/quote.ts';
import { call, say } from '../../contract/text/text.ts';

/** Matches CIKs such as `320193` and `CIK0000320193`, which cannot be tickers. */
const CIK_PATTERN = /^(?:CIK)?(\d{1,10})$/i;

const MAX_LISTED_NAMES = 5;
const MAX_TICKER_LENGTH = 5;

/**
 * Returns the question with a ticker instead of the company's CIK, or with a CIK without prefix. Throws a Failure if no
 * company has the CIK, or if it is unclear which of the company's tickers is meant.
 */
export async function replaceCik(question: Question, client: Client): Promise<Question> {
  const { operation, rawParameters } = question;
  const [, digits] = CIK_PATTERN.exec(findGivenText(rawParameters, 'cik')?.trim() ?? '') ?? [];
  if (digits !== undefined) return changeQuestion(question, [['cik', digits]]);
  const cikText = findCikAsTicker(question);
  if (cikText === null) return question;
  return changeQuestion(question, [['ticker', await findTickerOfCik(cikText, operation.id, client)]]);
}

function findCikAsTicker({ operation, rawParameters }: Question): string | null {
  const text = findGivenText(rawParameters, 'ticker');
  return text !== undefined && CIK_PATTERN.test(text.trim()) && operation.path.includes('{ticker}') ? text : null;
}

/**
 * Plans the search for a ticker that `replaceCik` would make; null if none is necessary. Also returns the question:
 * with the ticker if the search is cached, otherwise unchanged.
 */
export function planTickerSearch(question: Question, client: Client) {
  const cik = parseCompanyCik(findCikAsTicker(question) ?? '');
  if (cik === null) return null;
  const plan = client.plan(makeSearchQuestion(`${cik}`));
  const [ticker] = plan.envelope === null ? [] : listTickers(plan.envelope.data as readonly SecuritySearchHit[], cik);
  return { plan, question: ticker === undefined ? question : changeQuestion(question, [['ticker', ticker]]) };
}

const parseCompanyCik = (text: string): number | null => parseCik(CIK_PATTERN.exec(text.trim())?.[1] ?? '');

const makeSearchQuestion = (text: string, id: OperationId = 'search'): Question => parseQuestion(id, [['query', text]]);

const listTickers = (hits: readonly SecuritySearchHit[], cik: number | null): string[] =>
  hits.filter((hit) => hit.cik === cik).map(({ ticker }) => ticker);

/** Operations about one security. All other operations are about the company, which any of its tickers identifies. */
const SECURITY_OPERATIONS: ReadonlySet<OperationId> = new Set(['profile', 'prices', 'holders']);

async function findTickerOfCik(cikText: string, id: OperationId, client: Client): Promise<string> {
  const cik = parseCompanyCik(cikText);
  const hits = cik === null ? [] : await searchFor<SecuritySearchHit>('search', `${cik}`, client);
  const tickers = listTickers(hits, cik);
  const [ticker, ...otherTickers] = tickers;
  if (ticker === undefined) {
    const hint = say`Find a ticker by company name: ${call('search', { query: '<name>' })}`;
    throw new Failure('not_found', `No company in the release has the CIK ${quote(cikText)}.`, { hint });
  }
  if (otherTickers.length === 0 || !SECURITY_OPERATIONS.has(id)) return ticker;
  throw new Failure('usage', `The company with the CIK ${quote(cikText)} has several tickers: ${tickers.join(', ')}.`, {
    hint: 'Use one of these tickers instead.',
  });
}

/**
 * Returns the failure with a hint that lists companies or managers with similar names. Returns `original` if the
 * ticker exists, because something other than the ticker was not found.
 */
export async function withCandidates(failure: Failure, question: Question, client: Client, original: Failure) {
  const { operation, rawParameters } = question;
  const [ticker, cik] = [findCompany(question), findGivenText(rawParameters, 'cik')];
  const isName = (text: string | undefined): text is string => text !== undefined && /\p{L}{2}/u.test(text);
  try {
    if (failure.kind === 'not_found' && isName(ticker)) {
      const data = await searchFor<SecuritySearchHit>('search', ticker, client);
      // A text this short is probably a ticker, so companies with similar names would be irrelevant.
      const isApproximate = data.some(({ approximate }) => approximate === true);
      const hits = isApproximate && ticker.trim().length <= MAX_TICKER_LENGTH ? [] : data;
      if (hits.some((hit) => hit.ticker === ticker.trim().toUpperCase())) return original;
      return withNamesHint(failure, 'Companies with similar names', hits.map(formatHit));
    }
    if (failure.kind === 'usage' && operation.id === 'manager' && isName(cik)) {
      const hits = await searchFor<HolderHit>('managers', cik, client);
      const names = hits.map((hit) => `${hit.cik} (${hit.name})`);
      return withNamesHint(failure, 'Managers with that name', names);
    }
  } catch (error) {
    // A Failure of the lookup is ignored, so that the original failure is reported.
    if (!isFailure(error)) throw error;
  }
  return failure;
}

const formatHit = ({ ticker, entity_name: name, brand }: SecuritySearchHit): string =>
  `${ticker} (${name}${brand === undefined ? '' : `: ${brand}`})`;

async function searchFor<Hit>(id: OperationId, text: string, client: Client): Promise<readonly Hit[]> {
  const { envelope } = await client.ask(makeSearchQuestion(text, id));
  return envelope.data as readonly Hit[];
}

function withNamesHint(failure: Failure, noun: string, names: readonly string[]): Failure {
  const text = names.slice(0, MAX_LISTED_NAMES).join(', ');
  const ellipsis = names.length > MAX_LISTED_NAMES ? ', …' : '';
  return names.length === 0 ? failure : withHint(failure, `${noun}: ${text}${ellipsis}`);
}
