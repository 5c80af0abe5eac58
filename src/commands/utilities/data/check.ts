import { requireDirectory } from '../../../platform/directories.ts';
import { type Block, note, table, title } from '../../../result/blocks.ts';
import { pick } from '../../../result/rows.ts';
import type { CheckedIdentity, ReleaseCheck } from '../../ports/check.ts';
import type { UtilityCommand } from '../utility.ts';

const DATA_EXIT = 9;
const COLUMNS = ['identity', 'checked', 'broken', 'tolerated', 'passed', 'worst'] as const;

const dataCheck: UtilityCommand = {
  local: true,
  help:
    'Compares the figures of every company: totals with their parts, quarters with their years, ratios with their formulas. ' +
    'Filers break some of these themselves, so each identity tolerates a share. The files of its typed tables are compared with ' +
    'their hashes. The exit code is 9 where more cases are broken, or a file is damaged.',
  args: [{ name: 'stamp', help: 'Release, or the beginning of its stamp (default: the one in use)', optional: true }],
  options: [],
  examples: [
    { line: 'data check', shows: 'how many figures were compared, and the worst cases' },
    { line: 'data check --csv', shows: 'the same, a row for each identity' },
  ],
  run: async ({ args: [stamp = null], io, ports }) => {
    const directory = requireDirectory('data', io.env);
    const { checkRelease } = await ports.check();
    const check = await checkRelease(directory, stamp, (done, total) =>
      io.progress(`Checking companies: ${done} of ${total}`),
    );
    io.progress(null);
    for (const fault of check.faults) io.log(`Error: ${check.stamp}: ${fault}`);
    if (check.faults.length > 0) io.log('Write the typed tables again with "fin data analytics".');
    const isWrong = check.faults.length > 0 || check.identities.some(({ passed }) => !passed);
    return {
      json: check,
      rows: pick(COLUMNS, check.identities.map(rowOf)),
      view: view(check),
      ...(isWrong ? { exitCode: DATA_EXIT } : {}),
    };
  },
};

export default dataCheck;

function rowOf({ name, worst, ...counts }: CheckedIdentity) {
  return { identity: name, ...counts, worst: worst.map(({ subject }) => subject).join('; ') };
}

function view({ stamp, companies, identities, faults }: ReleaseCheck): Block[] {
  const broken = identities.filter((identity) => identity.broken > 0);
  return [
    title(`${stamp}: ${companies} companies`),
    // In a pager nothing else is seen.
    ...faults.map((fault) => note(`Damaged: ${fault}`)),
    table(
      [
        { key: 'identity', title: 'Identity', shrinkTo: 40, wrapped: true },
        { key: 'checked', title: 'Checked', align: 'right' },
        { key: 'broken', title: 'Broken', align: 'right' },
        { key: 'passed', title: 'Result' },
      ],
      identities.map(({ name, checked, broken: count, passed }) => [
        name,
        checked,
        count,
        passed ? (checked === 0 ? 'nothing to check' : 'passed') : { text: 'failed', tone: 'warn' },
      ]),
    ),
    ...(broken.length === 0
      ? []
      : [
          table(
            [{ key: 'worst', title: 'Worst cases', shrinkTo: 40 }],
            broken.flatMap(({ name, worst }) => [{ section: [name] }, ...worst.map(({ subject }) => [subject])]),
          ),
          note(
            'A case names a metric, the filing where one states all figures, the unit and the dates: see fin lineage.',
          ),
        ]),
  ];
}
