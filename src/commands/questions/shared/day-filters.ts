/** What `day` shows by options of its own: the filings of some forms or items, on one day or several. */
import type { FilingsDay } from '../../../contract/resources/filings.ts';
import { count } from '../../../output/wording.ts';
import type { Narrowing } from '../../command.ts';
import type { GivenOptions, OptionSpec } from '../../command-line/option-spec.ts';

export const DAY_OPTIONS: readonly OptionSpec[] = [
  { name: 'forms', value: 'names', help: 'Show only these forms, matched exactly' },
  { name: 'items', value: 'names', help: 'Show only 8-Ks that have all these item numbers' },
  { name: 'since', value: 'day', help: 'Show every day from this one on, or of so long before the last: 5d, 2w' },
];

/** Whether more or less is shown than one whole day. */
export const showsParts = (options: GivenOptions): boolean => DAY_OPTIONS.some(({ name }) => options.has(name));

/** Null without these options. What the day counts stays as the service counted it; only its lists are narrowed. */
export function narrowDay(options: GivenOptions): Narrowing<FilingsDay> | null {
  const [forms, items] = [listOf(options, 'forms'), listOf(options, 'items')];
  if (forms.length + items.length === 0) return null;
  const by = [
    ...(forms.length > 0 ? [`--forms ${forms.join(',')}`] : []),
    ...(items.length > 0 ? [`--items ${items.join(',')}`] : []),
  ];
  const isOf = ({ form, items: own = [] }: { readonly form: string; readonly items?: readonly string[] }): boolean =>
    (forms.length === 0 || forms.includes(form.toUpperCase())) && items.every((item) => own.includes(item));
  return {
    apply: (data) => ({ ...data, lines: data.lines.filter(isOf), reports: data.reports.filter(isOf) }),
    notice: (before, after) => {
      const unlisted = before.forms.filter(({ form }) => forms.includes(form.toUpperCase()) && !isListed(before, form));
      const counted = unlisted.map(({ form, filings }) => `${form} (${filings})`).join(', ');
      return [
        `${sizeOf(after)} of ${count(sizeOf(before), 'listed filing')} kept here by ${by.join(' and ')}.`,
        ...(counted === '' ? [] : [`Counted, but not listed by the service: ${counted}.`]),
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

/** Several days, newest first, as one: lists and counts of all, the rest of the first. */
export function joinDays(days: readonly [FilingsDay, ...FilingsDay[]]): FilingsDay {
  const [first] = days;
  const total = (of: (day: FilingsDay) => number): number => days.reduce((sum, day) => sum + of(day), 0);
  const forms = new Map<string, number>();
  for (const day of days) for (const { form, filings } of day.forms) forms.set(form, (forms.get(form) ?? 0) + filings);
  return {
    ...first,
    filings: total(({ filings }) => filings),
    lines: days.flatMap(({ lines }) => lines),
    lines_total: total(({ lines_total: all }) => all),
    // Its own list of reports does not say the day.
    reports: days.flatMap(({ date, reports }) => reports.map((report) => ({ filed_at: date, ...report }))),
    forms: [...forms].map(([form, filings]) => ({ form, filings })).sort((a, b) => b.filings - a.filings),
    days: days.map(({ date, filings }) => ({ date, filings })).reverse(),
  };
}
