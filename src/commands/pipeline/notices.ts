/** Notices and warnings about an answer, so that nothing is dropped silently. */
import { type Operation, rowsOf, totalOf } from '../../contract/operations.ts';
import { count } from '../../output/wording.ts';
import type { Answer, QuestionCommand, ViewContext } from '../command.ts';
import { kebab } from '../command-line/option-spec.ts';
import { isEmpty } from '../empty-answers/empty-answer.ts';

/** Always printed, `--quiet` or not. */
export function warningsOf({ meta: { release } }: Answer<unknown>): readonly string[] {
  if (release?.checks !== 'failed') return [];
  return [`Release ${release.stamp} failed its checks; its figures may be wrong.`];
}

export function noticesFor(
  definition: QuestionCommand,
  operation: Operation,
  answer: Answer<unknown>,
  context: ViewContext,
  pages: () => Iterable<Answer<unknown>> = () => [answer],
): readonly string[] {
  const page = pageNotice(definition, operation, answer, context);
  return noticesWithoutPage(definition, operation, answer, context, pages, page);
}

/** The same without what a page leaves out: assistants get their own line about it. */
export function noticesWithoutPage(
  definition: QuestionCommand,
  operation: Operation,
  answer: Answer<unknown>,
  context: ViewContext,
  pages: () => Iterable<Answer<unknown>> = () => [answer],
  page: readonly string[] = [],
): readonly string[] {
  const { set_aside: setAside = 0, universe } = answer.meta;
  const aside =
    setAside === 0
      ? []
      : [
          `${setAside} of ${universe === undefined ? 'all companies' : count(universe, 'company', 'companies')} left out: a filtered figure is missing.`,
        ];
  return [
    ...(isEmpty(operation, answer) ? [withReason('No results.', context.emptyReason)] : []),
    ...afterRelease(answer),
    ...aside,
    ...page,
    ...(definition.notices?.(answer, context, pages) ?? []),
  ];
}

/** A notice where the page is not the whole answer, or may not be. */
function pageNotice(
  definition: QuestionCommand,
  operation: Operation,
  answer: Answer<unknown>,
  context: ViewContext,
): string[] {
  const rows = rowsOf(operation, answer.data);
  if (rows === null) return [];
  const [shown, total] = [rows.length, totalOf(operation, answer)];
  const counted = operation.rows?.noun === undefined ? '' : ` ${operation.rows.noun}`;
  const limit = answer.meta.limit ?? context.parameters.limit;
  const offset = answer.meta.offset ?? 0;
  const more = definition.more?.(answer, context) ?? usualMore(operation, Number(limit), offset + shown);
  const others = more === '' ? narrowingOptions(definition, operation, context) : [];
  if (total !== null) {
    if (shown === 0 && offset > 0) return [`--offset ${offset} is past the end: there are only ${total}${counted}.`];
    const first = offset === 0 ? '' : `${offset + 1} to `;
    return offset + shown < total
      ? [`Showing ${first}${offset + shown} of ${total}${counted}.${forMore(more, others)}`]
      : [];
  }
  if (shown === 0 || shown !== limit) return [];
  const full = withReason(
    `The page is full (${shown}${counted}); there may be more.`,
    definition.notShown?.(answer, context),
  );
  return [full + forMore(more, others)];
}

/** A release this many days older than the day asked for is not merely yesterday's. */
const BEHIND = 7;
const DAY = 86_400_000;

/** A day after the release's date is answered from the release, which does not include what was filed in between. */
function afterRelease({ meta: { as_of: day, release } }: Answer<unknown>): string[] {
  if (day === undefined || release === null || release === undefined) return [];
  // Somewhere it is tomorrow already.
  const today = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
  if (day > today) return [`${day} is in the future; showing what was reported by ${release.date}.`];
  return Date.parse(day) - Date.parse(release.date) > BEHIND * DAY
    ? [`The release ends on ${release.date}; filings from then to ${day} are not included.`]
    : [];
}

const withReason = (sentence: string, more: string | null | undefined): string =>
  more === null || more === undefined ? sentence : `${sentence} ${more}`;

function forMore(way: string, others: readonly string[]): string {
  if (way !== '') return ` For more: ${way}.`;
  return ` One answer holds no more${others.length === 0 ? '' : `; narrow it with ${others.join(' or ')}`}.`;
}

/** Options that narrow the question, for an answer that cannot be longer or paged. */
function narrowingOptions(
  { args }: QuestionCommand,
  { parameters }: Operation,
  { parameters: given }: ViewContext,
): string[] {
  const narrowing = parameters
    .filter(({ in: place, name }) => place === 'query' && name !== 'limit')
    .filter(({ name }) => !args.some(({ parameter }) => parameter === name));
  return narrowing.some(({ name }) => given[name] !== undefined) ? [] : narrowing.map(({ name }) => `--${kebab(name)}`);
}

function usualMore({ parameters }: Operation, limit: number, next: number): string {
  const most = parameters.find(({ name }) => name === 'limit')?.max ?? 0;
  const ways = [
    ...(limit < most ? ['--limit'] : []),
    ...(parameters.some(({ name }) => name === 'offset') ? [`--offset ${next}`] : []),
  ];
  return ways.join(' or ');
}
