/** What an answer leaves unsaid in its rows, and must be said: nothing is dropped silently. */
import { type Operation, rowsOf, totalOf } from '../../contract/operations.ts';
import type { Answer, QuestionCommand, ViewContext } from '../command.ts';
import { kebab } from '../command-line/option-spec.ts';
import { isEmpty } from '../empty-answers/empty-answer.ts';

export interface AnswerNotices {
  /** Silenced by `--quiet`. */
  readonly notices: readonly string[];
  /** Always said. */
  readonly warnings: readonly string[];
}

export function noticesFor(
  definition: QuestionCommand,
  operation: Operation,
  answer: Answer<unknown>,
  context: ViewContext,
): AnswerNotices {
  const { release, set_aside: setAside = 0, universe } = answer.meta;
  const failedChecks =
    release?.checks === 'failed'
      ? [`The release ${release.stamp} failed its own checks: take its figures with doubt.`]
      : [];
  const aside =
    setAside === 0
      ? []
      : [
          `${count(setAside, 'company', 'companies')} of ${universe ?? 'all'} set aside: a filtered figure is not on file.`,
        ];
  return {
    notices: [
      ...(isEmpty(operation, answer) ? [said('The answer is empty.', context.emptyReason)] : []),
      ...laterThanKnown(answer),
      ...aside,
      ...pageNotice(definition, operation, answer, context),
      ...(definition.notices?.(answer, context) ?? []),
    ],
    warnings: failedChecks,
  };
}

/** Said when the page is not the whole, or may not be. */
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
  const others = more === '' ? othersOf(definition, operation, context) : [];
  if (total !== null) {
    if (shown === 0 && offset > 0) return [`There are only ${total}; --offset ${offset} is past the end.`];
    const first = offset === 0 ? '' : `${offset + 1} to `;
    return offset + shown < total
      ? [`Shown: ${first}${offset + shown} of ${total}${counted}.${forMore(more, others)}`]
      : [];
  }
  if (shown === 0 || shown !== limit) return [];
  const full = said(`The page is full (${shown}${counted}); there may be more.`, definition.unshown?.(answer, context));
  return [full + forMore(more, others)];
}

/** So many days behind, a release that is made every day is no longer of yesterday. */
const BEHIND = 7;
const DAY = 86_400_000;

/** A day later than the release is answered like the release's own: what was filed between is not known to it. */
function laterThanKnown({ meta: { as_of: day, release } }: Answer<unknown>): string[] {
  if (day === undefined || release === null || release === undefined) return [];
  // It is tomorrow somewhere.
  const today = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
  if (day > today) return [`${day} is still to come: shown is what is on file in the release of ${release.date}.`];
  return Date.parse(day) - Date.parse(release.date) > BEHIND * DAY
    ? [`The release is of ${release.date}: what was filed from then to ${day} is not in it.`]
    : [];
}

const said = (sentence: string, more: string | null | undefined): string =>
  more === null || more === undefined ? sentence : `${sentence} ${more}`;

function forMore(way: string, others: readonly string[]): string {
  if (way !== '') return ` For more: ${way}.`;
  return ` This is the most one answer holds${others.length === 0 ? '' : `; for others: ${others.join(' or ')}`}.`;
}

/** Options that narrow what is asked, so that a page which can be neither longer nor turned holds other rows. */
function othersOf({ args }: QuestionCommand, { parameters }: Operation, { parameters: given }: ViewContext): string[] {
  const narrowing = parameters
    .filter(({ in: place, name }) => place === 'query' && name !== 'limit')
    .filter(({ name }) => !args.some(({ parameter }) => parameter === name));
  // Whoever narrowed it knows how.
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

export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;
