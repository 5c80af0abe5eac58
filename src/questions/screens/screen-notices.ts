/** Notices about screens: which companies or figures are omitted or missing, and why. */
import type { ResultContext } from '../../ask/command/command.ts';
import { listFilteredFigures } from '../../ask/values/screen-filters.ts';
import { listOperands } from '../../contract/figures.ts';
import type { Meta } from '../../contract/resources/envelope.ts';
import { SCREEN_FIGURES } from '../../contract/screen-columns.ts';
import type { ScreenRow } from '../../contract/screen-row.ts';
import { formatCount } from '../../contract/text/format-counts.ts';
import { call, say } from '../../contract/text/text.ts';
import { makeNote, makeWarning, type Notice } from '../../result/notice.ts';
import { makeMissingNotices, makePriceNotices } from './missing-figures.ts';
import { makeOldRowsNotices } from './row-age.ts';
import type { ScreenAnswer } from './screen-table.ts';

export async function makeScreenNotices(answer: ScreenAnswer, context: ResultContext): Promise<readonly Notice[]> {
  const { items, meta } = answer;
  const { inProcess } = context;
  return [
    ...makeIndustryNotices(meta, context),
    ...makeNotOperatingNotices(meta),
    ...(inProcess && (meta.set_aside ?? 0) > 0 ? makeDollarNotices(meta) : []),
    ...makeGoneNotices(meta),
    ...(meta.as_of === undefined ? makeOldRowsNotices(items(), meta) : []),
    ...(inProcess ? makeOtherCurrencyNotices(items()) : []),
    ...makeMissingNotices(answer, context),
    ...(await makePriceNotices(answer, context)),
  ];
}

/** Warns that a screen of one industry omits companies whose industry is unknown. */
function makeIndustryNotices(
  { industry_unknown: unknown = 0 }: Partial<Meta>,
  { inProcess }: Pick<ResultContext, 'inProcess'>,
): readonly Notice[] {
  if (unknown === 0) return [];
  const hint = inProcess
    ? say` The codes are in the lists of filings. To add them: ${call('data fetch', { bulk: true })}, then ${call('data build')}`
    : '';
  const text = say`${formatCount(unknown, 'company is', 'companies are')} left out, because the industry code is missing.${hint}`;
  return [makeWarning('industry_unknown', text, { count: unknown })];
}

function makeNotOperatingNotices({ left_out: omitted = 0 }: Partial<Meta>): readonly Notice[] {
  if (omitted === 0) return [];
  const text = `${formatCount(omitted, 'blank-cheque company, fund or trust of the industry is', 'blank-cheque companies, funds and trusts of the industry are')} left out.`;
  return [makeNote('not_operating', text, { count: omitted })];
}

/** Reports how many companies of a screen as of a past date no longer report. */
function makeGoneNotices({ as_of: day, universe, no_longer_reporting: gone }: Partial<Meta>): readonly Notice[] {
  if (day === undefined || universe === undefined || gone === undefined) return [];
  if (gone === 0) return [];
  const text = `Of the ${formatCount(universe, 'company', 'companies')} screened as of ${day}, ${gone} ${gone === 1 ? 'has' : 'have'} stopped reporting since.`;
  return [makeNote('no_longer_reporting', text, { gone, universe })];
}

const AMOUNT_COLUMNS: ReadonlySet<string> = new Set(
  SCREEN_FIGURES.filter(({ measure }) => measure === 'money' || measure === 'per_share').map(({ key }) => key),
);

/** Reports that filters on amounts leave out companies that report only in a currency other than US dollars. */
function makeDollarNotices({ where = [] }: Partial<Meta>): readonly Notice[] {
  if (!listFilteredFigures(where).some((key) => AMOUNT_COLUMNS.has(key))) return [];
  const text =
    'The filters compare amounts in US dollars: companies that report only in other currencies are left out.';
  return [makeNote('dollars_only', text)];
}

/** Ratios and growth rates, with the keys of the amounts from which they are computed. */
const FIGURES_DERIVED_FROM_AMOUNTS = SCREEN_FIGURES.flatMap(({ key, ...otherFields }) => {
  const formula = 'formula' in otherFields ? otherFields.formula : undefined;
  if (formula?.kind !== 'ratio' && formula?.kind !== 'growth') return [];
  return [{ key, amounts: listOperands(formula).filter((operand) => AMOUNT_COLUMNS.has(operand)) }];
});

/** Reports companies that have a ratio but not its amounts, because they report in another currency. */
function makeOtherCurrencyNotices(rows: Iterable<ScreenRow>): readonly Notice[] {
  const tickers: string[] = [];
  for (const row of rows) if (reportsOtherCurrency(row)) tickers.push(row.ticker);
  if (tickers.length === 0) return [];
  const more = tickers.length > MAX_NAMED_TICKERS ? ` and ${tickers.length - MAX_NAMED_TICKERS} more` : '';
  const tickersText = tickers.slice(0, MAX_NAMED_TICKERS).join(', ') + more;
  const text = say`Amounts are in US dollars, and are empty for companies that report only in another currency: ${tickersText}. See: ${call('metrics', { ticker: '<ticker>' })}`;
  return [makeNote('other_currency', text, { tickers })];
}

const MAX_NAMED_TICKERS = 6;

const reportsOtherCurrency = (row: ScreenRow): boolean =>
  FIGURES_DERIVED_FROM_AMOUNTS.some(
    ({ key, amounts }) => row[key] != null && amounts.some((operand) => row[operand] === null),
  );
