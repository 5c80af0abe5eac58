/** Decides whether a cached response may be used without a request. Pure. */
import { matchPath } from '../../contract/operations.ts';
import { PRICED_COLUMNS } from '../../contract/screen-columns.ts';
import type { ClientOptions } from '../request/client-options.ts';
import type { ReuseReason } from '../request/events.ts';

/** The release that a service last served, according to its responses. */
export interface ReleaseRecord {
  /** Stamp of the release; null if the service sent no stamp. */
  readonly stamp: string | null;
  /** Send time (epoch ms) of the request whose response stated or confirmed this release. */
  readonly at: number;
}

interface ReuseContext extends Pick<ClientOptions, 'fresh' | 'offline' | 'maxAge'> {
  readonly cached: { readonly stamp: string | null; readonly confirmedMs: number };
  /**
   * Whether the response depends only on the release. Always false if the client does not record the service's release.
   */
  readonly isReusable: boolean;
  readonly release: ReleaseRecord | null;
  readonly now: number;
}

export type ReuseDecision =
  | { readonly use: ReuseReason }
  /**
   * The resource to request: `itself` (that of the response), or `release`, because the response stays valid while the
   * release is unchanged.
   */
  | { readonly ask: 'itself' | 'release' };

/** Time in milliseconds for which the last known release is assumed to be current. */
export const RELEASE_TTL_MS = 60_000;

export function decideReuse(context: ReuseContext): ReuseDecision {
  const { cached, isReusable, release, now, fresh, offline, maxAge } = context;
  if (offline) return { use: 'offline' };
  if (fresh) return { ask: 'itself' };
  const ageMs = now - cached.confirmedMs;
  if (maxAge !== null && ageMs >= 0 && ageMs <= maxAge) return { use: 'max-age' };
  if (!isReusable || cached.stamp === null) return { ask: 'itself' };
  const isRecent = release !== null && now >= release.at && now - release.at < RELEASE_TTL_MS;
  if (!isRecent) return { ask: 'release' };
  return release.stamp === cached.stamp ? { use: 'release' } : { ask: 'itself' };
}

/**
 * Whether a response remains valid until the release changes, according to the operation's field `covered`. If the
 * field is `unpriced`, the query must use no price figures.
 */
export function isValidUntilNextRelease(target: string): boolean {
  const [path = '', query = ''] = target.split('?', 2);
  const coverage = matchPath(path)?.operation.covered;
  return coverage === 'release' || (coverage === 'unpriced' && isUnpriced(new URLSearchParams(query)));
}

/** Whether a screen names its columns, and no column, filter or sort key is a price figure. */
function isUnpriced(query: URLSearchParams): boolean {
  const columns = query.get('columns');
  if (columns === null) return false;
  const filters = query.getAll('where').map((clause) => clause.split(':')[0] ?? '');
  const names = [...columns.split(','), ...filters, query.get('sort') ?? 'ticker'];
  return !names.some((name) => PRICED_COLUMNS.has(name.trim()));
}
