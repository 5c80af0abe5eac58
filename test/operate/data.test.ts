import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { readGlobalOptions } from '../../src/commands/command-line/global-options.ts';
import type { Io } from '../../src/commands/command-line/io.ts';
import type { Report, UtilityCall, UtilityCommand } from '../../src/commands/command-line/utility.ts';
import { FILE_FAMILIES } from '../../src/edgar/fetch/remote-files.ts';
import dataBuildCommand from '../../src/operate/data-build.ts';
import dataCheckCommand from '../../src/operate/data-check.ts';
import dataDiffCommand from '../../src/operate/data-diff.ts';
import dataFetchCommand from '../../src/operate/data-fetch.ts';
import dataStatusCommand from '../../src/operate/data-status.ts';
import { dataAnalyticsCommand, dataSqlCommand, dataTablesCommand } from '../../src/operate/data-tables.ts';
import dataUseCommand from '../../src/operate/data-use.ts';
import { makeFolder, readSourceCompany, writeSource } from '../store/public-source.ts';

let sourceDirectory = '';

beforeAll(async () => {
  sourceDirectory = await writeSource([readSourceCompany('aapl')]);
});

/** Runs a command as the program does, and records its output. */
async function runUtility(
  utility: UtilityCommand,
  dataDirectory: string,
  args: readonly string[],
  options: UtilityCall['options'] = {},
) {
  const logLines: string[] = [];
  let stdoutText = '';
  const io: Io = {
    print: (text) => {
      stdoutText += text;
    },
    usesPager: false,
    page: async () => {},
    log: (line) => logLines.push(line),
    progress: () => {},
    outIsTerminal: false,
    errIsTerminal: false,
    inIsTerminal: false,
    input: () => process.stdin,
    width: null,
    colors: false,
    env: { FIN_DATA_DIR: dataDirectory },
    lines: async function* () {},
    signal: new AbortController().signal,
    setShutdownTimeout: () => {},
    startBackgroundLog: async () => {},
  };
  const globals = readGlobalOptions(new Map(), io.env);
  const connect = () => Promise.reject(new Error('data commands send no request'));
  const openTarget = () => {
    throw new Error('data commands send no request');
  };
  const report = await utility.run({
    args,
    options,
    globals,
    io,
    connect,
    target: openTarget,
    report: () => undefined,
  });
  // Fields of the report's JSON, if it has them.
  const { stamp, directory } = Object(report?.json) as { readonly stamp: string; readonly directory: string };
  return { report, logLines, stdoutText, stamp, directory };
}

/** A data directory with a release of `sourceDirectory`, which is built once. */
let builtData: { readonly dataDirectory: string; readonly stamp: string } | undefined;

/** Returns a copy of {@link builtData}, and the directory of its release. */
async function copyBuiltData() {
  if (builtData === undefined) {
    const dataDirectory = await makeFolder('data');
    const { stamp } = await runUtility(dataBuildCommand, dataDirectory, [], { from: sourceDirectory, jobs: '1' });
    builtData = { dataDirectory, stamp };
  }
  const dataDirectory = await makeFolder('data');
  cpSync(builtData.dataDirectory, dataDirectory, { recursive: true });
  return { dataDirectory, stamp: builtData.stamp, directory: join(dataDirectory, 'releases', builtData.stamp) };
}

const stringifyView = (report: Report | undefined): string => JSON.stringify(report?.view);

test('a build with --out states for which data directory its release is in use', async () => {
  const [dataDirectory, otherDirectory] = [await makeFolder('data'), await makeFolder('other')];
  const otherDirectoryBuild = await runUtility(dataBuildCommand, dataDirectory, [], {
    from: sourceDirectory,
    jobs: '1',
    out: otherDirectory,
  });
  expect(stringifyView(otherDirectoryBuild.report)).toContain(`build with --out ${join(otherDirectory, 'releases')}`);
  const releasesFolderBuild = await runUtility(dataBuildCommand, dataDirectory, [], {
    from: sourceDirectory,
    jobs: '1',
    out: join(otherDirectory, 'releases'),
  });
  expect(stringifyView(releasesFolderBuild.report)).toContain(
    `the release is in use if FIN_DATA_DIR is ${otherDirectory}`,
  );
  const dataDirectoryBuild = await runUtility(dataBuildCommand, dataDirectory, [], {
    from: sourceDirectory,
    jobs: '1',
    out: join(dataDirectory, 'releases'),
  });
  expect(stringifyView(dataDirectoryBuild.report)).toContain('the release is now in use');
});

