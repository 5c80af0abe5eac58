/**
 * The output of a comparison: a table for terminals, rows for CSV and JSON, charts, and notices about missing values.
 */
import { parseCurrency } from '../../contract/currency.ts';
import { findDefinition } from '../../contract/figures.ts';
import { MAX_DAYS_BETWEEN_ANNUAL_REPORTS } from '../../contract/max-ages.ts';
import type { Meta } from '../../contract/resources/envelope.ts';
import type { MetricValue } from '../../contract/resources/metrics.ts';
import { formatCount } from '../../contract/text/wording.ts';
import { countDaysBetween } from '../../platform/dates.ts';
import {
  type Block,
  type Cell,
  type Column,
  makeFigureCell,
  makeNoteBlock,
  makeTitleBlock,
  type TableRow,
} from '../../result/blocks.ts';
import type { BarChart } from '../../result/chart.ts';
import { findColumnLabel, findMeasure, UNCONFIRMED_MARK, UNCONFIRMED_NOTE } from '../../result/labels.ts';
import { makeNote, type Notice } from '../../result/notice.ts';
import { makeFieldColumns, makeTable, type Table } from '../../result/table.ts';
import { PARTIAL_FACTS_COLUMN } from '../reports/partial-facts.ts';
import {
  BASIS_BREAK_MARK,
  BASIS_BREAK_NOTE,
  findShownValue,
  hasLowConfidence,
  makeUndatedSplitNotices,
  PRESPLIT_NOTE,
  selectFiguresFiledBeforeSplit,
} from '../statements/blocks.ts';
import { type ComparedCompany, type Comparison, endsInFirstWeek } from './align.ts';

/** Maximum number of companies shown as columns; more companies are shown as rows. */
const MAX_COLUMNS = 4;

const PERIOD_NOUNS = { annual: 'Fiscal years', quarterly: 'Quarters', ttm: 'Twelve months' } as const;
const CALENDAR_NOUNS = { annual: 'calendar year', quarterly: 'calendar quarter', ttm: 'calendar quarter' } as const;

