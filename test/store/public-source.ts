/** Writes a directory of public files in the SEC's formats, made of facts from real filings. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fact } from '../../src/edgar/facts/fact-row.ts';
import { makeTemporaryFolder } from '../clean-up.ts';
import { makeZip } from '../edgar/make-zip.ts';
import { readFiledFacts } from '../figures/filed-facts.ts';

export interface SourceCompany {
  readonly cik: number;
  readonly name: string;
  /** The company's ticker; empty if the company is no longer in any list of tickers. */
  readonly ticker: string;
  readonly facts: readonly Fact[];
  /** SIC code and its description, as in the company's submissions. */
  readonly sic?: string;
  readonly sicDescription?: string;
}

/** CIK, name and ticker of companies, by the name of their file in `test/figures/facts`. */
const COMPANY_BY_FILE = {
  aapl: [320193, 'Apple Inc.', 'AAPL'],
  aph: [820313, 'AMPHENOL CORP /DE/', 'APH'],
  'bac-2025': [70858, 'BANK OF AMERICA CORP /DE/', 'BAC'],
  'bkti-2011': [2186, 'BK Technologies Corp', 'BKTI'],
  'cop-2009': [1163165, 'CONOCOPHILLIPS', 'COP'],
  cost: [909832, 'COSTCO WHOLESALE CORP /NEW', 'COST'],
  'de-2016': [315189, 'DEERE & CO', 'DE'],
  'dis-2016': [1744489, 'Walt Disney Co', 'DIS'],
  'ge-2010': [40545, 'GENERAL ELECTRIC CO', 'GE'],
  'hon-2023': [773840, 'Honeywell International Inc.', 'HON'],
  jnj: [200406, 'JOHNSON & JOHNSON', 'JNJ'],
  jpm: [19617, 'JPMORGAN CHASE & CO', 'JPM'],
  khc: [1637459, 'Kraft Heinz Co', 'KHC'],
  msft: [789019, 'MICROSOFT CORP', 'MSFT'],
  nvda: [1045810, 'NVIDIA CORP', 'NVDA'],
  pg: [80424, 'PROCTER & GAMBLE Co', 'PG'],
  'pg-2007': [80424, 'PROCTER & GAMBLE Co', 'PG'],
  tgt: [27419, 'TARGET CORP', 'TGT'],
  tsm: [1046179, 'TAIWAN SEMICONDUCTOR MANUFACTURING CO LTD', 'TSM'],
  'uaa-2012': [1336917, 'Under Armour, Inc.', ''],
  wmt: [104169, 'Walmart Inc.', 'WMT'],
} as const;

export function readSourceCompany(file: keyof typeof COMPANY_BY_FILE): SourceCompany {
  const [cik, name, ticker] = COMPANY_BY_FILE[file];
  return { cik, name, ticker, facts: readFiledFacts(file) };
}

/** Returns a new empty directory, which is removed when the tests of the file are done. */
export const makeFolder = async (name: string): Promise<string> => makeTemporaryFolder(name);

/** Writes companyfacts.zip, submissions.zip and the two ticker lists; returns the directory. */
export async function writeSource(companies: readonly SourceCompany[]): Promise<string> {
  const folder = await makeFolder('source');
  mkdirSync(join(folder, 'files'));
  await makeZip(
    join(folder, 'companyfacts.zip'),
    Object.fromEntries(companies.map((company) => [makeCikFileName(company.cik), makeFactsJson(company)])),
  );
  await makeZip(
    join(folder, 'submissions.zip'),
    Object.fromEntries(companies.map((company) => [makeCikFileName(company.cik), makeSubmissionsJson(company)])),
  );
  const listedCompanies = companies.filter(({ ticker }) => ticker !== '');
  const tickerEntriesByIndex = Object.fromEntries(
    listedCompanies.map(({ cik, ticker, name }, index) => [index, { cik_str: cik, ticker, title: name }]),
  );
  const exchangeRows = listedCompanies.map(({ cik, name, ticker }) => [cik, name, ticker, 'NYSE']);
  writeFileSync(join(folder, 'files/company_tickers.json'), JSON.stringify(tickerEntriesByIndex));
  writeFileSync(
    join(folder, 'files/company_tickers_exchange.json'),
    JSON.stringify({ fields: ['cik', 'name', 'ticker', 'exchange'], data: exchangeRows }),
  );
  return folder;
}

export const makeCikFileName = (cik: number): string => `CIK${String(cik).padStart(10, '0')}.json`;

/** Returns company facts as JSON, with figures in the digits in which they were filed. */
export function makeFactsJson({ cik, name, facts }: SourceCompany): string {
  const conceptsByTaxonomy: Record<
    string,
    Record<string, { label: null; description: null; units: Record<string, unknown[]> }>
  > = {};
  for (const fact of facts) {
    const concepts = conceptsByTaxonomy[fact.taxonomy] ?? {};
    const concept = concepts[fact.concept] ?? { label: null, description: null, units: {} };
    const rows = concept.units[fact.unit] ?? [];
    conceptsByTaxonomy[fact.taxonomy] = concepts;
    concepts[fact.concept] = concept;
    concept.units[fact.unit] = rows;
    rows.push({
      ...(fact.start === null ? {} : { start: fact.start }),
      end: fact.end,
      val: `<${fact.value}>`,
      accn: fact.accession,
      fy: fact.focusYear,
      fp: fact.focusPeriod,
      form: fact.form,
      filed: fact.filed,
      ...(fact.frame === null ? {} : { frame: fact.frame }),
    });
  }
  return JSON.stringify({ cik, entityName: name, facts: conceptsByTaxonomy }).replace(/"<([^>]*)>"/g, '$1');
}

export function makeSubmissionsJson({
  cik,
  name,
  ticker,
  facts,
  sic = '',
  sicDescription = '',
}: SourceCompany): string {
  const factsOfFilings = [...new Map(facts.map((fact) => [fact.accession, fact])).values()];
  const recentFilings = {
    accessionNumber: factsOfFilings.map(({ accession }) => accession),
    filingDate: factsOfFilings.map(({ filed }) => filed),
    reportDate: factsOfFilings.map(() => ''),
    acceptanceDateTime: factsOfFilings.map(({ filed }) => `${filed}T16:30:00.000Z`),
    form: factsOfFilings.map(({ form }) => form),
    items: factsOfFilings.map(() => ''),
    primaryDocument: factsOfFilings.map(() => 'report.htm'),
  };
  return JSON.stringify({
    cik: String(cik).padStart(10, '0'),
    name,
    sic,
    sicDescription,
    tickers: ticker === '' ? [] : [ticker],
    exchanges: ticker === '' ? [] : ['NYSE'],
    filings: { recent: recentFilings, files: [] },
  });
}