test('a build reports its release as in use', async () => {
  const dataDirectory = await makeFolder('data');
  const { report, logLines, stamp } = await runUtility(dataBuildCommand, dataDirectory, [], {
    from: sourceDirectory,
    jobs: '1',
  });
  expect(stringifyView(report)).toContain('published; the release is now in use');
  expect(report?.exitCode).toBeUndefined();
  expect(report?.json).toMatchObject({ publication: 'published', checks: 'passed', companies: 1 });
  expect(logLines[0]).toBe(`Building from ${sourceDirectory}`);
  expect(logLines.at(-1)).toMatch(/^Built 20\d\d-/);
  expect(readdirSync(join(dataDirectory, 'releases')).sort()).toEqual([stamp, 'current'].sort());
  const statusRun = await runUtility(dataStatusCommand, dataDirectory, [], { verify: true });
  expect(statusRun.report?.exitCode).toBeUndefined();
  expect([...(statusRun.report?.rows.rows ?? [])][0]?.slice(0, 3)).toEqual([stamp, true, false]);
});

test('status with --verify names a damaged file and exits with 9', async () => {
  const { dataDirectory, directory } = await copyBuiltData();
  writeFileSync(join(directory, 'splits.parquet'), 'PAR1');
  const damagedStatusRun = await runUtility(dataStatusCommand, dataDirectory, [], { verify: true });
  expect(damagedStatusRun.report?.exitCode).toBe(9);
  expect(damagedStatusRun.logLines).toEqual([expect.stringMatching(/^Error: .*splits\.parquet has 4 bytes/)]);
});

test('status reports a release of another layout as unreadable, not damaged, with a hint', async () => {
  const dataDirectory = await makeFolder('data');
  const stamp = '2026-05-01-2187686614cd';
  cpSync('test/store/layouts/incompatible-1', join(dataDirectory, 'releases', stamp), { recursive: true });
  const incompatibleStatusRun = await runUtility(dataStatusCommand, dataDirectory, []);
  expect(incompatibleStatusRun.report?.exitCode).toBe(9);
  expect(incompatibleStatusRun.logLines).toEqual([
    expect.stringMatching(/has layout 1; .* Build a release with the installed version: fin data build/),
  ]);
  const { columns = [], rows = [] } = incompatibleStatusRun.report?.rows ?? {};
  expect([...rows][0]?.[columns.indexOf('state')]).toBe('unreadable');
});

test('status shows the sample as in use if there is no other release', async () => {
  const { report } = await runUtility(dataStatusCommand, await makeFolder('data'), []);
  const [row] = [...(report?.rows.rows ?? [])];
  expect(row?.slice(1, 3)).toEqual([true, true]);
});

test('data use switches the release, and refuses one that does not exist', async () => {
  const { dataDirectory, stamp } = await copyBuiltData();
  expect((await runUtility(dataUseCommand, dataDirectory, [stamp])).report?.json).toMatchObject({ stamp });
  await expect(runUtility(dataUseCommand, dataDirectory, ['2001-01-01-000000000000'])).rejects.toMatchObject({
    kind: 'data',
  });
});

test('a build without --from, or with invalid --jobs, is a usage error; a missing source directory is a data error', async () => {
  const dataDirectory = await makeFolder('data');
  await expect(runUtility(dataBuildCommand, dataDirectory, [])).rejects.toMatchObject({
    kind: 'usage',
    message: expect.stringContaining('--from'),
  });
  await expect(
    runUtility(dataBuildCommand, dataDirectory, [], { from: sourceDirectory, jobs: 'many' }),
  ).rejects.toMatchObject({
    kind: 'usage',
    message: expect.stringContaining('--jobs'),
  });
  await expect(
    runUtility(dataBuildCommand, dataDirectory, [], { from: join(dataDirectory, 'nowhere') }),
  ).rejects.toMatchObject({
    kind: 'data',
  });
});

test('fin data fetch has an option for every family of files', () => {
  const optionNames = dataFetchCommand.options?.map(({ name }) => name);
  expect(optionNames).toEqual(expect.arrayContaining(FILE_FAMILIES.map(({ name }) => name)));
});

