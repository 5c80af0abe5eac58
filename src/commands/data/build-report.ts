/** What a build came to: as lines on stderr, and as a report. */
import { dirname, resolve } from 'node:path';
import { type Block, fields, note, table, title } from '../../output/blocks.ts';
import { pick } from '../../output/rows.ts';
import { findDirectories } from '../../platform/directories.ts';
import type { BuildReport } from '../../release/build/build.ts';
import { releasesHome } from '../../release/store/locate.ts';
import { optionText } from '../option-text.ts';
import type { Report, UtilityCall } from '../utility.ts';

const DATA_EXIT = 9;

/** What a person must hear of even where no report is shown. */
export function sayWhatMatters(report: BuildReport, { io, globals }: UtilityCall): void {
  for (const problem of report.problems) io.log(`Warning: set aside: ${problem}`);
  if (report.checks === 'failed') {
    io.log(
      report.publication === 'withheld'
        ? 'Error: checks failed, so the release was not published. To publish it all the same: --publish-failed.'
        : 'Warning: checks failed; the release was published because --publish-failed says so.',
    );
  }
  if (!globals.quiet) io.log(`Built ${report.stamp} in ${report.seconds.toFixed(1)} s`);
}

export function buildReport(report: BuildReport, call: UtilityCall): Report {
  return {
    json: report,
    rows: pick(['stamp', 'date', 'checks', 'publication', 'directory', 'companies', 'factRows', 'seconds'], [report]),
    view: view(report, outcomeOf(report, call)),
    ...(report.publication === 'withheld' ? { exitCode: DATA_EXIT } : {}),
  };
}

const OUTCOMES: Readonly<Record<BuildReport['publication'], string>> = {
  published: 'published',
  already_there: 'was there already',
  replaced_damaged: 'took the place of a damaged copy',
  withheld: 'not published',
};

/** A release in a directory of one's own answers only where that is the data directory's. */
function outcomeOf({ publication }: BuildReport, call: UtilityCall): string {
  const outcome = OUTCOMES[publication];
  if (publication === 'withheld') return outcome;
  const out = optionText(call, 'out');
  const { data } = findDirectories(call.io.env);
  if (out === null || (data !== null && resolve(releasesHome(data)) === resolve(out))) {
    return `${outcome}; it answers from now on`;
  }
  const home = dirname(resolve(out));
  return resolve(releasesHome(home)) === resolve(out)
    ? `${outcome}; it answers where FIN_DATA_DIR is ${home}`
    : `${outcome}; no question looks there: for FIN_DATA_DIR=${resolve(out)}, build with --out ${releasesHome(out)}`;
}

function view(report: BuildReport, outcome: string): Block[] {
  const setAside = Object.entries(report.skipped);
  return [
    title(`Release ${report.stamp}`),
    fields([
      ['Outcome', { text: outcome, tone: report.publication === 'withheld' ? 'warn' : 'plain' }],
      ['Where', report.directory],
      ['Companies', report.companies],
      ['Facts read', report.factRows],
      ...Object.entries(report.rows).map(([name, rows]) => [`Rows of ${name}`, rows] as const),
    ]),
    table(
      [
        { key: 'check', title: 'Check' },
        { key: 'result', title: 'Result' },
        { key: 'detail', title: 'Detail', shrinkTo: 40 },
      ],
      report.checkResults.map(({ name, passed, detail }) => [
        name,
        passed ? 'passed' : { text: 'failed', tone: 'warn' },
        detail,
      ]),
    ),
    ...(setAside.length === 0
      ? [note('Nothing was set aside.')]
      : [
          table(
            [
              { key: 'set_aside', title: 'Set aside' },
              { key: 'rows', title: 'Rows', align: 'right' },
            ],
            setAside.map(([reason, count]) => [reason, count]),
          ),
        ]),
  ];
}
