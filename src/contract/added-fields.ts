/**
 * Fields that fin's service adds to the responses that the specification of the HTTP API defines. The specification
 * permits additional fields. The OpenAPI document marks each of these fields.
 */
import { findDefinition } from './figures.ts';
import { ADDED_COLUMNS } from './screen-columns.ts';

const OTHER_LABELS: Readonly<Record<string, string>> = {
  sic: 'SIC code',
  industry: 'Description of the SIC code',
  currency: 'Currency in which the company reports its figures',
  shares_change_end_date: 'Date of the share count to which shares_change is computed',
};

const UNCONFIRMED_TEXT =
  'Relation between stated amounts that the value, or an amount that it is computed from, breaks, such as ' +
  '"assets = liabilities + equity"; missing for nearly all values. The value is as filed; which of the amounts is wrong is unknown';

const PARTIAL_FACTS_TEXT =
  "True if the release has only some of the company's facts, so that figures may be missing; absent for other companies";

const HOLDERS_SPLIT_RATIO_TEXT =
  'New shares per old share, if the shares were split between the two quarter ends; null if they may have been. Amounts are as filed';

/** Fields that fin adds to resources of the HTTP API, with descriptions. */
export const ADDED_FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  SecuritySearchHit: {
    last_report: 'Filing date of the last annual or interim report; only for a company that has no ticker today',
    brand:
      'Name of the segment or product that the query matches; only if the query matches no ticker or name of the company',
    approximate: 'True if nothing matches the query and the company has a similar name; absent for matches',
  },
  SecurityProfile: {
    last_report: 'Filing date of the last annual or interim report',
    gone: 'Whether the company has stopped reporting; null if unknown',
    sic: "Code of the company's industry (Standard Industrial Classification), as the SEC lists it unless industry_source is present",
    industry: 'Description of the industry code',
    industry_source: '"third_party" if the industry code is from a third party; absent if the SEC lists it',
    partial_facts: PARTIAL_FACTS_TEXT,
  },
  MetricValue: {
    partial_facts: PARTIAL_FACTS_TEXT,
    basis_break:
      'True if the value cannot be compared with the value of the previous period, because only one of the two was restated, ' +
      'or if the value of a year or of twelve months is not the sum of its quarters in the response',
    split_ratio:
      'With split_adjusted=true: ratio of the splits after the filing, as new shares per old share, by which the value was ' +
      'multiplied or divided. Null if it is unknown whether the filing came before a split; the value is then as filed',
    unconfirmed: UNCONFIRMED_TEXT,
  },
  RawConcept: {
    partial_facts: PARTIAL_FACTS_TEXT,
    facts:
      'If concept is given: the facts of that concept as filed, newest period first; facts of one period in filing order',
  },
  MetricLineage: {
    partial_facts: PARTIAL_FACTS_TEXT,
    fact_source:
      "Kind of source from which the fact was read, if the SEC's company facts lack the fact; data_set_inferred_dates: a " +
      'data set that rounds the dates of the period to months, so that its days are inferred and may be some days off',
    split_ratio:
      'With split_adjusted=true: the split_ratio of the metric value; metric_value is adjusted by this ratio, raw_value is as filed',
    unconfirmed: UNCONFIRMED_TEXT,
  },
  MetricRevision: {
    partial_facts: PARTIAL_FACTS_TEXT,
    adjustment_ratio:
      'With split_adjusted=true: ratio of the splits after the filing, as new shares per old share, by which the value was ' +
      'multiplied or divided. Null if it is unknown whether the filing came before a split; the value is then as filed',
    unconfirmed: UNCONFIRMED_TEXT,
  },
  ScreenRow: {
    last_report:
      'In a screen as of a past date: filing date of the last annual or interim report, which may be after that date',
    gone: 'In a screen as of a past date: whether the company has stopped reporting since that date; null if unknown',
    unconfirmed:
      'Names of the figures in the row that stand on stated amounts that disagree, separated by spaces; missing for most rows',
    ...Object.fromEntries(
      [...ADDED_COLUMNS].map((name) => [
        name,
        `${findDefinition(name)?.label ?? OTHER_LABELS[name] ?? name}; only if the parameter "columns" contains the name of this field`,
      ]),
    ),
  },
  SegmentPeriod: {
    basis:
      'Number of an earlier segment definition: 2 or more, higher for older definitions; missing for the newest. Only periods with the same segment definition can be compared',
  },
  Holder: {
    notice:
      "The manager's notice (13F-NT) for a quarter after the report: other managers report all of its positions of that quarter",
    reported_by:
      'Other managers that report some of the positions, so that this report lacks them; only for a combination report',
  },
  InsiderTransaction: {
    repeated: 'True if an earlier filing reports the same trade, which the totals count once; absent for other trades',
  },
  SegmentMember: {
    parent:
      'Member of which this member is a part; absent for members of the top level. Members with one parent add up to it, and ' +
      'members of the top level to the total. In a period in which the parent is null, this member counts toward the total itself',
    role:
      '"reconciling": eliminations, intersegment sales and other items that count although they belong to no member; "not_added": ' +
      'a member that overlaps with others, or may overlap, and does not count; absent for members that count',
  },
  HolderPosition: { split_ratio: HOLDERS_SPLIT_RATIO_TEXT },
  SecurityHolders: { split_ratio: HOLDERS_SPLIT_RATIO_TEXT },
  Prices: { undated_splits: 'Splits that filings prove but whose exact date is unknown' },
  Problem: {
    unknown_parameters:
      'With status 400: parameters of the request that the endpoint does not have; empty if the request is wrong for other reasons only',
  },
  Meta: {
    concept: 'Value of the parameter "concept", as given',
    search: 'Value of the parameter "search", as given',
    quarter: 'Value of the parameter "quarter", as given',
    no_longer_reporting:
      'In a screen as of a past date: number of companies that have stopped reporting since that date',
    industry_unknown: 'In a screen of an industry: number of companies left out because their industry is unknown',
    set_aside_by:
      'With set_aside_by=true: for each filtered figure, the number of companies that lack it; a company may be counted for several figures',
    missing_by:
      'With missing_by=true: for the figure of the sort and each shown figure, the number of companies of all pages that lack it',
    left_out: 'In a screen of an industry: number of blank-cheque companies, funds and trusts left out',
  },
};
