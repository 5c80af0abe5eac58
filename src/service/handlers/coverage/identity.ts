/**
 * The UUIDs of the HTTP API: UUIDv5 over natural keys, so that an id stored by a user identifies the same resource in
 * every later release. Any change to the ids breaks this guarantee.
 *
 * The hashed text is the type of the resource and its natural key, one field per line; a missing field is an empty
 * line:
 *
 * security      cik, normalized ticker
 * metric_value  cik, metric key, unit, start, end; for trailing twelve months also "ttm", because a fiscal year may
 *               have the same start and end
 * raw_fact      cik, taxonomy, concept, unit, start, end, accession; for the share count of a class also the member
 */
import type { hash as Hash } from 'node:crypto';
import { parseClassCounts } from '../../../edgar/facts/fact-row.ts';
import type { FigurePeriodKind } from '../../../figures/periods/period-kind.ts';
import { type FigureKey, type ReportedValue, toFiledPeriod } from '../../../figures/revisions/revision-chain.ts';

/** Namespace of the ids: a random UUID that must never change. */
const NAMESPACE = Buffer.from('917e59e2d864451a9d8a394ddb019e5c', 'hex');

export const makeSecurityId = (cik: number, ticker: string): string => makeUuid('security', cik, ticker);

export function makeMetricValueId(cik: number, figure: FigureKey & { readonly periodKind: FigurePeriodKind }): string {
  const { metricKey, unit, start, end, periodKind } = figure;
  return makeUuid('metric_value', cik, metricKey, unit, start, end, ...(periodKind === 'ttm' ? [periodKind] : []));
}

export function makeRawFactId(cik: number, value: ReportedValue): string {
  const { taxonomy, concept, unit, accession, classCounts } = value;
  const { start, end } = toFiledPeriod(value);
  const parts = classCounts === null ? [] : parseClassCounts(classCounts).map(({ member }) => member);
  return makeUuid('raw_fact', cik, taxonomy, concept, unit, start, end, accession, ...parts);
}

let hash: typeof Hash | undefined;

/**
 * Returns a UUID of version 5 (https://www.rfc-editor.org/rfc/rfc9562#section-5.5). Loads node:crypto (2 ms or more) at
 * the first call, because some responses, such as those of `fin screen`, have no ids.
 */
function makeUuid(...parts: readonly (string | number | null)[]): string {
  hash ??= process.getBuiltinModule('node:crypto').hash;
  const digest = hash('sha1', Buffer.concat([NAMESPACE, Buffer.from(parts.join('\n'))]));
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 0x3) | 0x8).toString(16);
  const fourth = `${variant}${digest.slice(17, 20)}`;
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-${fourth}-${digest.slice(20, 32)}`;
}
