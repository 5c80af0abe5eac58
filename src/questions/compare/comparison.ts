/**
 * The output of a comparison: a table for terminals, rows for CSV and JSON, charts, and notices about missing values.
 */

import { findDefinition } from '../../contract/figures.ts';
import { parseCurrency } from '../../contract/identifiers.ts';
import { MAX_DAYS_BETWEEN_ANNUAL_REPORTS } from '../../contract/max-ages.ts';
import type { Meta } from '../../contract/resources/envelope.ts';
import type { MetricValue } from '../../contract/resources/metrics.ts';
import { formatCount } from '../../contract/text/format-counts.ts';
import { getOnlyElement, groupBy } from '../../platform/collections.ts';
import { countDaysBetween } from '../../platform/dates.ts';
import type { BarChart, Block, Cell, Column, TableBlock, TableRow } from '../../result/blocks.ts';
import { makeFigureCell, makeNoteBlock, makeTitleBlock } from '../../result/blocks.ts';
import { findColumnLabel, findLatest, findMeasure, isChangeOfCovers, isUnitless } from '../../result/labels.ts';
import { makeNote, makeNoteIf, type Notice } from '../../result/notice.ts';
import { makeFieldColumns, makeNestedColumns, makeTable, type Table } from '../../result/table.ts';
import { PARTIAL_FACTS_COLUMN } from '../reports/report-notices.ts';
import { findPresplit, findTranslated } from '../statements/kinds-of-rows.ts';
import {
  describeShares,
  findShownValue,
  formatMarks,
  MARK_LEGEND,
  makeUndatedSplitNotices,
} from '../statements/statement-blocks.ts';
import { BASIS_BREAK_COLUMN, VALUE_COLUMN } from '../statements/statement-result.ts';
import type { ComparedCompany, Comparison } from './align.ts';

/** Maximum number of companies shown as columns; more companies are shown as rows. */
const MAX_COLUMNS = 4;

const PERIOD_NOUNS = { annual: 'Fiscal years', quarterly: 'Quarters', ttm: 'Twelve months' } as const;
const CALENDAR_NOUNS = { annual: 'calendar year', quarterly: 'calendar quarter', ttm: 'calendar quarter' } as const;

export function formatTitle(comparison: Comparison, asOf?: string): string | null {
  const { companies, keys, periods, currency, period } = comparison;
  if (periods.length === 0) return null;
  const key = getOnlyElement(keys);
  const only = getOnlyElement(periods);
  const noun = PERIOD_NOUNS[period];
  const subject = key === null ? noun : `${findMetricLabel(comparison, key)}, ${noun.toLowerCase()}`;
  const periodText = only === null ? '' : ` that mostly cover ${only}`;
  const currencyText = currency === null ? '' : `, in ${currency}`;
  const values = companies.flatMap((company) => listValues(comparison, company));
  return `${subject}${periodText}${currencyText}${describeShares(values, asOf)}`;
}

export function layOut(comparison: Comparison, asOf?: string): readonly Block[] {
  const { companies } = comparison;
  const title = formatTitle(comparison, asOf);
  if (title === null) return [];
  return [
    makeTitleBlock(title),
    {
      kind: 'table',
      columnNoun: companies.length > MAX_COLUMNS ? 'columns' : 'companies',
      keepsColumns: true,
      legend: LEGEND,
      ...(companies.length > MAX_COLUMNS ? layOutCompaniesAsRows(comparison) : layOutCompaniesAsColumns(comparison)),
    },
    makeNoteBlock(describeAlignment(comparison)),
  ];
}

/** Returns a layout with one column per company. Each row is a metric of one period, or a period of one metric. */
function layOutCompaniesAsColumns(data: Comparison): Pick<TableBlock, 'columns' | 'rows'> {
  const { companies, keys, periods } = data;
  const format = makeMarkFormatter(data);
  const makeCells = (key: string, period: string) => companies.map((company) => format.makeCell(company, key, period));
  const hasLabels = periods.length === 1;
  const hasSections = keys.length > 1 && periods.length > 1;
  const ends = periods.length === 1 ? mapPeriodEnds(data) : null;
  return {
    columns: [
      { key: 'name', title: '', shrinkTo: 18 },
      ...companies.map(({ ticker }, index): Column => {
        const subtitle = ends === null ? {} : { subtitle: ends.get(ticker) ?? '' };
        return { key: ticker, title: ticker, ...subtitle, align: 'right', ...(index < 2 ? {} : { drop: index }) };
      }),
    ],
    rows: keys.flatMap((key): TableRow[] => [
      ...(hasSections ? [{ section: findMetricLabel(data, key) }] : []),
      ...periods.map((name) => [hasLabels ? findMetricLabel(data, key) : name, ...makeCells(key, name)]),
    ]),
  };
}

