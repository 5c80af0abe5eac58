/** Whether a cached response may be used without a request. Pure. */
import { matchPath } from '../../contract/operations.ts';
import { PRICED_COLUMNS } from '../../contract/screen-columns.ts';

/** The release that a service was last seen to serve: any 200 names it. */
export interface ReleaseKnowledge {
  /** Null where the service named none. */
  readonly stamp: string | null;
  /** When the request was sent whose response named it (epoch ms). */
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
  /** `release`: one request for the release decides for every cached response that it covers. */
  | { readonly ask: 'itself' | 'release' };

/** How long the known release is trusted, in milliseconds. */
export const RELEASE_TTL_MS = 60_000;

export function decideReuse({ cached, covered, release, now, fresh, offline, maxAge }: ReuseContext): Reuse {
  if (offline) return { use: 'offline' };
  if (fresh) return { ask: 'itself' };
  const age = now - cached.confirmed;
  if (maxAge !== null && age >= 0 && age <= maxAge) return { use: 'max-age' };
  if (!covered || cached.stamp === null) return { ask: 'itself' };
  const known = release !== null && now >= release.at && now - release.at < RELEASE_TTL_MS;
  if (!known) return { ask: 'release' };
  return release.stamp === cached.stamp ? { use: 'release' } : { ask: 'itself' };
}

/** Whether a response stays the same as long as the release does: `covered` of its operation. */
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
