import { expect, test } from 'vitest';
import { compareDecimals } from '../../../src/contract/decimal-text.ts';
import { readCompanyFacts } from '../../../src/edgar/facts/company-facts.ts';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import { readStatementSet, type StatementSetReport } from '../../../src/edgar/facts/statement-set.ts';
import { openArchive } from '../../../src/edgar/files/archive.ts';
import { listFiles } from '../../../src/edgar/files/list-files.ts';
import { openPublicFiles, type PublicFiles } from '../../../src/edgar/files/public-files.ts';
import { readSubmissions } from '../../../src/edgar/filings/submissions.ts';
import { findReports, ReportReader } from '../../../src/edgar/reports/report-files.ts';
import type { FiledReport } from '../../../src/edgar/reports/xbrl-report.ts';
import { isConceptUsed } from '../../../src/figures/company.ts';
import { collectReportFacts } from '../../../src/figures/filings/report-facts.ts';
import { findFiling } from '../../../src/figures/filings/report-filing.ts';
import { addExactDates } from '../../../src/figures/filings/statement-set-dates.ts';
import { expectOfFiles, getPublicFilePath, testWithPublicFile } from '../../public-files.ts';
import { makeFact, makeReport, parseDimensions } from '../segments/filed-report.ts';

const QUARTER_DATES = ['2025-03-30', '2025-06-28'] as const;
const FILING = ['0000320193-25-000073', '10-Q', '2025-08-01'] as const;
const SALES_CONCEPT = 'us-gaap:RevenueFromContractWithCustomerExcludingAssessedTax';

function collectFacts(reports: readonly FiledReport[], otherFacts: readonly Fact[] = []) {
  const skippedReasons: string[] = [];
  const facts = collectReportFacts(reports, otherFacts, {
    isWanted: isConceptUsed,
    skip: (reason) => skippedReasons.push(reason),
  });
  return { facts, skipped: skippedReasons };
}

test('only facts of standard concepts without dimensions are collected from a report, marked with their source', () => {
  const { facts } = collectFacts([
    makeReport(FILING, [
      makeFact(SALES_CONCEPT, QUARTER_DATES, '94036'),
      makeFact(SALES_CONCEPT, QUARTER_DATES, '44582', parseDimensions('product=aapl:IPhoneMember')),
      makeFact('aapl:OwnConcept', QUARTER_DATES, '1'),
    ]),
  ]);
  expect(facts).toEqual([
    {
      ...{ taxonomy: 'us-gaap', concept: 'RevenueFromContractWithCustomerExcludingAssessedTax', unit: 'USD' },
      ...{ start: '2025-03-30', end: '2025-06-28', value: '94036000000' },
      ...{ accession: '0000320193-25-000073', form: '10-Q', filed: '2025-08-01' },
      ...{ frame: null, focusYear: null, focusPeriod: null, source: 'inline' },
    },
  ]);
});

test('a fact that is also in company facts, or in another copy of the filing, counts once', () => {
  const quarterReport = makeReport(FILING, [makeFact(SALES_CONCEPT, QUARTER_DATES, '94036')]);
  const { facts } = collectFacts([
    { ...quarterReport, kind: 'data_set' },
    quarterReport,
    { ...quarterReport, kind: 'instance' },
  ]);
  expect(facts.map(({ source }) => source)).toEqual(['inline']);
  expect(collectFacts([quarterReport], facts).facts).toEqual([]);
  const laterReport = makeReport(['0000320193-26-000001', '10-Q', '2026-01-30'], quarterReport.facts);
  expect(collectFacts([laterReport], facts).facts).toHaveLength(1);
});

test('the most precise of repeated facts counts, contradicting facts do not count, and a period of one day is an instant', () => {
  const preciseFact = { ...makeFact(SALES_CONCEPT, QUARTER_DATES, '94036'), decimals: -6 };
  const roundedFact = { ...makeFact(SALES_CONCEPT, QUARTER_DATES, '94000'), decimals: -9 };
  expect(collectFacts([makeReport(FILING, [roundedFact, preciseFact, roundedFact])]).facts).toMatchObject([
    { value: '94036000000' },
  ]);
  const contradictedResult = collectFacts([
    makeReport(FILING, [preciseFact, { ...preciseFact, value: '1' }, roundedFact]),
  ]);
  expect(contradictedResult).toEqual({ facts: [], skipped: ['a fact for which one report states two values'] });
  const oneDayFact = makeFact('us-gaap:Assets', ['2025-06-28', '2025-06-28'], '331495');
  expect(collectFacts([makeReport(FILING, [oneDayFact])]).facts).toMatchObject([{ start: null, end: '2025-06-28' }]);
});

test('the unit USD of per-share facts in a data set is read as USD/shares', () => {
  const epsFact = makeFact('us-gaap:EarningsPerShareDiluted', QUARTER_DATES, '2');
  const dataSetReport = {
    ...makeReport(FILING, [epsFact, makeFact(SALES_CONCEPT, QUARTER_DATES, '94036')]),
    kind: 'data_set' as const,
  };
  expect(collectFacts([dataSetReport]).facts.map(({ unit }) => unit)).toEqual(['USD/shares', 'USD']);
  expect(collectFacts([makeReport(FILING, [epsFact])]).facts.map(({ unit }) => unit)).toEqual(['USD']);
});

/** Compares facts in reports with the company facts of the same filings. */
class FactComparison {
  equal = 0;
  readonly different: string[] = [];
  /**
   * Facts in reports that a complete company facts file lacks. The file has other facts of the same filing, and fin
   * uses the concepts of the missing facts.
   */
  readonly missing: string[] = [];
  readonly filings = new Set<string>();

