import { findOptionText, STAMP_ARGUMENT, type UtilityCommand } from '../commands/command-line/utility.ts';
import { compareText } from '../contract/compare-text.ts';
import { EXIT_CODES } from '../contract/failure.ts';
import { formatCount } from '../contract/text/format-counts.ts';
import { groupBy } from '../platform/collections.ts';
import { requireDirectory } from '../platform/files/directories.ts';
import type { Block } from '../result/blocks.ts';
import { alignRight, makeNoteBlock, makeRecordTable, makeTitleBlock, makeWorstTable } from '../result/blocks.ts';
import { pickFields } from '../result/rows.ts';
import type { CheckedIdentity, ComparedRow, FigureComparison, ReleaseCheck } from './check-release.ts';

const IDENTITY_COLUMNS = ['identity', 'kind', 'checked', 'broken', 'marked', 'result', 'worst'] as const;

const dataCheckCommand: UtilityCommand = {
  local: true,
  help:
    'Checks that the figures of every company agree: totals with their parts, quarters with their years, ratios with their formulas. ' +
    'Some filings contradict themselves: then every answer marks the figures as unconfirmed. A check fails if a figure lacks the mark, or ' +
    "if fin's own figures do not agree. Also compares the files of typed tables with their hashes. With --against, the figures of a CSV " +
    'file are compared with the release instead. The exit code is 9 if a check fails, a file is damaged, or a figure is different.',
  args: [STAMP_ARGUMENT],
  options: [
    {
      name: 'against',
      value: 'file',
      help: 'Compare with a CSV file: columns ticker, metric, period and value, optionally period_end, unit and as_of',
    },
  ],
  examples: {
    'data check': 'for each check, the numbers of all cases and of failed cases, with the largest differences',
    'data check --csv': 'the results as rows, one for each check',
    'data check --against figures.csv': 'figures that are equal, different or absent, largest differences first',
  },
  run: async (call) => {
    const { args, io } = call;
    const [stamp = null] = args;
    const directory = requireDirectory('data', io.env);
    const file = findOptionText(call, 'against');
    if (file !== null) {
      const { checkAgainstFile } = await import('./check-release.ts');
      const onProgress = (done: number, total: number) => io.progress(`Comparing figures: ${done} of ${total}`);
      const comparison = await checkAgainstFile(directory, stamp, file, onProgress);
      const differs = comparison.rows.some(({ result }) => result === 'different');
      return {
        json: comparison,
        rows: pickFields(COMPARISON_COLUMNS, comparison.rows.map(makeComparisonRow)),
        view: makeComparisonView(comparison),
        ...(differs ? { exitCode: EXIT_CODES.data } : {}),
      };
    }
    const { checkRelease } = await import('./check-release.ts');
    const onProgress = (done: number, total: number) => io.progress(`Checking companies: ${done} of ${total}`);
    const checked = await checkRelease(directory, stamp, onProgress);
    for (const fault of checked.faults) io.log(`Error: ${checked.stamp}: ${fault}`);
    if (checked.faults.length > 0) io.log(`To write the typed tables again: fin data analytics ${checked.stamp}`);
    const hasFailed = checked.faults.length > 0 || checked.identities.some(({ passed }) => !passed);
    return {
      json: checked,
      rows: pickFields(IDENTITY_COLUMNS, checked.identities.map(makeIdentityRow)),
      view: makeReleaseCheckView(checked),
      ...(hasFailed ? { exitCode: EXIT_CODES.data } : {}),
    };
  },
};

export default dataCheckCommand;

function makeIdentityRow(identity: CheckedIdentity) {
  const { name, kind, checked, broken, marked, worst } = identity;
  const subjects = worst.map(({ subject }) => subject).join('; ');
  return { identity: name, kind, checked, broken, marked, result: describeResult(identity), worst: subjects };
}

/** Returns the result of a consistency check; `all marked` if it passed although filings contradict themselves. */
function describeResult({ checked, broken, passed }: CheckedIdentity): string {
  if (!passed) return 'failed';
  if (checked === 0) return 'nothing to check';
  return broken === 0 ? 'passed' : 'all marked';
}

const COMPARISON_COLUMNS = 'ticker metric period period_end as_of expected value result off'.split(' ');

const makeComparisonRow = ({ end, asOf, ...row }: ComparedRow) => ({ ...row, period_end: end, as_of: asOf });

function makeComparisonView({ stamp, rows }: FigureComparison): Block[] {
  const unequal = rows.filter(({ result }) => result !== 'equal');
  const byMetric = [...groupBy(rows, ({ metric }) => metric)].sort(([a], [b]) => compareText(a, b));
  const summarize = (metric: string, compared: readonly ComparedRow[]) => {
    const count = (value: ComparedRow['result']) => compared.filter(({ result }) => result === value).length;
    return { metric, equal: count('equal'), different: count('different'), absent: count('absent') };
  };
  return [
    makeTitleBlock(`${stamp}: ${formatCount(rows.length, 'figure')} compared`),
    makeRecordTable(
      {
        metric: 'Figure',
        equal: alignRight('Equal'),
        different: alignRight('Different'),
        absent: alignRight('Absent'),
      },
      [...byMetric.map(([metric, compared]) => summarize(metric, compared)), summarize('All', rows)],
    ),
    ...(unequal.length === 0
      ? []
      : [
          makeRecordTable(
            {
              ticker: 'Ticker',
              metric: { title: 'Figure', shrinkTo: 20 },
              period: 'Period',
              end: 'Period end',
              expected: alignRight('Expected'),
              value: alignRight('Release'),
              result: 'Result',
            },
            unequal.map((row) => {
              return { ...row, result: row.result === 'different' ? { text: row.result, tone: 'warn' } : row.result };
            }),
          ),
        ]),
  ];
}

function makeReleaseCheckView({ stamp, companies, identities, faults }: ReleaseCheck): Block[] {
  const broken = identities.filter((identity) => identity.broken > 0);
  return [
    makeTitleBlock(`${stamp}: ${formatCount(companies, 'company', 'companies')} checked`),
    // Damaged files are listed in the report too, not only on stderr.
    ...faults.map((fault) => makeNoteBlock(`Damaged: ${fault}`)),
    makeRecordTable(
      {
        name: { title: 'Check', shrinkTo: 40, wrapped: true },
        checked: alignRight('Cases'),
        broken: alignRight('Broken'),
        marked: alignRight('Marked'),
        result: 'Result',
      },
      identities.map((identity) => {
        const tone = identity.passed ? 'plain' : 'warn';
        return { ...identity, result: { text: describeResult(identity), tone } };
      }),
    ),
    ...(broken.length === 0
      ? []
      : [
          makeWorstTable('Largest differences', broken),
          makeNoteBlock(
            'Each line names the company, the figures, the unit and the dates, and the filing if all compared figures are from one filing. The command below it shows the figures.',
          ),
        ]),
  ];
}
