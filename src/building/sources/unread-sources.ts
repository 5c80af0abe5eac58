/** Finds source files from which nothing was read, so that a wrongly named or empty file does not go unnoticed. */
import { basename } from 'node:path';
import { useArchive } from '../../edgar/files/archive.ts';
import { isZip, type ListedFile } from '../../edgar/files/list-files.ts';
import type { SkippedRowCounts } from '../../edgar/files/skipped-rows.ts';
import { mayContainIndexes } from '../../edgar/filings/listing-files.ts';
import { isThirteenFFile } from '../../edgar/holdings/thirteen-f-files.ts';
import { isOwnershipFile } from '../../edgar/insiders/ownership-files.ts';
import { isReportsFile } from '../../edgar/reports/report-files.ts';
import { getOrInsert, sumNumbers } from '../../platform/collections.ts';
import { throwIfMachineFault } from '../../platform/files/system-error.ts';
import { isPriceFile } from '../market/file-prices.ts';
import type { RecordCounts } from '../tasks/reading.ts';

interface SourceKind {
  readonly matches: (file: ListedFile) => boolean;
  /** Description of the required contents, for the message about an unread file. */
  readonly contents: string;
  /** Whether each file is one document. Only a whole folder without any readable document is reported. */
  readonly hasDocuments?: true;
}

const wholeFile = (contents: string, matches: SourceKind['matches']): SourceKind => ({ contents, matches });
const documents = (contents: string, matches: SourceKind['matches']): SourceKind => {
  return { contents, matches, hasDocuments: true };
};

const SOURCE_KINDS: readonly SourceKind[] = [
  wholeFile(
    'a data set of Forms 4 and 5, with SUBMISSION.tsv, REPORTINGOWNER.tsv, NONDERIV_TRANS.tsv and FOOTNOTES.tsv',
    ({ name }) => /_form345\.zip$/i.test(name) && isOwnershipFile(name),
  ),
  documents('Forms 4 and 5, as .xml, .txt or .nc files', ({ name }) => isOwnershipFile(name)),
  documents(
    'reports on Form 13F: cover pages and information tables (.xml), full submissions (.txt) or a data set with INFOTABLE.tsv',
    isThirteenFFile,
  ),
  wholeFile('rows of fails to deliver, below a header that begins with SETTLEMENT DATE|CUSIP|SYMBOL', (file) =>
    isPriceFile('fails', file),
  ),
  wholeFile('an N-PORT data set, with SUBMISSION.tsv and FUND_REPORTED_HOLDING.tsv', (file) =>
    isPriceFile('funds', file),
  ),
  wholeFile("rows of an exchange's prices", (file) => isPriceFile('venue', file)),
  documents('XBRL reports (.xml or .htm) whose contexts name the CIK of a company', isReportsFile),
  wholeFile(
    'indexes of filings (.idx), or pages of filings named <accession number>-index.html',
    ({ name }) => mayContainIndexes(name) && !/\.html?$/i.test(name),
  ),
  documents('pages of filings, with the accession number, the form and the filing date', ({ name }) =>
    mayContainIndexes(name),
  ),
];

interface UnreadSourceOptions {
  readonly recordCounts: RecordCounts;
  /** Names of statement data sets, which are recognized by their content. */
  readonly statementSetNames: ReadonlySet<string>;
  /** Names of the files of companies and tickers. */
  readonly companyFileNames: ReadonlySet<string>;
  readonly skipped: SkippedRowCounts;
  /** Problems found before. Files with a problem are not reported again. */
  readonly knownProblems: readonly string[];
}

/**
 * Counts each source file, and each folder of documents, from which nothing was read, and each zip that is no source.
 * Returns a sentence about each.
 */
export async function findUnreadSources(
  listed: readonly ListedFile[],
  { recordCounts, statementSetNames, companyFileNames, skipped, knownProblems }: UnreadSourceOptions,
): Promise<readonly string[]> {
  const kinds: readonly SourceKind[] = [
    wholeFile('rows of a financial statement data set in the tables sub and num', ({ name }) =>
      statementSetNames.has(name),
    ),
    ...SOURCE_KINDS,
  ];
  const hasProblem = ({ name }: ListedFile) =>
    knownProblems.some((problem) => problem.startsWith(name) || problem.startsWith(basename(name)));
  const problems: string[] = [];
  const sources = new Map<string, { readonly name: string; readonly contents: string; readonly files: ListedFile[] }>();
  for (const file of listed) {
    if (companyFileNames.has(file.name)) continue;
    const kind = kinds.find(({ matches }) => matches(file));
    if (kind !== undefined) {
      const { contents } = kind;
      const name = kind.hasDocuments === true && !isZip(file) ? getTopFolder(file.name) : file.name;
      getOrInsert(sources, `${name} ${contents}`, () => ({ name, contents, files: [] })).files.push(file);
    } else if (isZip(file) && !hasProblem(file)) {
      skipped.add('a zip that is not a known source');
      problems.push(
        `${file.name}: the zip was not read, because neither its path nor its content is that of a known source; rename it to its name on the SEC's site, such as companyfacts.zip, or remove it (see "fin help guide")`,
      );
    }
  }
  for (const source of sources.values()) {
    const records = sumNumbers(source.files.map(({ name }) => recordCounts.get(name) ?? 0));
    if (records > 0 || source.files.some(hasProblem)) continue;
    skipped.add('a source from which nothing was read');
    problems.push(
      `${source.name}: nothing was read from this source, because ${await describeContents(source.name, source.files)} ${source.contents}; replace or remove it`,
    );
  }
  return problems;
}

/** Returns the first folder of a path, with a slash; for a path without folders, the whole path. */
const getTopFolder = (name: string): string => name.slice(0, name.indexOf('/') + 1) || name;

/** Returns a phrase about what a source contains, which ends before the words for what it should contain. */
async function describeContents(source: string, files: readonly ListedFile[]): Promise<string> {
  const [first] = files;
  if (first === undefined) return 'it does not contain';
  if (source !== first.name) return describeNames(files.map(({ name }) => name));
  if (first.bytes === 0) return 'the file is empty; it should contain';
  if (!isZip(first)) return 'the file does not contain';
  try {
    const names = await useArchive(first.path, undefined, 'path', (archive) => archive.names);
    return names.length === 0 ? 'the zip is empty; it should contain' : describeNames(names);
  } catch (cause) {
    throwIfMachineFault(first.name, cause);
    return 'the zip does not contain';
  }
}

const describeNames = (names: readonly string[]): string =>
  names.length === 1
    ? `its only file, ${names[0]}, does not contain`
    : `none of its ${names.length} files, such as ${names[0]}, contains`;