  add(reports: readonly FiledReport[], facts: readonly Fact[]): void {
    const reported = new Set(reports.map(({ accession }) => accession));
    const valueByFact = new Map(
      facts.filter(({ accession }) => reported.has(accession)).map((fact) => [formatFactKey(fact), fact.value]),
    );
    // A complete file has more than 200 concepts; an excerpt has only a few dozen concepts.
    const isCompleteFile = new Set(facts.map(({ concept }) => concept)).size > 200;
    const accessions = new Set(facts.map(({ accession }) => accession));
    const skip = () => undefined;
    for (const report of reports.filter(({ accession }) => accessions.has(accession))) {
      this.filings.add(report.accession);
      for (const reportFact of collectReportFacts([report], [], { isWanted: () => true, skip })) {
        const value = valueByFact.get(formatFactKey(reportFact));
        if (value !== undefined && compareDecimals(value, reportFact.value) === 0) this.equal += 1;
        else if (value !== undefined)
          this.different.push(`${formatFactKey(reportFact)} ${reportFact.value} for ${value}`);
      }
      if (isCompleteFile)
        this.missing.push(...collectReportFacts([report], facts, { isWanted: isConceptUsed, skip }).map(formatFactKey));
    }
  }
}

const formatFactKey = ({ accession, taxonomy, concept, unit, start, end }: Fact) =>
  `${accession} ${taxonomy}:${concept} ${unit} ${start} ${end}`;

async function readCompanyRecords(files: PublicFiles, cik: number) {
  const bytes = await files.readFacts(cik);
  const { mainFile, pageFiles } = await files.readSubmissionFiles(cik);
  return {
    facts: bytes === null ? [] : readCompanyFacts(bytes).facts,
    filings: mainFile === null ? [] : readSubmissions(mainFile, pageFiles).filings,
  };
}

/** Returns a function that reads the records of a company once for reports in order of CIK. */
function readOncePerCompany(files: PublicFiles): (cik: number) => ReturnType<typeof readCompanyRecords> {
  let last: { readonly cik: number; readonly records: ReturnType<typeof readCompanyRecords> } | undefined;
  return (cik) => {
    if (last?.cik !== cik) last = { cik, records: readCompanyRecords(files, cik) };
    return last.records;
  };
}

testWithPublicFile(
  'instances.zip',
  'the facts of every available document equal the company facts of its filing, except one par value',
  async () => {
    const files = await openPublicFiles(getPublicFilePath(''));
    const { reports } = await findReports(await listFiles(getPublicFilePath('')));
    const reader = new ReportReader();
    const comparison = new FactComparison();
    const readRecords = readOncePerCompany(files);
    for (const file of reports.toSorted((a, b) => a.cik - b.cik)) {
      const { facts, filings } = await readRecords(file.cik);
      const { report: parsedReport } = await reader.read(file);
      const filing = findFiling(parsedReport, { document: file.path, accession: file.accession }, filings, facts);
      if (typeof filing === 'string') continue;
      comparison.add([{ ...parsedReport, ...filing, cik: file.cik, labels: new Map() }], facts);
    }
    await reader.close();
    files.close();
    // Company facts have an inexact value for Microsoft's par value of 0.00000625 dollars.
    const parValue = expect.stringContaining('EntityListingParValuePerShare');
    expect(comparison.different).toEqual(expectOfFiles([parValue], []));
    expect(comparison.missing).toEqual([]);
    expect(comparison.equal).toBeGreaterThan(expectOfFiles(7000, 300));
    expect(comparison.filings.size).toBeGreaterThan(expectOfFiles(30, 3));
  },
);

/** Filings of Meta whose company facts lack facts of the statements, by data set. */
const INCOMPLETE_FILINGS: Readonly<Record<string, readonly string[]>> = {
  '2009q3': [],
  '2010q2': [],
  '2016q4-excerpt': ['0001326801-16-000087'],
};

for (const [setName, incomplete] of Object.entries(INCOMPLETE_FILINGS)) {
  const dataSetPath = `datasets/${setName}_financial-statements.zip`;
  testWithPublicFile(
    dataSetPath,
    `facts of ${dataSetPath} equal the company facts of their filings, or are listed as missing`,
    async () => {
      const files = await openPublicFiles(getPublicFilePath(''));
      const archive = await openArchive(getPublicFilePath(dataSetPath), undefined, 'path');
      const ciks = new Set(files.factCiks);
      const reports: StatementSetReport[] = [];
      const filter = {
        wantsCompany: (cik: number) => ciks.has(cik),
        wantsTag: () => true,
        wantsDimensions: (dimensions: readonly unknown[]) => dimensions.length === 0,
        wantsFact: (_: string, dimensions: readonly unknown[]) => dimensions.length === 0,
      };
      await readStatementSet(archive, filter, (setReport) => reports.push(setReport));
      archive.close();
      const comparison = new FactComparison();
      const readRecords = readOncePerCompany(files);
      for (const report of reports.sort((a, b) => a.cik - b.cik)) {
        const { facts } = await readRecords(report.cik);
        const filingFacts = facts.filter(({ accession }) => accession === report.accession);
        comparison.add([addExactDates(report, { filingPeriods: filingFacts, periodEnds: [] })], facts);
      }
      files.close();
      expect(comparison.different).toEqual([]);
      const missing = new Set(comparison.missing.map((key) => key.slice(0, key.indexOf(' '))));
      expect([...missing]).toEqual(expectOfFiles(incomplete, []));
      expect(comparison.equal).toBeGreaterThan(expectOfFiles(1700, 30));
    },
  );
}
