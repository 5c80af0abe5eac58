import { expect, test } from 'vitest';
import { readCompanyFacts } from '../../../src/edgar/facts/company-facts.ts';
import { openPublicFiles } from '../../../src/edgar/files/public-files.ts';
import { readSubmissions } from '../../../src/edgar/filings/submissions.ts';
import { type CompanyFigures, deriveCompanyFigures } from '../../../src/figures/company.ts';
import { deriveFigures } from '../../../src/figures/derived/derive-figures.ts';
import { type ReportedValue, splitIntoChains } from '../../../src/figures/revisions/revision-chain.ts';
import { deriveScreenFigures, type ScreenFigures } from '../../../src/figures/screen/derive-screen-row.ts';
import { deriveScreenEvents, type ScreenEvent } from '../../../src/figures/screen/screen-states.ts';
import { type Split, selectSplitsProvenBy } from '../../../src/figures/shares/splits.ts';
import { addMonths } from '../../../src/platform/dates.ts';
import { getPublicFilePath, selectOfFiles, testWithPublicFile } from '../../public-files.ts';
import { readFiledFacts } from '../filed-facts.ts';

const DERIVE_OPTIONS = { releaseDate: '2026-08-20' };

/**
 * Returns the row of the screener in a release of that day. Null before the first annual report, and if the last fiscal
 * year ended more than 18 months before.
 */
function deriveRowAsOf({ reportedValues, splits }: CompanyFigures, day: string): ScreenFigures | null {
  const row = deriveScreenFigures(deriveFigures(reportedValues, day), {
    releaseDate: day,
    splits: selectSplitsProvenBy(day, splits),
  });
  const hasAnnualReport = reportedValues.some(
    (reportedValue) =>
      reportedValue.periodKind === 'annual' &&
      /^(10-K|20-F|40-F)/.test(reportedValue.form) &&
      reportedValue.filed <= day,
  );
  return !hasAnnualReport || (row?.dates.annual_end_date ?? '') < addMonths(day, -18) ? null : row;
}

type ScreenState = Pick<ScreenEvent, 'day' | 'row'>;

/** Returns a company's states, earliest first; consecutive states have different rows. */
function collectScreenStates(chains: readonly (readonly ReportedValue[])[], splits: readonly Split[]): ScreenState[] {
  const states: ScreenState[] = [];
  let lastText = 'null';
  for (const { day, row } of deriveScreenEvents(chains, splits)) {
    const text = JSON.stringify(row);
    if (text !== lastText) states.push({ day, row });
    lastText = text;
  }
  return states;
}

const collectStates = ({ reportedValues, splits }: CompanyFigures) =>
  collectScreenStates(splitIntoChains(reportedValues), splits);

/** Returns the days of states that differ from the row derived as of the same day. */
function findWrongDays(company: CompanyFigures, states: readonly ScreenState[]): string[] {
  return states
    .filter(({ day, row }) => JSON.stringify(row) !== JSON.stringify(deriveRowAsOf(company, day)))
    .map(({ day }) => day);
}

/**
 * Returns the reported values as a release of that day has them: only those filed by then, without later
 * contradictions.
 */
function selectValuesFiledBy(values: readonly ReportedValue[], day: string): ReportedValue[] {
  return values
    .filter(({ filed }) => filed <= day)
    .map((value) =>
      value.contradictedOn !== null && value.contradictedOn > day ? { ...value, contradictedOn: null } : value,
    );
}

test.each(['aapl', 'nvda', 'khc', 'googl', 'jpm', 'tsm', 'cost', 'mdxg', 'bkti-2011'])(
  'each state of %s equals the row derived from all filings up to its day, and differs from the previous state',
  (factsFile) => {
    const company = deriveCompanyFigures(readFiledFacts(factsFile), [], DERIVE_OPTIONS);
    const states = collectStates(company);
    expect(states.length).toBeGreaterThan(0);
    expect(findWrongDays(company, states)).toEqual([]);
    for (const [index, state] of states.entries())
      expect(JSON.stringify(states[index - 1]?.row)).not.toBe(JSON.stringify(state.row));
  },
);

test('later filings do not change the state of an earlier day', () => {
  const company = deriveCompanyFigures(readFiledFacts('aapl'), [], DERIVE_OPTIONS);
  const states = collectStates(company);
  for (const { day } of states) {
    const values = selectValuesFiledBy(company.reportedValues, day);
    const statesOfRelease = collectScreenStates(splitIntoChains(values), selectSplitsProvenBy(day, company.splits));
    expect(statesOfRelease).toEqual(states.filter((state) => state.day <= day));
  }
});

test('a company has no row before its first annual report or more than 18 months after its last year', () => {
  const facts = readFiledFacts('aapl').filter(({ filed }) => filed < '2016-01-01');
  const states = collectStates(deriveCompanyFigures(facts, [], DERIVE_OPTIONS));
  const annualFilingDays = facts
    .filter(({ form }) => form.startsWith('10-K'))
    .map(({ filed }) => filed)
    .sort();
  expect(states[0]?.day).toBe(annualFilingDays[0]);
  expect(states.every(({ day, row }) => row === null || (row.dates.annual_end_date ?? '') >= addMonths(day, -18))).toBe(
    true,
  );
});

testWithPublicFile(
  'companyfacts.zip',
  'every state of a company equals the row derived from all filings up to its day',
  async () => {
    const publicFiles = await openPublicFiles(getPublicFilePath(''));
    const failures: string[] = [];
    let stateCount = 0;
    for (const cik of selectOfFiles(publicFiles.factCiks, 32)) {
      const { facts } = readCompanyFacts((await publicFiles.readFacts(cik)) ?? Buffer.alloc(0));
      const { mainFile, pageFiles } = await publicFiles.readSubmissionFiles(cik);
      const company = deriveCompanyFigures(facts, readSubmissions(mainFile, pageFiles).filings, DERIVE_OPTIONS);
      const states = collectStates(company);
      stateCount += states.length;
      for (const day of findWrongDays(company, states)) failures.push(`CIK ${cik} on ${day}`);
      const middleDay = states[Math.floor(states.length / 2)]?.day ?? '';
      const statesOfRelease = collectScreenStates(
        splitIntoChains(selectValuesFiledBy(company.reportedValues, middleDay)),
        selectSplitsProvenBy(middleDay, company.splits),
      );
      if (JSON.stringify(statesOfRelease) !== JSON.stringify(states.filter(({ day }) => day <= middleDay)))
        failures.push(`CIK ${cik}: later filings changed states of ${middleDay} or before`);
    }
    publicFiles.close();
    expect(failures).toEqual([]);
    expect(stateCount).toBeGreaterThan(100);
  },
);
