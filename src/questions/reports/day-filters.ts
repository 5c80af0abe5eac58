/** Options of `day` that fin applies itself: filters by form and item, and ranges of days. */
import type { ClientFilter } from '../../ask/command/command.ts';
import type { GivenOptions, OptionSpec } from '../../ask/command/option-spec.ts';
import { Failure } from '../../contract/failure.ts';
import type { FilingsDay } from '../../contract/resources/filings.ts';
import { joinTexts, option, say } from '../../contract/text/text.ts';
import { formatCount } from '../../contract/text/wording.ts';
import { makeNote } from '../../result/notice.ts';

export const DAY_FILTER_OPTIONS: readonly OptionSpec[] = [
  { name: 'forms', value: 'names', help: 'Show only filings of these forms, matched exactly' },
  { name: 'items', value: 'names', help: 'Show only 8-Ks that have all these item numbers' },
  {
    name: 'since',
    value: 'day',
    help: 'Show each day from this date on; a length of time such as 5d or 2w counts back from the last day',
  },
];

/** Whether an option selects only some filings of a day, or several days. */
export const hasDayFilterOptions = (options: GivenOptions): boolean =>
  DAY_FILTER_OPTIONS.some(({ name }) => options.has(name));

/** Tables of `--rows` to which the filters by form and item do not apply. */
export const UNFILTERED_TABLES: readonly string[] = ['forms', 'days', 'trades', 'summary'];

/** Throws a usage Failure if `--rows` selects a table that the filters by form and item leave unchanged. */
export function refuseUnfilteredRows(options: GivenOptions): void {
  const tableName = options.get('rows')?.at(-1);
  const filterOptionName = ['forms', 'items'].find((name) => readListOption(options, name).length > 0);
  if (tableName === undefined || !UNFILTERED_TABLES.includes(tableName) || filterOptionName === undefined) return;
  const [rowsOption, filterOption] = [option('rows', tableName), option(filterOptionName)];
  const text = say`${rowsOption} covers all filings, including those that ${filterOption} leaves out.`;
  throw new Failure('usage', text, { hint: say`Remove ${filterOption} or ${option('rows')}.` });
}

/**
 * Returns the filter by form and item; null if neither option is given. The filter removes rows from lists, but leaves
 * the service's counts unchanged.
 */
export function makeDayFilter(options: GivenOptions): ClientFilter<FilingsDay> | null {
  const [forms, itemNumbers] = [readListOption(options, 'forms'), readListOption(options, 'items')];
  if (forms.length + itemNumbers.length === 0) return null;
  const filterText = joinTexts(
    [
      ...(forms.length > 0 ? [option('forms', forms.join(','))] : []),
      ...(itemNumbers.length > 0 ? [option('items', itemNumbers.join(','))] : []),
    ],
    ' and ',
  );
  const isSelected = ({
    form,
    items: ownItems = [],
  }: {
    readonly form: string;
    readonly items?: readonly string[];
  }): boolean =>
    (forms.length === 0 || forms.includes(form.toUpperCase())) && itemNumbers.every((item) => ownItems.includes(item));
  return {
    apply: (data) => ({ ...data, lines: data.lines.filter(isSelected), reports: data.reports.filter(isSelected) }),
    notices: (dayBefore, dayAfter) => {
      const unlistedForms = dayBefore.forms.filter(
        ({ form }) => forms.includes(form.toUpperCase()) && !isListed(dayBefore, form),
      );
      const formCountText = unlistedForms.map(({ form, filings }) => `${form} (${filings})`).join(', ');
      const [keptCount, allCount] = [countListed(dayAfter), countListed(dayBefore)];
      return [
        makeNote(
          'narrowed',
          say`Filtered by ${filterText}: kept ${keptCount} of ${formatCount(allCount, 'listed filing')}.`,
          {
            kept: keptCount,
            all: allCount,
          },
        ),
        ...(formCountText === ''
          ? []
          : [
              makeNote(
                'unlisted_forms',
                `The service counts filings of these forms but does not list them: ${formCountText}.`,
                { forms: unlistedForms },
              ),
            ]),
      ];
    },
  };
}

const readListOption = (options: GivenOptions, optionName: string): string[] =>
  (options.get(optionName) ?? [])
    .flatMap((text) => text.split(',').map((item) => item.trim().toUpperCase()))
    .filter((item) => item !== '');

const countListed = ({ lines, reports }: FilingsDay): number => lines.length + reports.length;

const isListed = ({ lines, reports }: FilingsDay, form: string): boolean =>
  [...lines, ...reports].some((filing) => filing.form === form);