/**
 * Returns a layout with one row per company. Columns are the metrics of a single period; for several periods, they are
 * the periods, with a section of rows for each metric.
 */
function layOutCompaniesAsRows(comparison: Comparison): Pick<TableBlock, 'columns' | 'rows'> {
  const { companies, keys, periods } = comparison;
  const formatter = makeMarkFormatter(comparison);
  const wraps = periods.length === 1;
  const ends = wraps ? mapPeriodEnds(comparison) : null;
  const heads = wraps
    ? keys.map((key) => ({ key, title: findMetricLabel(comparison, key) }))
    : periods.map((period) => ({ key: period, title: period }));
  const makeCells = (company: ComparedCompany, key: string | null): Cell[] => [
    { text: company.ticker, tone: 'strong' },
    ...heads.map((head) => formatter.makeCell(company, key ?? head.key, key === null ? (periods[0] ?? '') : head.key)),
    ...(ends === null ? [] : [ends.get(company.ticker) ?? null]),
  ];
  const sectionKeys: readonly (string | null)[] = wraps ? [null] : keys;
  return {
    columns: [
      { key: 'ticker', title: 'Ticker' },
      ...heads.map((head, index): Column => {
        return { ...head, align: 'right', wrapsTitle: wraps, ...(index === 0 ? {} : { drop: index }) };
      }),
      ...(ends === null ? [] : [{ key: 'period_end', title: 'Period end', wrapsTitle: true }]),
    ],
    rows: sectionKeys.flatMap((key): TableRow[] => [
      ...(key !== null && keys.length > 1 ? [{ section: findMetricLabel(comparison, key) }] : []),
      ...companies.map((company) => makeCells(company, key)),
    ]),
  };
}

const TRANSLATED_MARK = '≈';
const LEGEND = [
  [TRANSLATED_MARK, "the company's own translation from its reporting currency, at the rate of one day"],
  ...MARK_LEGEND,
] as const;

/**
 * Returns functions that format values with their marks, with their currency if it is not the main currency, and with
 * the date of a change between the cover pages of two reports. Marks are padded to a common width, so that digits align.
 */
function makeMarkFormatter(comparison: Comparison) {
  const { companies, currency, valueIn } = comparison;
  const presplit = new Set(companies.flatMap(({ values }) => [...findPresplit(values)]));
  const translated = new Set(companies.flatMap(({ values }) => findTranslated(values)));
  const format = (value: MetricValue): string => {
    const valueCurrency = parseCurrency(value.unit);
    const mark = (translated.has(value) ? TRANSLATED_MARK : '') + formatMarks(value, presplit);
    if (isChangeOfCovers(value.metric_key)) return `${mark} (${value.end_date})`;
    return valueCurrency === null || valueCurrency === currency ? mark : `${mark} ${valueCurrency}`;
  };
  const compared = companies.flatMap((company) => listValues(comparison, company));
  const findWidth = (isDated: boolean): number => {
    const values = compared.filter(({ metric_key: key }) => isChangeOfCovers(key) === isDated);
    return Math.max(0, ...values.map((value) => format(value).length));
  };
  const [datedWidth, otherWidth] = [findWidth(true), findWidth(false)];
  return {
    /** Returns the meanings of the marks that occur in this comparison. */
    listNotes: (): string[] =>
      LEGEND.flatMap(([mark, meaning]) => {
        const isMarked = (value: MetricValue): boolean => format(value).includes(mark);
        const marked = companies.filter((company) => listValues(comparison, company).some(isMarked));
        const tickers = marked.map(({ ticker }) => ticker).join(', ');
        return marked.length === 0 ? [] : [`Some values of ${tickers}: ${meaning}`];
      }),
    makeCell(company: ComparedCompany, key: string, period: string): Cell {
      const value = valueIn(company, key, period);
      const width = isChangeOfCovers(key) ? datedWidth : otherWidth;
      if (value === null) return { figure: null, measure: 'money', mark: ' '.repeat(width) };
      const cell = makeFigureCell(findShownValue(value), findMeasure(key, value.unit));
      return { ...cell, mark: format(value).padEnd(width) };
    },
  };
}

/** Returns a company's values of all compared metrics and periods. */
const listValues = ({ keys, periods, valueIn }: Comparison, company: ComparedCompany): MetricValue[] =>
  keys.flatMap((key) => periods.flatMap((period) => valueIn(company, key, period) ?? []));

