/** Checks before a question is sent: throws for a request that the HTTP API rejects, or that may not be sent. Pure. */
import { Failure } from '../../contract/failure.ts';
import { changeQuestion, type Question } from '../../contract/question.ts';
import { joinTexts, option, say } from '../../contract/text/text.ts';
import type { Clause } from '../../contract/where-clause.ts';

/**
 * Throws a usage Failure if the question violates rules of the HTTP API; the Failure lists all violations.
 * @param strict whether violations of fin's own rules count, too: true if fin's own service answers
 */
export function refuseFaults({ faults }: Question, strict: boolean): void {
  const violations = faults.filter(({ source }) => strict || source === 'stated');
  if (violations.length === 0) return;
  const details = violations.map(({ detail }) => detail);
  throw new Failure('usage', joinTexts(details, ' '));
}

/** Returns a path unchanged. Throws a usage Failure for a URL, and for a path outside the base URL. */
export function checkPath(path: string): string {
  const [route = ''] = path.split('?', 1);
  const isUnsafe = route.split('/').some((part, index) => (index > 0 && part === '') || /^(\.|%2e){1,2}$/i.test(part));
  if (!/^\/[!-~]*$/.test(path) || path.includes('#') || path.includes('\\') || isUnsafe) {
    const hint = 'Give a percent-encoded path such as /v1/release, without scheme and host.';
    throw new Failure('usage', `${JSON.stringify(path.slice(0, 120))} is not a path of the HTTP API.`, { hint });
  }
  return path;
}

/** Returns the failure of `--offline` if `target`, an address or a path, is not cached. */
export const makeNotCachedFailure = (target: string): Failure =>
  new Failure('network', say`${target} is not cached, and ${option('offline')} sends no request.`, {
    hint: say`Ask once without ${option('offline')}; the answer is then cached.`,
  });

/**
 * Returns the names of parameters that the client adds to a question by itself. These parameters are not part of the
 * HTTP API, and only request additional fields of `meta`, from which notices are made. The caller adds them only for a
 * service that is known to have them.
 */
export function findMetaAdditions({ operation, parameters, rawParameters }: Question): readonly string[] {
  if (operation.id !== 'screen') return [];
  const isGiven = (name: string): boolean => rawParameters.some(([other]) => other === name);
  const clauses = (parameters.where ?? []) as readonly Clause[];
  return [
    // If all filters use one figure, every company that is set aside lacks this figure, so the field is not needed.
    ...(new Set(clauses.map(({ column }) => column)).size > 1 ? ['set_aside_by'] : []),
    ...(isGiven('columns') || (isGiven('sort') && parameters.sort !== 'ticker') ? ['missing_by'] : []),
  ].filter((name) => !isGiven(name));
}

/** Returns the question with the parameters that `findMetaAdditions` found. */
export function withMetaAdditions(question: Question, names: readonly string[]): Question {
  const additions = names.map((name) => [name, 'true'] as const);
  return additions.length === 0 ? question : changeQuestion(question, additions);
}
