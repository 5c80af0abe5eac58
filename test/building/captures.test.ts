/** Company facts as captured on different days, and written in different ways, give the same revision chains. */
import { expect } from 'vitest';
import { type CompanyFacts, readCompanyFacts } from '../../src/edgar/facts/company-facts.ts';
import { openArchive } from '../../src/edgar/files/archive.ts';
import { deriveCompanyFigures, isConceptUsed } from '../../src/figures/company.ts';
import { type ReportedValue, splitIntoChains } from '../../src/figures/revisions/revision-chain.ts';
import { assertDefined } from '../../src/platform/collections.ts';
import { expectOfFiles, getPublicFilePath, selectOfFiles, testWithPublicFile } from '../public-files.ts';

const RELEASE_DATE = '2026-12-31';

const readFacts = (source: string): CompanyFacts => readCompanyFacts(source, { isConceptWanted: isConceptUsed });

function deriveChains({ facts }: CompanyFacts): ReportedValue[][] {
  return splitIntoChains(deriveCompanyFigures(facts, [], { releaseDate: RELEASE_DATE }).reportedValues);
}

interface Capture {
  /** CIK0000320193-2026-01-30.json; the newest capture has no day. */
  readonly name: string;
  readonly text: string;
}

/** Returns the captures of the companies of which there are several, oldest first by company. */
async function readCaptures(): Promise<Capture[][]> {
  const earlier = await openArchive(getPublicFilePath('companyfacts-earlier.zip'));
  const newest = await openArchive(getPublicFilePath('companyfacts.zip'));
  const readCapture = async (archive: typeof earlier, name: string): Promise<Capture> => ({
    name,
    text: String(assertDefined(await archive.read(name))),
  });
  const captures: Capture[][] = [];
  for (const company of new Set(earlier.names.map((name) => name.slice(0, 'CIK0000320193'.length)))) {
    const earlierNames = earlier.names.filter((name) => name.startsWith(company)).sort();
    captures.push([
      ...(await Promise.all(earlierNames.map((name) => readCapture(earlier, name)))),
      await readCapture(newest, `${company}.json`),
    ]);
  }
  earlier.close();
  newest.close();
  return captures;
}

const makeKey = ({ metricKey, unit, start, end }: ReportedValue) => `${metricKey} ${unit} ${start} ${end}`;

/** Returns the value without its frame, which the SEC moves to the newest report of a period. */
const omitFrame = ({ frame: _, ...fields }: ReportedValue) => fields;

testWithPublicFile(
  'companyfacts-earlier.zip',
  'every chain of an older capture is the beginning of the chain of each newer capture, with the same kinds',
  async () => {
    let comparisonCount = 0;
    for (const captures of await readCaptures()) {
      const chainsOfCaptures = captures.map(({ text }) => deriveChains(readFacts(text)));
      for (const [index, olderChains] of chainsOfCaptures.entries()) {
        for (const newerChains of chainsOfCaptures.slice(index + 1)) {
          const newerChainByKey = new Map(newerChains.map((chain) => [makeKey(assertDefined(chain[0])), chain]));
          const changedKeys = olderChains
            .filter((chain) => {
              const newerChain = newerChainByKey.get(makeKey(assertDefined(chain[0]))) ?? [];
              const beginning = newerChain.slice(0, chain.length).map(omitFrame);
              return JSON.stringify(beginning) !== JSON.stringify(chain.map(omitFrame));
            })
            .map((chain) => `${captures[index]?.name} ${makeKey(assertDefined(chain[0]))}`);
          expect(changedKeys).toEqual([]);
          // Values that only the newer capture has were filed on or after the older capture's day, except in DEF 14A.
          const captureDay = captures[index]?.name.slice('CIK0000320193-'.length, -'.json'.length) ?? '';
          const lengthByKey = new Map(olderChains.map((chain) => [makeKey(assertDefined(chain[0])), chain.length]));
          const addedValues = [...newerChainByKey].flatMap(([key, chain]) =>
            chain.slice(lengthByKey.get(key) ?? chain.length),
          );
          expect(addedValues.filter(({ filed, form }) => filed < captureDay && form !== 'DEF 14A')).toEqual([]);
          expect(newerChains.flat().length).toBeGreaterThan(olderChains.flat().length + 100);
          comparisonCount += 1;
        }
      }
    }
    expect(comparisonCount).toBeGreaterThanOrEqual(expectOfFiles(8, 4));
  },
);

const reverseKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reverseKeys(member)]),
  );
};

/** Returns the file in other spellings of the same JSON, by name. Values pass as text, because numbers lose digits. */
function respell(text: string): ReadonlyMap<string, string> {
  const file: { readonly cik?: number } = JSON.parse(text.replace(/"val":\s*([^,}\s]+)/g, '"val":"~$1"'));
  const unquoteValues = (json: string) => json.replace(/"~([^"]+)"/g, '$1');
  return new Map(
    Object.entries({
      indented: JSON.stringify(file, null, 2),
      'with tabs and CRLF': JSON.stringify(file, null, '\t').replaceAll('\n', '\r\n'),
      'with keys in reverse order': JSON.stringify(reverseKeys(file)),
      'with the CIK as text': JSON.stringify({ ...file, cik: String(file.cik).padStart(10, '0') }),
    }).map(([name, json]) => [name, unquoteValues(json)]),
  );
}

testWithPublicFile(
  'companyfacts-earlier.zip',
  'company facts with other spacing, order of keys or CIK as text give the same chains',
  async () => {
    for (const captures of selectOfFiles(await readCaptures(), 3)) {
      const { name, text } = assertDefined(captures[0]);
      const facts = readFacts(text);
      const chains = JSON.stringify(deriveChains(facts));
      for (const [spelling, respelledText] of respell(text)) {
        const respelledFacts = readFacts(respelledText);
        expect(respelledFacts.cik).toBe(facts.cik);
        expect(respelledFacts.skipped).toEqual(facts.skipped);
        // The same facts in the same order have the same chains.
        const areSameFacts = JSON.stringify(respelledFacts.facts) === JSON.stringify(facts.facts);
        expect(areSameFacts || JSON.stringify(deriveChains(respelledFacts)) === chains, `${name} ${spelling}`).toBe(
          true,
        );
      }
    }
  },
);