test('data check tests the release in use, or the release named by the start of its stamp', async () => {
  const { dataDirectory, stamp: builtStamp } = await copyBuiltData();
  const { report } = await runUtility(dataCheckCommand, dataDirectory, []);
  const { stamp, companies, identities } = Object(report?.json);
  expect([stamp, companies]).toEqual([builtStamp, 1]);
  expect(report?.exitCode).toBeUndefined();
  expect(report?.rows.columns).toEqual(['identity', 'kind', 'checked', 'broken', 'marked', 'result', 'worst']);
  const checkedIdentities = (identities as readonly { readonly checked: number }[]).filter(
    ({ checked }) => checked > 0,
  );
  expect(checkedIdentities.length).toBeGreaterThan(4);
  expect((await runUtility(dataCheckCommand, dataDirectory, [builtStamp.slice(0, -2)])).stamp).toBe(stamp);
  await expect(runUtility(dataCheckCommand, dataDirectory, ['1999'])).rejects.toThrow('There is no release "1999".');
});

test('data diff lists the reports, restated figures and companies that a release adds', async () => {
  const dataDirectory = await makeFolder('data');
  const honeywell = readSourceCompany('hon-2023');
  const earlierFacts = honeywell.facts.filter(({ filed }) => filed < '2026-01-01');
  const olderBuild = await runUtility(dataBuildCommand, dataDirectory, [], {
    from: await writeSource([{ ...honeywell, facts: earlierFacts }]),
    jobs: '1',
  });
  await expect(runUtility(dataDiffCommand, dataDirectory, [])).rejects.toMatchObject({
    message: `There is only one release on this machine apart from the built-in sample: ${olderBuild.stamp}.`,
    hint: expect.arrayContaining([
      expect.objectContaining({ command: expect.stringMatching(/^data diff 2\S+ 2\S+$/) }),
    ]),
  });
  const apple = readSourceCompany('aapl');
  const newerBuild = await runUtility(dataBuildCommand, dataDirectory, [], {
    from: await writeSource([honeywell, apple]),
    jobs: '1',
  });
  const { report } = await runUtility(dataDiffCommand, dataDirectory, []);
  expect(report?.json).toMatchObject({ before: olderBuild.stamp, after: newerBuild.stamp, companies: 2 });
  const diffRecords = [...(report?.rows.rows ?? [])].map((row) =>
    Object.fromEntries(row.map((cell, index) => [report?.rows.columns[index], cell])),
  );
  const filingCells = { accession_number: '0000773840-26-000013', filed_at: '2026-02-17', form: '10-K', ticker: 'HON' };
  expect(diffRecords[0]).toMatchObject({ change: 'report_added', ...filingCells });
  const revenueChange = { change: 'revised', metric_key: 'revenue', unit: 'USD', ...filingCells };
  expect(diffRecords.filter(({ metric_key: key }) => key === 'revenue')).toMatchObject([
    { ...revenueChange, end_date: '2023-12-31', before: '36662000000', after: '33009000000' },
    { ...revenueChange, end_date: '2024-12-31', before: '38498000000', after: '34717000000' },
  ]);
  expect(diffRecords.at(-1)).toMatchObject({ change: 'company_added', ticker: 'AAPL', before: null });
  const reversedDiff = await runUtility(dataDiffCommand, dataDirectory, [newerBuild.stamp, olderBuild.stamp]);
  expect([...(reversedDiff.report?.rows.rows ?? [])].map(([change]) => change)).toContain('company_removed');
  const sameReleaseDiff = await runUtility(dataDiffCommand, dataDirectory, [newerBuild.stamp.slice(0, -2)]);
  expect(stringifyView(sameReleaseDiff.report)).toContain(
    'Both stamps name the same release, so there is nothing to compare.',
  );
  expect([...(sameReleaseDiff.report?.rows.rows ?? [])]).toEqual([]);
});

