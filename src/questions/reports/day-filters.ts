/** Options of `day` that fin applies itself: filters by form and item, and ranges of days. */
import type { ClientFilter } from '../../ask/command/command.ts';
import type { GivenOptions, OptionSpec } from '../../ask/command/option-spec.ts';
import { failUsage } from '../../contract/failure.ts';
import { FORMS_LISTED_IF_NAMED } from '../../contract/parameters.ts';
import type { RawParameters } from '../../contract/question.ts';
import type { FilingsDay, FilingsDayTrade } from '../../contract/resources/filings.ts';
import { formatCount } from '../../contract/text/format-counts.ts';
import { joinTexts, option, say } from '../../contract/text/text.ts';
import { makeNote, makeNoteIf } from '../../result/notice.ts';
import { COMPANY_LIST_OPTIONS, makeNamedCompaniesFilter } from '../screens/company-filters.ts';

export const DAY_OPTIONS: readonly OptionSpec[] = [
  {
    name: 'forms',
    value: 'names',
    help: 'Show only filings of these forms, matched exactly, such as 8-K, S-1 or SCHEDULE 13D',
  },
  { name: 'items', value: 'names', help: 'Show only 8-Ks that have all these item numbers' },
  {
    name: 'since',
    value: 'day',
    help: 'Show each day from this date on; a length of time such as 5d or 2w counts back from the last day',
  },
  ...COMPANY_LIST_OPTIONS,
];

export const FORM_OPTIONS: readonly string[] = ['forms', 'items'];

/** Whether an option selects only some filings of a day, or several days. */
export const hasDayFilter = (options: GivenOptions): boolean =>
  options.has('new') || DAY_OPTIONS.some(({ name }) => options.has(name));

/** Tables of `--rows` to which the filters by form and item do not apply; only trades are filtered by company. */
export const UNFILTERED_TABLES: readonly string[] = ['forms', 'days', 'trades', 'summary'];

/** Throws a usage Failure if `--rows` selects a table that the filters leave unchanged. */
export function refuseRows(options: GivenOptions): void {
  const table = options.get('rows')?.at(-1);
  const filters =
    table === 'trades' ? FORM_OPTIONS : [...FORM_OPTIONS, ...COMPANY_LIST_OPTIONS.map(({ name }) => name)];
  const filter = filters.find((name) => readListOption(options, name).length > 0);
  if (table === undefined || !UNFILTERED_TABLES.includes(table) || filter === undefined) return;
  const [rowsOption, filterOption] = [option('rows', table), option(filter)];
  const text = say`${rowsOption} covers all filings, including those that ${filterOption} leaves out.`;
  failUsage(text, say`Remove ${filterOption} or ${option('rows')}.`);
}

/**
 * Returns the filter by form, item and company; null without these options. The filter removes rows from lists, but
 * leaves the service's counts unchanged.
 */
export function makeDayFilter(options: GivenOptions): ClientFilter<FilingsDay> | null {
  const [forms, numbers] = [readListOption(options, 'forms'), readListOption(options, 'items')];
  const companies = makeNamedCompaniesFilter(options);
  if (forms.length + numbers.length === 0 && companies === null) return null;
  const filter = joinTexts(
    [
      ...(forms.length > 0 ? [option('forms', forms.join(','))] : []),
      ...(numbers.length > 0 ? [option('items', numbers.join(','))] : []),
      ...COMPANY_LIST_OPTIONS.flatMap(({ name }) => (options.has(name) ? [option(name)] : [])),
    ],
    ' and ',
  );
  const isOfCompany = ({ cik, ticker }: Pick<FilingsDayTrade, 'cik' | 'ticker'>): boolean =>
    companies === null || companies.isListed({ cik, ticker: ticker ?? '' });
  const isSelected = (filing: (FilingsDay['lines'] | FilingsDay['reports'])[number]): boolean => {
    const own = 'items' in filing ? filing.items : [];
    const hasForm = forms.length === 0 || forms.includes(filing.form.toUpperCase());
    return hasForm && numbers.every((item) => own.includes(item)) && isOfCompany(filing);
  };
  return {
    apply: (data) => ({
      ...data,
      lines: data.lines.filter(isSelected),
      reports: data.reports.filter(isSelected),
      insiders: { ...data.insiders, largest: data.insiders.largest.filter(isOfCompany) },
    }),
    notices: (before, after) => {
      const unlisted = before.forms.filter(({ form }) => forms.includes(form.toUpperCase()) && !isListed(before, form));
      const counts = unlisted.map(({ form, filings }) => `${form} (${filings})`).join(', ');
      const [kept, all] = [countListed(after), countListed(before)];
      // A service that was asked for forms lists no others, so that a total of the listed filings would say nothing.
      const ofAll = forms.some(isListedIfNamed) ? '' : ` of ${formatCount(all, 'listed filing')}`;
      const text = say`Filtered by ${filter}: kept ${kept}${ofAll}.`;
      // The counts by form are of all companies.
      const others = before.forms.filter(
        ({ form }) =>
          companies === null &&
          !forms.includes(form.toUpperCase()) &&
          forms.some((named) => getFormName(named) === getFormName(form)) &&
          (isListedIfNamed(form) || isListed(before, form)),
      );
      const othersText = say`Forms are matched exactly. Not shown: ${others.map(({ form, filings }) => `${form} (${filings})`).join(', ')}.`;
      const unlistedText = `The service counts filings of these forms but does not list them: ${counts}.`;
      return [
        makeNote('narrowed', text, { kept, all }),
        ...makeNoteIf(others.length > 0, 'other_forms', othersText, { forms: others }),
        ...makeNoteIf(unlisted.length > 0, 'unlisted_forms', unlistedText, { forms: unlisted }),
      ];
    },
  };
}

/** Adds the parameter `forms` if the option names a form that a service lists only by that parameter. */
export function withNamedForms(parameters: RawParameters, options: GivenOptions): RawParameters {
  const forms = readListOption(options, 'forms');
  return forms.some(isListedIfNamed) ? [...parameters, ['forms', forms.join(',')]] : parameters;
}

const isListedIfNamed = (form: string): boolean => FORMS_LISTED_IF_NAMED.has(form.toUpperCase());

/** Returns what a form shares with its amendments and earlier names: since December 2024, SC 13D is SCHEDULE 13D. */
const getFormName = (form: string): string => form.toUpperCase().replace(/^SC(?:HEDULE)? |\/A$/g, '');

const readListOption = (options: GivenOptions, name: string): string[] =>
  (options.get(name) ?? [])
    .flatMap((text) => text.split(',').map((item) => item.trim().toUpperCase()))
    .filter((item) => item !== '');

const countListed = ({ lines, reports }: FilingsDay): number => lines.length + reports.length;

const isListed = ({ lines, reports }: FilingsDay, form: string): boolean =>
  [...lines, ...reports].some((filing) => filing.form === form);