function findMetricLabel({ companies }: Comparison, key: string): string {
  if (findDefinition(key) !== null) return findColumnLabel(key);
  const value = companies.flatMap(({ values }) => values).find(({ metric_key: metricKey }) => metricKey === key);
  return value?.metric_label ?? findColumnLabel(key);
}

const formatMonth = (day: string): string => new Date(day).toLocaleDateString('en', { month: 'long', timeZone: 'UTC' });

/** Returns a note that states in which calendar period a value is shown. */
const describeAlignment = (comparison: Comparison): string =>
  `Each value is shown in the ${CALENDAR_NOUNS[comparison.period]} that its fiscal period mostly covers${formatFiscalYearEnds(comparison)}.`;

/** Returns the end of each company's newest period by ticker; companies without values are missing. */
const mapPeriodEnds = ({ companies, keys, periods, valueIn }: Comparison): ReadonlyMap<string, string> =>
  new Map(
    companies.flatMap((company) => {
      const [end] = periods.flatMap((period) => keys.flatMap((key) => listEndDate(valueIn(company, key, period))));
      return end === undefined ? [] : [[company.ticker, end] as const];
    }),
  );

/**
 * In a comparison of fiscal years, returns the months in which the companies' fiscal years end, if these months differ.
 * Otherwise returns an empty text.
 */
function formatFiscalYearEnds(comparison: Comparison): string {
  if (comparison.period !== 'annual') return '';
  const byMonth = groupBy(mapPeriodEnds(comparison), ([, end]) => formatMonth(end));
  if (byMonth.size < 2) return '';
  const months = [...byMonth].map(([month, ends]) => `${month} (${ends.map(([ticker]) => ticker).join(', ')})`);
  return `. Fiscal years end in ${months.join(', ')}`;
}

const listEndDate = (value: MetricValue | null): string[] =>
  value === null || value.statement === 'cover' || isChangeOfCovers(value.metric_key) ? [] : [value.end_date];

type ShownValue = MetricValue & { readonly calendar_period: string };

/** Returns a table with one row per value. */
export const makeComparisonTable = ({ companies, keys, periods, valueIn }: Comparison, adjusts: boolean): Table =>
  makeTable<ShownValue>({
    name: 'values',
    columns: [
      ...makeFieldColumns('metric_key', 'metric_label', 'calendar_period', 'ticker', 'cik', 'entity_name'),
      VALUE_COLUMN,
      ...makeFieldColumns('unit', 'period_kind', 'fiscal_year', 'fiscal_period', 'start_date', 'end_date'),
      ...makeFieldColumns('value_kind', 'confidence'),
      ...makeNestedColumns('read_from', 'accession_number', 'form', 'filed_at'),
      { key: 'metric_value_id' },
      BASIS_BREAK_COLUMN,
      { key: 'unconfirmed' },
      ...(adjusts ? makeFieldColumns('split_ratio') : []),
      PARTIAL_FACTS_COLUMN,
    ],
    records: () =>
      keys.flatMap((key) =>
        periods.flatMap((period) =>
          companies.flatMap((company) => {
            const value = valueIn(company, key, period);
            return value === null ? [] : [{ ...value, ticker: company.ticker, calendar_period: period }];
          }),
        ),
      ),
  });

/** Returns the currency of an amount if it is not the currency of the comparison; otherwise null. */
function findOtherCurrency(value: MetricValue | null, mainCurrency: string | null): string | null {
  const currency = value === null ? null : parseCurrency(value.unit);
  return currency === mainCurrency ? null : currency;
}

/** Returns one chart per metric, with the companies side by side on one scale. */
export function makeCharts(comparison: Comparison) {
  const { companies, keys, periods, currency: mainCurrency, valueIn } = comparison;
  const formatter = makeMarkFormatter(comparison);
  const draw = (): BarChart[] =>
    keys.map((key) => {
      const [unit] = companies.flatMap((company) => periods.flatMap((name) => valueIn(company, key, name)?.unit ?? []));
      const title = `${findMetricLabel(comparison, key)}${unit === undefined || isUnitless(unit) ? '' : `, ${unit}`}`;
      const measure = findMeasure(key, unit ?? 'USD');
      const series = companies.map((company) => {
        const values = periods.toReversed().map((period) => valueIn(company, key, period));
        const currencies = new Set(values.flatMap((value) => findOtherCurrency(value, mainCurrency) ?? []));
        const translations = new Set(findTranslated(company.values));
        const mark = values.some((value) => value !== null && translations.has(value)) ? ` ${TRANSLATED_MARK}` : '';
        return {
          label: (currencies.size === 0 ? company.ticker : `${company.ticker} (${[...currencies].join(', ')})`) + mark,
          // Omits amounts in other currencies, because different currencies cannot share a scale.
          values: values.map((value) =>
            findOtherCurrency(value, mainCurrency) === null ? value && findShownValue(value) : null,
          ),
        };
      });
      // The companies are the categories of a single period, so that the chart fits any number of companies.
      if (periods.length > 1)
        return { kind: 'bars', title, measure, series, periods: periods.toReversed(), together: 'beside' };
      const names = series.map(({ label }) => label);
      const values = series.map(({ values: [value = null] }) => value);
      return { kind: 'bars', title, measure, periods: names, series: [{ label: '', values }] };
    });
  const omitted = companies.flatMap((company) => {
    const currencies = listValues(comparison, company).flatMap((value) => findOtherCurrency(value, mainCurrency) ?? []);
    return currencies.length === 0 ? [] : [`${company.ticker} (${[...new Set(currencies)].join(', ')})`];
  });
  const notes = (): string[] => [
    describeAlignment(comparison),
    ...(omitted.length === 0 ? [] : [`Amounts in another currency are not drawn: ${omitted.join(', ')}`]),
    ...formatter.listNotes(),
  ];
  return { draw, notes };
}

