/** Whether a held answer may be used without asking. Pure. */
import { matchPath } from '../../contract/operations.ts';
import { PRICED_COLUMNS } from '../../contract/screen-columns.ts';

/** What is known of the release being served: any 200 names it. */
export interface ReleaseKnowledge {
  /** Null where the service named none. */
  readonly stamp: string | null;
  /** When the request was sent whose answer named it (epoch ms). */
  readonly at: number;
}

export interface ReuseContext {
  readonly cached: { readonly stamp: string | null; readonly confirmed: number };
  readonly covered: boolean;
  readonly release: ReleaseKnowledge | null;
  readonly now: number;
  readonly fresh: boolean;
  readonly offline: boolean;
  readonly maxAge: number | null;
}

/** Why a cached response was used without a request. */
export type ReuseReason = 'release' | 'max-age' | 'offline';

export type Reuse =
  | { readonly use: ReuseReason }
  /** `release`: one question after the release decides for every covered answer that is held. */
  | { readonly ask: 'itself' | 'release' };

/** How long what is known of the release is believed. */
export const RELEASE_TRUST = 60_000;

export function decideReuse({ cached, covered, release, now, fresh, offline, maxAge }: ReuseContext): Reuse {
  if (offline) return { use: 'offline' };
  if (fresh) return { ask: 'itself' };
  const age = now - cached.confirmed;
  if (maxAge !== null && age >= 0 && age <= maxAge) return { use: 'max-age' };
  if (!covered || cached.stamp === null) return { ask: 'itself' };
  const known = release !== null && now >= release.at && now - release.at < RELEASE_TRUST;
  if (!known) return { ask: 'release' };
  return release.stamp === cached.stamp ? { use: 'release' } : { ask: 'itself' };
}

/** Whether an answer stands as long as the release does (choices.md, "What a release covers"). */
export function isCovered(target: string): boolean {
  const [path = '', query = ''] = target.split('?', 2);
  const covered = matchPath(path)?.operation.covered ?? 'never';
  return covered === 'release' || (covered === 'unpriced' && isUnpriced(new URLSearchParams(query)));
}

/** A screen that names its columns, and no price figure among them, its filters and its order. */
function isUnpriced(query: URLSearchParams): boolean {
  const columns = query.get('columns');
  if (columns === null) return false;
  const where = query.getAll('where').map((clause) => clause.split(':')[0] ?? '');
  const named = [...columns.split(','), ...where, query.get('sort') ?? 'ticker'];
  return !named.some((name) => PRICED_COLUMNS.has(name.trim()));
}
