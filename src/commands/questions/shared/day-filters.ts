/** Options of `day` that fin applies itself: filings of some forms or items, on one day or several. */
import type { Narrowing } from '../../../ask/command.ts';
import type { GivenOptions, OptionSpec } from '../../../ask/option-spec.ts';
import type { FilingsDay } from '../../../contract/resources/filings.ts';
import { joinTexts, option, say } from '../../../contract/text/text.ts';
import { noteOf } from '../../../result/notice.ts';
import { count } from '../../../result/wording.ts';

export const DAY_OPTIONS: readonly OptionSpec[] = [
  { name: 'forms', value: 'names', help: 'Show only filings of these forms, matched exactly' },
  { name: 'items', value: 'names', help: 'Show only 8-Ks that have all these item numbers' },
  {
    name: 'since',
    value: 'day',
    help: 'Show each day from this date on, or from this long before the last day: 5d, 2w',
  },
];

/** Whether the options select something other than one whole day. */
export const showsParts = (options: GivenOptions): boolean => DAY_OPTIONS.some(({ name }) => options.has(name));

/** Null without these options. Only the lists are narrowed; counts remain those of the service. */
export function narrowDay(options: GivenOptions): Narrowing<FilingsDay> | null {
  const [forms, items] = [listOf(options, 'forms'), listOf(options, 'items')];
  if (forms.length + items.length === 0) return null;
  const by = joinTexts(
    [
      ...(forms.length > 0 ? [option('forms', forms.join(','))] : []),
      ...(items.length > 0 ? [option('items', items.join(','))] : []),
    ],
    ' and ',
  );
  const isOf = ({ form, items: own = [] }: { readonly form: string; readonly items?: readonly string[] }): boolean =>
    (forms.length === 0 || forms.includes(form.toUpperCase())) && items.every((item) => own.includes(item));
  return {
    apply: (data) => ({ ...data, lines: data.lines.filter(isOf), reports: data.reports.filter(isOf) }),
    notices: (before, after) => {
      const unlisted = before.forms.filter(({ form }) => forms.includes(form.toUpperCase()) && !isListed(before, form));
      const counted = unlisted.map(({ form, filings }) => `${form} (${filings})`).join(', ');
      const [kept, all] = [sizeOf(after), sizeOf(before)];
      return [
        noteOf('narrowed', say`${kept} of ${count(all, 'listed filing')} shown, filtered by ${by}.`, { kept, all }),
        ...(counted === ''
          ? []
          : [
              noteOf(
                'unlisted_forms',
                `The service counts filings of these forms but does not list them: ${counted}.`,
                { forms: unlisted },
              ),
            ]),
      ];
    },
  };
}

const listOf = (options: GivenOptions, name: string): string[] =>
  (options.get(name) ?? [])
    .flatMap((text) => text.split(',').map((item) => item.trim().toUpperCase()))
    .filter((item) => item !== '');

const sizeOf = ({ lines, reports }: FilingsDay): number => lines.length + reports.length;

const isListed = ({ lines, reports }: FilingsDay, form: string): boolean =>
  [...lines, ...reports].some((filing) => filing.form === form);
