/**
 * Words for data that fin does not have, because filings do not tag it: each with the closest figures, and the place
 * where it can be read.
 */
import { normalizeWord } from './synonyms.ts';

interface AbsentSubject {
  /** Words, separated by spaces. */
  readonly words: string;
  /** Sentences that tell which data is missing, and where it can be read. */
  readonly text: string;
  /** Keys of the closest figures. */
  readonly closest?: readonly string[];
}

const ABSENT_SUBJECTS: readonly AbsentSubject[] = [
  {
    words: 'guidance outlook forecast forecasts',
    text: "Companies' guidance is text, not a tagged figure: read it in their earnings announcements (8-K, item 2.02).",
  },
  {
    words: 'estimates consensus analysts analyst_estimates price_target recommendations credit_rating',
    text: 'Estimates and ratings of analysts are not filed with the SEC, so fin does not have them.',
  },
  {
    words: 'news headlines press_releases press_release',
    text: 'fin has filings, not news. Companies announce events in 8-Ks; the press release is usually exhibit 99.1.',
  },
  {
    words: 'transcripts transcript earnings_calls earnings_call calls',
    text:
      'Transcripts of calls are not filed with the SEC: read them on the website of the company. The announcement of the ' +
      'results is an 8-K with item 2.02.',
  },
  {
    words: 'employees employee_count number_of_employees headcount workforce',
    text: 'The number of employees is text, not a tagged figure: read it in item 1 of the 10-K, "Human capital".',
  },
  {
    words: 'cet1 tier1 tier1_ratio tier_1_ratio tier1_capital capital_ratio rwa',
    text:
      'The only figure of regulatory capital that fin has is the CET1 ratio, if banks tag it for the whole company. Read ' +
      "other figures in the note on regulatory capital of the 10-K, or in a bank's call report at ffiec.gov.",
    closest: ['cet1_ratio', 'stockholders_equity', 'loans_to_deposits'],
  },
  {
    words: 'ffo affo core_ffo funds_from_operations noi nav cap_rate',
    text:
      'FFO and other measures of REITs are not defined by US GAAP and not tagged: read them, with their reconciliation, in ' +
      'the earnings announcement (8-K, item 2.02).',
    closest: ['net_income', 'depreciation_and_amortization', 'operating_cash_flow'],
  },
  {
    words: 'adjusted_ebitda adjusted_eps adjusted_net_income adjusted_earnings non_gaap_eps core_earnings',
    text:
      "Companies' adjusted figures are not tagged: read them, with their reconciliation, in the earnings announcement " +
      '(8-K, item 2.02).',
    closest: ['ebitda', 'eps_diluted', 'net_income'],
  },
  {
    words:
      'arr mrr nrr churn arpu subscribers users mau dau gmv bookings occupancy same_store_sales ' +
      'comparable_sales comps deliveries production kpi kpis',
    text:
      'Operating figures, such as subscribers or comparable sales, are text: read them in item 7 of the 10-K, or in the ' +
      'earnings announcement (8-K, item 2.02).',
    closest: ['revenue', 'revenue_yoy', 'deferred_revenue'],
  },
  {
    words: 'short_interest beta volatility implied_volatility option_chain',
    text: 'The only market data that fin has are daily prices: read other market data at an exchange or a data vendor.',
  },
  {
    words: 'executive_compensation compensation ceo_pay directors board',
    text: 'Pay and directors are described in the proxy statement (DEF 14A), as text. fin has the trades of insiders.',
  },
  {
    words: 'esg emissions sustainability',
    text: 'Sustainability reports are not filed with the SEC: read them on the website of the company.',
  },
];

/**
 * Returns sentences about a word for something that fin does not have; null for any other word.
 * @param names names that would be valid instead of the word
 */
export function explainAbsence(word: string, names: readonly string[]): string | null {
  const normalized = normalizeWord(word);
  const subject = ABSENT_SUBJECTS.find(({ words }) => words.split(' ').includes(normalized));
  if (subject === undefined) return null;
  const closest = (subject.closest ?? []).filter((name) => names.includes(name));
  return subject.text + (closest.length === 0 ? '' : ` Closest: ${closest.join(', ')}.`);
}