export function layOutComparison(comparison: Comparison): readonly Block[] {
  const { companies, keys, periods, currency, period } = comparison;
  if (periods.length === 0) return [];
  const [onlyKey] = keys.length === 1 ? keys : [];
  const [onlyPeriod] = periods.length === 1 ? periods : [];
  const metricPrefix = onlyKey === undefined ? '' : `${findMetricLabel(comparison, onlyKey)}, `;
  const periodText = onlyPeriod === undefined ? '' : ` that ended in ${onlyPeriod}`;
  const currencyText = currency === null ? '' : `, in ${currency}`;
  return [
    makeTitleBlock(
      `${metricPrefix}${metricPrefix === '' ? PERIOD_NOUNS[period] : PERIOD_NOUNS[period].toLowerCase()}${periodText}${currencyText}`,
    ),
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

interface TableLayout {
  readonly columns: readonly Column[];
  readonly rows: readonly TableRow[];
}

/** Layout with one column per company. Each row is a metric of one period, or a period of one metric. */
function layOutCompaniesAsColumns(comparison: Comparison): TableLayout {
  const { companies, keys, periods } = comparison;
  const markFormatter = makeMarkFormatter(comparison);
  const makeRowCells = (key: string, periodName: string): Cell[] =>
    companies.map((company) => markFormatter.cell(company, key, periodName));
  const hasSections = keys.length > 1 && periods.length > 1;
  return {
    columns: [
      { key: 'name', title: '', shrinkTo: 18 },
      ...companies.map(
        ({ ticker }, index): Column => ({
          key: ticker,
          title: ticker,
          align: 'right',
          ...(index < 2 ? {} : { drop: index }),
        }),
      ),
    ],
    rows: keys.flatMap((key): TableRow[] => [
      ...(hasSections ? [{ section: findMetricLabel(comparison, key) }] : []),
      ...periods.map((periodName) => [
        periods.length === 1 ? findMetricLabel(comparison, key) : periodName,
        ...makeRowCells(key, periodName),
      ]),
    ]),
  };
}

/**
 * Layout with one row per company: columns are the metrics of a single period, or periods in one section per metric.
 */
function layOutCompaniesAsRows(comparison: Comparison): TableLayout {
  const { companies, keys, periods } = comparison;
  const formatter = makeMarkFormatter(comparison);
  const hasMetricColumns = periods.length === 1;
  const columnHeads = hasMetricColumns
    ? keys.map((key) => ({ key, title: findMetricLabel(comparison, key) }))
    : periods.map((periodName) => ({ key: periodName, title: periodName }));
  const makeCompanyCells = (company: ComparedCompany, key: string | null): Cell[] => [
    { text: company.ticker, tone: 'strong' },
    ...columnHeads.map((columnHead) =>
      formatter.cell(company, key ?? columnHead.key, key === null ? (periods[0] ?? '') : columnHead.key),
    ),
  ];
  const sectionKeys: readonly (string | null)[] = hasMetricColumns ? [null] : keys;
  return {
    columns: [
      { key: 'ticker', title: 'Ticker' },
      ...columnHeads.map(
        (columnHead, index): Column => ({
          ...columnHead,
          align: 'right',
          wrapsTitle: hasMetricColumns,
          ...(index === 0 ? {} : { drop: index }),
        }),
      ),
    ],
    rows: sectionKeys.flatMap((key): TableRow[] => [
      ...(key !== null && keys.length > 1 ? [{ section: findMetricLabel(comparison, key) }] : []),
      ...companies.map((company) => makeCompanyCells(company, key)),
    ]),
  };
}

const [PRESPLIT_MARK, LOW_CONFIDENCE_MARK] = ['^', '~'];
const LEGEND = [
  [PRESPLIT_MARK, PRESPLIT_NOTE],
  [
    LOW_CONFIDENCE_MARK,
    'of low confidence: read or derived from an XBRL concept that is only similar to the metric (see fin lineage)',
  ],
  [BASIS_BREAK_MARK, BASIS_BREAK_NOTE],
  [UNCONFIRMED_MARK, UNCONFIRMED_NOTE],
] as const;

/**
 * Returns functions that format values with their marks, and with their currency if it is not the main currency. Marks
 * are padded to a common width, so that digits align.
 */
function makeMarkFormatter({ companies, keys, periods, currency, valueIn }: Comparison) {
  const presplitValues = new Set(companies.flatMap(({ values }) => [...selectFiguresFiledBeforeSplit(values)]));
  const formatMarks = (value: MetricValue): string => {
    const valueCurrency = parseCurrency(value.unit);
    const markText =
      (presplitValues.has(value) ? PRESPLIT_MARK : '') +
      (hasLowConfidence(value) ? LOW_CONFIDENCE_MARK : '') +
      (value.basis_break === true ? BASIS_BREAK_MARK : '') +
      (value.unconfirmed === undefined ? '' : UNCONFIRMED_MARK);
    return valueCurrency === null || valueCurrency === currency ? markText : `${markText} ${valueCurrency}`;
  };
  const hasMark = (value: MetricValue | null, mark: string): boolean =>
    value !== null && formatMarks(value).includes(mark);
  const comparedValues = companies.flatMap((company) =>
    keys.flatMap((key) => periods.map((periodName) => valueIn(company, key, periodName))),
  );
  const markWidth = Math.max(0, ...comparedValues.map((value) => (value === null ? 0 : formatMarks(value).length)));
  return {
    /** Returns the meanings of the marks that occur in this comparison. */
    notes: (): string[] =>
      LEGEND.flatMap(([mark, meaning]) => {
        const markedCompanies = companies.filter((company) =>
          keys.some((key) => periods.some((periodName) => hasMark(valueIn(company, key, periodName), mark))),
        );
        return markedCompanies.length === 0
          ? []
          : [`${markedCompanies.map(({ ticker }) => ticker).join(', ')}: some values are ${meaning}`];
      }),
    cell(company: ComparedCompany, key: string, periodName: string): Cell {
      const value = valueIn(company, key, periodName);
      if (value === null) return { figure: null, measure: 'money', mark: ' '.repeat(markWidth) };
      return {
        ...makeFigureCell(findShownValue(value), findMeasure(key, value.unit)),
        mark: formatMarks(value).padEnd(markWidth),
      };
    },
  };
}

function findMetricLabel({ companies }: Comparison, key: string): string {
  if (findDefinition(key) !== null) return findColumnLabel(key);
  const valueOfKey = companies.flatMap(({ values }) => values).find(({ metric_key: metricKey }) => metricKey === key);
  return valueOfKey?.metric_label ?? findColumnLabel(key);
}

const formatMonth = (day: string): string => new Date(day).toLocaleDateString('en', { month: 'long', timeZone: 'UTC' });

/** Returns a note that states in which calendar period a value is shown. */
function describeAlignment(comparison: Comparison): string {
  const { companies, keys, periods, period, valueIn } = comparison;
  const calendarNoun = CALENDAR_NOUNS[period];
  const hasEarlyEnd = periods.some((name) => {
    const fiscalPeriodEnds = companies.flatMap((company) =>
      keys.flatMap((key) => listEndDateUnlessCoverPage(valueIn(company, key, name))),
    );
    return fiscalPeriodEnds.some((end) => endsInFirstWeek(end, period));
  });
  const exceptionText = hasEarlyEnd
    ? `. A period that ends in the first week of a ${calendarNoun} counts for the ${calendarNoun} before`
    : '';
  return `Each value is shown in the ${calendarNoun} in which its fiscal period ends${exceptionText}${formatFiscalYearEnds(comparison)}.`;
}

/**
 * In a comparison of fiscal years, returns the months in which the companies' fiscal years end, if these months differ.
 * Otherwise returns an empty text.
 */
function formatFiscalYearEnds({ period, companies, keys, periods, valueIn }: Comparison): string {
  if (period !== 'annual') return '';
  const fiscalYearEnds = companies.flatMap((company) => {
    const [firstEnd] = periods.flatMap((periodName) =>
      keys.flatMap((key) => listEndDateUnlessCoverPage(valueIn(company, key, periodName))),
    );
    return firstEnd === undefined ? [] : [{ ticker: company.ticker, month: formatMonth(firstEnd) }];
  });
  if (new Set(fiscalYearEnds.map(({ month }) => month)).size < 2) return '';
  const months = [...new Set(fiscalYearEnds.map(({ month }) => month))];
  const monthTexts = months.map(
    (month) =>
      `${month} (${fiscalYearEnds
        .filter((end) => end.month === month)
        .map(({ ticker }) => ticker)
        .join(', ')})`,
  );
  return `. Fiscal years end in ${monthTexts.join(', ')}`;
}

const listEndDateUnlessCoverPage = (value: MetricValue | null): string[] =>
  value === null || value.statement === 'cover' ? [] : [value.end_date];

type ShownValue = MetricValue & { readonly calendar_period: string };

/** Returns a table with one row per value. */
export const makeComparisonTable = (
  { companies, keys, periods, valueIn }: Comparison,
  isSplitAdjusted: boolean,
): Table =>
  makeTable<ShownValue>({
    name: 'values',
    columns: [
      ...makeFieldColumns('metric_key', 'metric_label', 'calendar_period', 'ticker', 'cik', 'entity_name'),
      {
        key: 'value',
        align: 'right',
        value: findShownValue,
        cell: (row) => makeFigureCell(findShownValue(row), findMeasure(row.metric_key, row.unit)),
      },
      ...makeFieldColumns('unit', 'period_kind', 'fiscal_year', 'fiscal_period', 'start_date', 'end_date'),
      ...makeFieldColumns('value_kind', 'confidence'),
      { key: 'read_from_accession_number', value: ({ read_from: readFrom }) => readFrom?.accession_number ?? null },
      { key: 'read_from_form', value: ({ read_from: readFrom }) => readFrom?.form ?? null },
      { key: 'read_from_filed_at', value: ({ read_from: readFrom }) => readFrom?.filed_at ?? null },
      { key: 'metric_value_id' },
      { key: 'basis_break', value: (row) => row.basis_break === true },
      ...makeFieldColumns('unconfirmed'),
      ...(isSplitAdjusted ? makeFieldColumns('split_ratio') : []),
      PARTIAL_FACTS_COLUMN,
    ],
    records: () =>
      keys.flatMap((key) =>
        periods.flatMap((periodName) =>
          companies.flatMap((company) => {
            const value = valueIn(company, key, periodName);
            return value === null ? [] : [{ ...value, ticker: company.ticker, calendar_period: periodName }];
          }),
        ),
      ),
  });

/** Returns one chart per metric, with the companies side by side on one scale. */
export function makeComparisonCharts(comparison: Comparison) {
  const { companies, keys, periods, currency, valueIn } = comparison;
  const chartMarkFormatter = makeMarkFormatter(comparison);
  const draw = (): BarChart[] =>
    keys.map((key) => {
      const unit = companies.flatMap((company) =>
        periods.flatMap((periodName) => valueIn(company, key, periodName)?.unit ?? []),
      )[0];
      return {
        kind: 'bars',
        title: `${findMetricLabel(comparison, key)}${unit === undefined || unit === 'pure' ? '' : `, ${unit}`}`,
        periods: periods.toReversed(),
        series: companies.map((company) => ({
          label: company.ticker,
          // Omits amounts in other currencies, because different currencies cannot share a scale.
          values: periods.toReversed().map((periodName) => {
            const value = valueIn(company, key, periodName);
            return value === null || ![null, currency].includes(parseCurrency(value.unit))
              ? null
              : findShownValue(value);
          }),
        })),
        measure: findMeasure(key, unit ?? 'USD'),
        together: 'beside',
      };
    });
  const listNotes = (): string[] => [describeAlignment(comparison), ...chartMarkFormatter.notes()];
  return { draw, notes: listNotes };
}

/**
 * Returns notices about missing or outdated values, and about values in several currencies.
 * @param namelessCount number of rows that the service sent without a metric key
 */
export function makeComparisonNotices(
  { companies, keys, periods, currency, valueIn, period }: Comparison,
  { release, as_of: asOf }: Partial<Meta>,
  namelessCount: number,
): readonly Notice[] {
  const outdatedCompanyNotices = makeOutdatedCompanyNotices(companies, asOf ?? release?.date ?? null);
  if (periods.length === 0) {
    if (companies.length === 0) return [];
    if (namelessCount > 0) {
      const text = `${formatCount(namelessCount, 'row')} without a metric key cannot be compared.`;
      return [makeNote('nameless_rows', text, { rows: namelessCount }), ...outdatedCompanyNotices];
    }
    const text =
      period === 'ttm'
        ? 'The service has no trailing twelve months of these metrics, and fin does not compute them.'
        : `No company has ${period} values of these metrics.`;
    return [makeNote('values_missing', text, { keys }), ...outdatedCompanyNotices];
  }
  const hasValue = (company: ComparedCompany, key: string): boolean =>
    periods.some((periodName) => valueIn(company, key, periodName) !== null);
  const emptyCompanies = new Set(companies.filter((company) => !keys.some((key) => hasValue(company, key))));
  const companiesWithValues = companies.filter((company) => !emptyCompanies.has(company));
  const missingMetricTexts = keys.flatMap((key) => {
    const tickersWithoutKey = companiesWithValues
      .filter((company) => !hasValue(company, key))
      .map(({ ticker }) => ticker);
    if (tickersWithoutKey.length === 0) return [];
    return [
      `${key}${tickersWithoutKey.length === companiesWithValues.length ? '' : ` (${tickersWithoutKey.join(', ')})`}`,
    ];
  });
  const shownValues = companies.flatMap((company) =>
    keys.flatMap((key) => periods.flatMap((periodName) => valueIn(company, key, periodName) ?? [])),
  );
  const valuesInOtherCurrencies = shownValues.filter(({ unit }) => ![null, currency].includes(parseCurrency(unit)));
  const otherCurrencyTexts = [
    ...new Set(valuesInOtherCurrencies.map(({ ticker, unit }) => `${ticker ?? ''} in ${parseCurrency(unit) ?? unit}`)),
  ];
  const tickersWithoutValues = [...emptyCompanies].map(({ ticker }) => ticker);
  const periodsText = periods.length === 1 ? 'this period' : 'any of these periods';
  return [
    ...(otherCurrencyTexts.length === 0
      ? []
      : [
          makeNote(
            'other_currency',
            `Amounts in currencies other than ${currency} are not converted: ${otherCurrencyTexts.join(', ')}.`,
          ),
        ]),
    ...(emptyCompanies.size === 0
      ? []
      : [
          makeNote('no_values', `Companies without values in ${periodsText}: ${tickersWithoutValues.join(', ')}.`, {
            tickers: tickersWithoutValues,
          }),
        ]),
    ...(missingMetricTexts.length === 0
      ? []
      : [
          makeNote('values_missing', `Metrics without values in ${periodsText}: ${missingMetricTexts.join('; ')}.`, {
            values: missingMetricTexts,
          }),
        ]),
    ...makeUndatedSplitNotices(shownValues),
    ...outdatedCompanyNotices,
  ];
}

/** Returns a notice for each company with outdated figures, to explain why its newest periods are empty. */
function makeOutdatedCompanyNotices(
  companies: readonly ComparedCompany[],
  currentDate: string | null,
): readonly Notice[] {
  if (currentDate === null) return [];
  return companies.flatMap(({ ticker, values }) => {
    const endDates = values.flatMap(({ statement, end_date: end }) => (statement === 'cover' ? [] : [end]));
    const newestEnd = endDates.sort().at(-1);
    if (newestEnd === undefined || countDaysBetween(newestEnd, currentDate) <= MAX_DAYS_BETWEEN_ANNUAL_REPORTS)
      return [];
    return [
      makeNote('outdated', `${ticker}: the latest figures are for the period to ${newestEnd}.`, {
        ticker,
        newest: newestEnd,
      }),
    ];
  });
}