test('data check --against compares the figures of a file with the release, and refuses invalid files', async () => {
  const { dataDirectory } = await copyBuiltData();
  const file = join(dataDirectory, 'figures.csv');
  writeFileSync(file, 'ticker,metric,period,value\nNOBODY,revenue,FY2024,1\n"NOBODY",assets,FY2024,2\n');
  const { report } = await runUtility(dataCheckCommand, dataDirectory, [], { against: file });
  expect(report?.rows.columns).toContain('result');
  expect(Object(report?.json).rows).toMatchObject([{ result: 'absent' }, { result: 'absent' }]);
  expect(report?.exitCode).toBeUndefined();
  writeFileSync(file, 'ticker,metric,period,value\nNOBODY,revenue,lately,1\n');
  await expect(runUtility(dataCheckCommand, dataDirectory, [], { against: file })).rejects.toThrow(
    '"lately" is not a period',
  );
  writeFileSync(file, 'ticker,metric,period,value\nNOBODY,revenue,FY2024,1\nNOBODY,assets,FY2024\n');
  await expect(runUtility(dataCheckCommand, dataDirectory, [], { against: file })).rejects.toThrow(
    '1 line with too few cells',
  );
  writeFileSync(file, 'ticker,value\n');
  await expect(runUtility(dataCheckCommand, dataDirectory, [], { against: file })).rejects.toMatchObject({
    kind: 'usage',
  });
  await expect(
    runUtility(dataCheckCommand, dataDirectory, [], { against: join(dataDirectory, 'nowhere.csv') }),
  ).rejects.toMatchObject({
    kind: 'usage',
  });
});

test('typed tables are written by a build or later, data sql prints their location, and damaged tables are found', async () => {
  const { dataDirectory, ...plainBuild } = await copyBuiltData();
  await expect(runUtility(dataSqlCommand, dataDirectory, [])).rejects.toMatchObject({
    kind: 'data',
    hint: `Write the tables with "fin data analytics ${plainBuild.stamp}".`,
  });
  const { directory, report } = await runUtility(dataBuildCommand, dataDirectory, [], {
    from: sourceDirectory,
    jobs: '1',
    analytics: true,
  });
  expect(report?.json).toMatchObject({ publication: 'already_there', analytics: { publication: 'published' } });
  expect(readdirSync(join(directory, 'analytics'))).toContain('release.sql');
  const secondAnalyticsRun = await runUtility(dataAnalyticsCommand, dataDirectory, [plainBuild.stamp.slice(0, 12)]);
  expect(secondAnalyticsRun.report?.json).toMatchObject({ publication: 'already_there', stamp: plainBuild.stamp });
  expect([...(secondAnalyticsRun.report?.rows.rows ?? [])].map(([name]) => name)).toContain('figures');
  // The release itself is undamaged.
  expect((await runUtility(dataStatusCommand, dataDirectory, [], { verify: true })).report?.exitCode).toBeUndefined();
  expect((await runUtility(dataSqlCommand, dataDirectory, [])).stdoutText).toContain(
    `SET VARIABLE fin = '${join(directory, 'analytics')}';`,
  );
  const url = 'https://example.com/r/analytics';
  expect((await runUtility(dataSqlCommand, dataDirectory, [], { url })).stdoutText).toContain(
    `SET VARIABLE fin = '${url}';`,
  );
  await expect(runUtility(dataSqlCommand, dataDirectory, [], { url: 'example.com' })).rejects.toMatchObject({
    kind: 'usage',
  });
  // The verification also finds a damaged file of the typed tables.
  writeFileSync(join(directory, 'analytics', 'release.sql'), '');
  for (const [utility, options] of [
    [dataCheckCommand, {}],
    [dataStatusCommand, { verify: true }],
  ] as const) {
    const damagedAnalyticsRun = await runUtility(utility, dataDirectory, [], options);
    expect(damagedAnalyticsRun.report?.exitCode).toBe(9);
    expect(damagedAnalyticsRun.logLines.join('\n')).toMatch(
      `Error: ${plainBuild.stamp}: analytics/release.sql has 0 bytes instead of `,
    );
    if (utility === dataCheckCommand)
      expect(stringifyView(damagedAnalyticsRun.report)).toContain('Damaged: analytics/release.sql has 0 bytes');
  }
});

test('typed tables are not written to the sample, and every column of the table of figures is described', async () => {
  const dataDirectory = await makeFolder('data');
  await expect(runUtility(dataAnalyticsCommand, dataDirectory, [])).rejects.toMatchObject({
    kind: 'usage',
    hint: expect.stringContaining('--out'),
  });
  const { report } = await runUtility(dataTablesCommand, dataDirectory, ['figures']);
  const rows = [...(report?.rows.rows ?? [])];
  expect(rows).toContainEqual(['value', 'DECIMAL(38,n)', 'Value, exact']);
  expect(rows.every(([, , about]) => about !== '')).toBe(true);
  await expect(runUtility(dataTablesCommand, dataDirectory, ['figure'])).rejects.toThrow('Did you mean figures?');
});