/**
 * Returns notices about missing or outdated values, and about values in several currencies.
 * @param nameless number of rows that the service sent without a metric key
 */
export function makeComparisonNotices(comparison: Comparison, meta: Partial<Meta>, nameless: number): Notice[] {
  const { release, as_of: asOf } = meta;
  const { companies, keys, periods, currency, valueIn, period } = comparison;
  const outdated = makeOutdatedCompanyNotices(companies, asOf ?? release?.date ?? null);
  if (periods.length === 0) {
    if (companies.length === 0) return [];
    if (nameless > 0) {
      const text = `${formatCount(nameless, 'row')} without a metric key cannot be compared.`;
      return [makeNote('nameless_rows', text, { rows: nameless }), ...outdated];
    }
    const ttmText = 'The service has no trailing twelve months of these metrics, and fin does not compute them.';
    const text = period === 'ttm' ? ttmText : `No company has ${period} values of these metrics.`;
    return [makeNote('values_missing', text, { keys }), ...outdated];
  }
  const hasValue = (company: ComparedCompany, key: string): boolean =>
    periods.some((period) => valueIn(company, key, period) !== null);
  const emptyCompanies = new Set(companies.filter((company) => !keys.some((key) => hasValue(company, key))));
  const filledCompanies = companies.filter((company) => !emptyCompanies.has(company));
  const missingKeys = keys.flatMap((key) => {
    const tickers = filledCompanies.filter((company) => !hasValue(company, key)).map(({ ticker }) => ticker);
    if (tickers.length === 0) return [];
    return [`${key}${tickers.length === filledCompanies.length ? '' : ` (${tickers.join(', ')})`}`];
  });
  const values = companies.flatMap((company) => listValues(comparison, company));
  const foreignValues = values.filter(({ unit }) => ![null, currency].includes(parseCurrency(unit)));
  const currencies = new Set(
    foreignValues.map(({ ticker, unit }) => `${ticker ?? ''} in ${parseCurrency(unit) ?? unit}`),
  );
  const emptyTickers = [...emptyCompanies].map(({ ticker }) => ticker);
  const periodsText = periods.length === 1 ? 'this period' : 'any of these periods';
  const currencyText = `Amounts in currencies other than ${currency} are not converted: ${[...currencies].join(', ')}.`;
  const emptyText = `Companies without values in ${periodsText}: ${emptyTickers.join(', ')}.`;
  const missingText = `Metrics without values in ${periodsText}: ${missingKeys.join('; ')}.`;
  return [
    ...makeNoteIf(currencies.size > 0, 'other_currency', currencyText),
    ...makeNoteIf(emptyTickers.length > 0, 'no_values', emptyText, { tickers: emptyTickers }),
    ...makeNoteIf(missingKeys.length > 0, 'values_missing', missingText, { values: missingKeys }),
    ...makeUndatedSplitNotices(values),
    ...outdated,
  ];
}

/** Returns a notice for each company with outdated figures, to explain why its newest periods are empty. */
function makeOutdatedCompanyNotices(companies: readonly ComparedCompany[], day: string | null): readonly Notice[] {
  if (day === null) return [];
  return companies.flatMap(({ ticker, values }) => {
    const newest = findLatest(values.flatMap(listEndDate));
    if (newest === null || countDaysBetween(newest, day) <= MAX_DAYS_BETWEEN_ANNUAL_REPORTS) return [];
    return [makeNote('outdated', `${ticker}: the latest figures are for the period to ${newest}.`, { ticker, newest })];
  });
}
