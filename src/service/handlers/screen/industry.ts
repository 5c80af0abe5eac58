/**
 * The companies of an industry, selected by SIC code (Standard Industrial Classification), by words of its description,
 * or by a peer.
 */

import { splitNameIntoWords } from '../../../contract/identifiers.ts';
import type { ParametersOf } from '../../../contract/operations.ts';
import { INDUSTRY_COLUMNS } from '../../../contract/screen-columns.ts';
import { quote } from '../../../contract/text/quote.ts';
import type { ReleaseReader, ScreenTable } from '../../../store/reader.ts';
import { SCREEN } from '../../../store/schema/screen.ts';
import { ProblemError } from '../../request/handler.ts';
import { findSecurity } from '../coverage/covered-security.ts';
import { nameHasWords } from '../coverage/find-listings.ts';
import { requireColumn } from '../coverage/included-tables.ts';

/** SIC codes of companies without an operating business: asset-backed securities, funds and blank-cheque companies. */
const INVESTMENT_VEHICLE_CODES: ReadonlySet<string> = new Set(['6189', '6722', '6726', '6770']);
/**
 * SIC codes of commodity dealers, royalty traders and investors. Some funds and trusts have these codes, too; they are
 * recognized by name.
 */
const MIXED_VEHICLE_CODES: ReadonlySet<string> = new Set(['6221', '6792', '6795', '6799']);
const VEHICLE_NAME_PATTERN = /\b(?:trust|fund|etf)s?\b/i;

type IndustryParameters = Pick<ParametersOf<'screen'>, 'industry' | 'sic' | 'peers_of'>;

/**
 * Returns the companies of the requested industry; null if the request has no industry. Blank-cheque companies, funds
 * and trusts are omitted unless their four-digit code is requested. The company in `peers_of` is always included.
 * @throws {ProblemError} 404 if the company or its industry is unknown, or if the screen of the release has no column
 * `sic`
 */
export async function findRowsOfIndustry(
  release: ReleaseReader,
  source: Pick<ReleaseReader, 'screen'>,
  { industry, sic, peers_of: peersOf }: IndustryParameters,
) {
  if (industry === undefined && sic === undefined && peersOf === undefined) return null;
  requireColumn(release, SCREEN, 'sic');
  const { security } = peersOf === undefined ? { security: null } : await findSecurity(release, peersOf);
  const peers = security !== null && industry === undefined && sic === undefined;
  const prefixes = peers ? [await requireIndustry(release, security)] : (sic ?? null);
  const table = await source.screen(['cik', 'ticker', 'entity_name', ...INDUSTRY_COLUMNS]);
  const codes = industry === undefined ? null : findCodes(table, splitNameIntoWords(industry));
  const inIndustry = (code: string): boolean =>
    (prefixes === null || prefixes.some((prefix) => code.startsWith(prefix))) && (codes === null || codes.has(code));
  const rows: number[] = [];
  let [omitted, unknown] = [0, 0];
  let ticker = security?.ticker ?? null;
  for (let row = 0; row < table.length; row += 1) {
    const code = table.columns.sic?.[row];
    if (table.columns.cik?.[row] === security?.cik) {
      ticker = String(table.columns.ticker?.[row]);
      rows.push(row);
      continue;
    }
    if (typeof code !== 'string') {
      unknown += 1;
      continue;
    }
    if (!inIndustry(code)) continue;
    const isCode = prefixes?.includes(code) === true;
    if (isCode || !isInvestmentVehicle(code, String(table.columns.entity_name?.[row]))) rows.push(row);
    else omitted += 1;
  }
  return {
    rows,
    /** Number of blank-cheque companies, funds and trusts that were omitted. */
    leftOutCount: omitted,
    /** Number of companies that were omitted because their SIC code is missing. */
    unknownCount: unknown,
    /** The primary ticker of the company in `peers_of`; null if the request has no `peers_of`. */
    ticker,
  };
}

async function requireIndustry(release: ReleaseReader, { cik, ticker }: { cik: number; ticker: string }) {
  const code = (await release.company(cik))?.sic ?? null;
  if (code !== null) return code;
  const detail = `The industry of ${quote(ticker)} is unknown: the release has no SIC code of the company.`;
  throw new ProblemError('not_found', detail);
}

/**
 * Returns the SIC codes whose description has all words. Some rows have a code without a description, so a code matches
 * if any of its rows does.
 */
const findCodes = ({ columns: { sic = [], industry = [] } }: ScreenTable, words: readonly string[]): Set<unknown> =>
  new Set(sic.filter((_, row) => nameHasWords(String(industry[row] ?? ''), words)));

const isInvestmentVehicle = (code: string, name: string): boolean =>
  INVESTMENT_VEHICLE_CODES.has(code) || (MIXED_VEHICLE_CODES.has(code) && VEHICLE_NAME_PATTERN.test(name));
