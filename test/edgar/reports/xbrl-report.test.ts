import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openArchive } from '../../../src/edgar/files/archive.ts';
import { XmlError } from '../../../src/edgar/files/xml.ts';
import { readDisplayedNumber, readXbrlReports, type TaggedFact } from '../../../src/edgar/reports/xbrl-report.ts';
import { expectOfFiles, getPublicFilePath, testWithPublicFile } from '../../public-files.ts';
import { readXbrlReport } from './read-report.ts';

const NAMESPACES = `xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2013/inlineXBRL"
  xmlns:xbrli="http://www.xbrl.org/2003/instance" xmlns:xbrldi="http://xbrl.org/2006/xbrldi"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:gaap="http://fasb.org/us-gaap/2024"
  xmlns:srt="http://fasb.org/srt/2024" xmlns:dei="http://xbrl.sec.gov/dei/2024" xmlns:a="http://example.com/a"
  xmlns:ixt="http://www.xbrl.org/inlineXBRL/transformation/2022-02-16"`;

const makeContext = (id: string, period: string, segment = '') => `<xbrli:context id="${id}"><xbrli:entity>
  <xbrli:identifier scheme="http://www.sec.gov/CIK">0000000042</xbrli:identifier>${segment}</xbrli:entity>
  <xbrli:period>${period}</xbrli:period></xbrli:context>`;

const YEAR_PERIOD = '<xbrli:startDate>2024-01-01</xbrli:startDate><xbrli:endDate>2024-12-31</xbrli:endDate>';
const PRODUCT_MEMBER =
  '<xbrldi:explicitMember dimension="srt:ProductOrServiceAxis"> a:ThingMember </xbrldi:explicitMember>';

/** Returns an inline document with its facts before its contexts, as in the documents of some filers. */
const makeDocument = (body: string, extraContent = '') => `<?xml version="1.0"?>
<html ${NAMESPACES}><body>${body}
<div style="display:none"><ix:header><ix:hidden>
  <ix:nonNumeric name="dei:DocumentType" contextRef="y">10-K</ix:nonNumeric>
  <ix:nonNumeric name="dei:EntityCentralIndexKey" contextRef="y">0000000042</ix:nonNumeric>
  <ix:nonNumeric name="dei:DocumentFiscalYearFocus" contextRef="y">2024</ix:nonNumeric>
  <ix:nonFraction name="gaap:Assets" contextRef="d" unitRef="usd" decimals="-6" scale="6" id="h1">7</ix:nonFraction>
</ix:hidden><ix:resources>
  ${makeContext('y', YEAR_PERIOD)}
  ${makeContext('p', YEAR_PERIOD, `<xbrli:segment>${PRODUCT_MEMBER}</xbrli:segment>`)}
  ${makeContext('t', YEAR_PERIOD, '<xbrli:segment><xbrldi:typedMember dimension="a:NumberAxis"><a:n>7</a:n></xbrldi:typedMember></xbrli:segment>')}
  ${makeContext('d', '<xbrli:instant>2024-12-31</xbrli:instant>')}
  ${makeContext('bad', '<xbrli:instant>2024-02-30T00:00:00</xbrli:instant>')}
  <xbrli:unit id="usd"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit>
  <xbrli:unit id="eps"><xbrli:divide><xbrli:unitNumerator><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unitNumerator>
    <xbrli:unitDenominator><xbrli:measure>xbrli:shares</xbrli:measure></xbrli:unitDenominator></xbrli:divide></xbrli:unit>
  ${extraContent}
</ix:resources></ix:header></div></body></html>`;

const parseReport = (text: string) => readXbrlReport(Buffer.from(text));
const makeFact = (name: string, attributes: string, text: string) =>
  `<ix:nonFraction name="${name}" unitRef="usd" decimals="-6" scale="6" format="ixt:num-dot-decimal" ${attributes}>${text}</ix:nonFraction>`;

test.each(['\n', ' \t\r\n', '\ufeff', '\ufeff\n', '\n\ufeff', ' '.repeat(70_000)])(
  'a report is read although %j precedes its XML declaration',
  (prefix) => {
    const report = parseReport(`${prefix}${makeDocument(makeFact('gaap:Revenues', 'contextRef="y"', '1'))}`);
    expect(report).toMatchObject({ form: '10-K', facts: [{ concept: 'us-gaap:Revenues' }, {}] });
  },
);

test('the error of a document with an unclosed element names the element, and the lines of both', () => {
  const text = makeDocument('').replace('</xbrli:context>', '');
  const lineOfContext = text.slice(0, text.indexOf('<xbrli:context')).split('\n').length;
  const lineOfFault = text.slice(0, text.indexOf('</ix:resources>')).split('\n').length;
  expect(() => parseReport(text)).toThrow(
    new RegExp(`^${lineOfFault}:\\d+: .*<xbrli:context>, which starts on line ${lineOfContext}, is not closed`),
  );
  expect(() => parseReport(makeDocument('').replace('</body></html>', ''))).toThrow(/<body>.* is not closed/);
});

test('the form of an amendment ends in /A although its cover states the form of the original', () => {
  const makeFlag = (flag: string) =>
    makeDocument(`<ix:nonNumeric name="dei:AmendmentFlag" contextRef="y">${flag}</ix:nonNumeric>
      <ix:nonNumeric name="dei:DocumentPeriodEndDate" contextRef="y">December 28, 2024</ix:nonNumeric>`);
  expect(parseReport(makeFlag('true'))).toMatchObject({ form: '10-K/A', coverPeriodEnd: '2024-12-28' });
  expect(parseReport(makeFlag('FALSE'))).toMatchObject({ form: '10-K', periodEnd: '2024-12-31' });
});

test('the facts of an inline document have standard names, exact values, and the element that states them', () => {
  const report = parseReport(
    makeDocument(`<table><tr><td>$ ${makeFact('gaap:Revenues', 'contextRef="y" id="f-1"', '1,2<b>34</b>')}</td>
      <td>(${makeFact('gaap:Revenues', 'contextRef="p" id="f-2" sign="-"', '5')})</td></tr></table>`),
  );
  expect(report).toMatchObject({ kind: 'inline', cik: 42, form: '10-K', periodEnd: '2024-12-31', focusYear: 2024 });
  expect(report.facts).toEqual([
    {
      concept: 'us-gaap:Revenues',
      unit: 'USD',
      start: '2024-01-01',
      end: '2024-12-31',
      value: '1234000000',
      decimals: -6,
      dimensions: [],
      location: { contextId: 'y', elementId: 'f-1', isHidden: false },
    },
    expect.objectContaining({
      value: '-5000000',
      dimensions: [{ axis: 'srt:ProductOrServiceAxis', member: 'a:ThingMember' }],
    }),
    expect.objectContaining({
      concept: 'us-gaap:Assets',
      start: null,
      location: { contextId: 'd', elementId: 'h1', isHidden: true },
    }),
  ]);
});

test('a number tagged with two concepts is a fact of each concept, without excluded text', () => {
  const innerFact = makeFact('gaap:Revenues', 'contextRef="y" id="in"', '8<ix:exclude>(note 1)</ix:exclude>0');
  const { facts } = parseReport(makeDocument(makeFact('a:Sales', 'contextRef="y" id="out"', innerFact)));
  expect(facts.slice(0, 2).map((fact) => [fact.concept, fact.value])).toEqual([
    ['us-gaap:Revenues', '80000000'],
    ['a:Sales', '80000000'],
  ]);
});

test('a fact with a typed dimension is not taken for the total', () => {
  const { facts } = parseReport(makeDocument(makeFact('gaap:Revenues', 'contextRef="t"', '1')));
  expect(facts[0]?.dimensions).toEqual([{ axis: 'a:NumberAxis', member: null }]);
});

test('unreadable facts are skipped and counted by reason', () => {
  const { facts, skipped } = parseReport(
    makeDocument(
      makeFact('gaap:A', 'contextRef="nowhere"', '1') +
        makeFact('gaap:A', 'contextRef="bad"', '1') +
        makeFact('gaap:A', 'contextRef="y" xsi:nil="true"', '') +
        makeFact('gaap:A', 'contextRef="y"', 'about five') +
        makeFact('gaap:A', 'contextRef="y"', '1').replace('usd', 'pounds') +
        makeFact('gaap:A', 'contextRef="y"', '1').replace('name="gaap:A"', ''),
    ),
  );
  expect(facts).toHaveLength(1);
  expect(skipped).toEqual({
    'an XBRL fact without a value (nil)': 1,
    'an XBRL fact whose context is missing or invalid': 2,
    'an XBRL fact with an unknown unit of measure': 1,
    'an XBRL fact without a name': 1,
    'an XBRL number that cannot be read': 1,
  });
});

test('units are written as in company facts', () => {
  const epsFact = makeFact('gaap:EarningsPerShareDiluted', 'contextRef="y"', '6.08')
    .replace('usd', 'eps')
    .replace('scale="6"', '');
  expect(parseReport(makeDocument(epsFact)).facts[0]).toMatchObject({ unit: 'USD/shares', value: '6.08' });
});

test('an XBRL instance gives a report with the same fields as an inline document', () => {
  const report =
    parseReport(`<xbrl xmlns="http://www.xbrl.org/2003/instance" xmlns:us-gaap="http://xbrl.us/us-gaap/2009-01-31"
    xmlns:dei="http://xbrl.us/dei/2009-01-31" xmlns:xbrli="http://www.xbrl.org/2003/instance">
    ${makeContext('y', YEAR_PERIOD)}<unit id="u"><measure>iso4217:USD</measure></unit>
    <dei:DocumentType contextRef="y">10-Q</dei:DocumentType>
    <us-gaap:SalesRevenueNet contextRef="y" unitRef="u" decimals="INF">0012.50</us-gaap:SalesRevenueNet></xbrl>`);
  expect(report).toMatchObject({ kind: 'instance', form: '10-Q' });
  expect(report.facts).toMatchObject([{ concept: 'us-gaap:SalesRevenueNet', value: '12.50', decimals: null }]);
});

test('facts of a co-registrant are skipped and counted', () => {
  const subsidiaryContext = makeContext('s', YEAR_PERIOD).replace('0000000042', '0000000077');
  const body = `${makeFact('gaap:Revenues', 'contextRef="y"', '62,753')}${makeFact('gaap:Revenues', 'contextRef="s"', '1,000')}`;
  const report = parseReport(makeDocument(body, subsidiaryContext));
  expect(report.cik).toBe(42);
  expect(report.facts.filter(({ concept }) => concept === 'us-gaap:Revenues')).toMatchObject([
    { value: '62753000000' },
  ]);
  expect(report.skipped).toMatchObject({ 'an XBRL fact about another company': 1 });
});

test('an exhibit may use contexts of the report, and belongs to the same filing', () => {
  const exhibit = `<html ${NAMESPACES}><body>${makeFact('gaap:Revenues', 'contextRef="y" id="x-1"', '62,753')}</body></html>`;
  const [report, exhibitReport] = readXbrlReports([Buffer.from(makeDocument('')), Buffer.from(exhibit)]);
  expect(report?.facts.map(({ concept }) => concept)).toEqual(['us-gaap:Assets']);
  expect(exhibitReport).toMatchObject({ kind: 'inline', cik: 42, form: '10-K', periodEnd: '2024-12-31', skipped: {} });
  expect(exhibitReport?.facts).toMatchObject([
    { value: '62753000000', location: { contextId: 'y', elementId: 'x-1', isHidden: false } },
  ]);
  expect(parseReport(exhibit)).toMatchObject({
    facts: [],
    skipped: { 'an XBRL fact whose context is missing or invalid': 1 },
  });
});

test('malformed documents, deeply nested documents, and documents that define entities are refused', () => {
  expect(() => parseReport(makeDocument('<p>'))).toThrow(XmlError);
  expect(() => parseReport(makeDocument('<p>'.repeat(5000) + '</p>'.repeat(5000)))).toThrow('levels deep');
  const entityBomb = `<!DOCTYPE html [<!ENTITY a "1111111111">]>${makeDocument(makeFact('gaap:A', 'contextRef="y"', '&a;')).replace(/^<\?xml.*\?>/, '')}`;
  expect(() => parseReport(entityBomb)).toThrow(XmlError);
});

testWithPublicFile(
  'filings.zip',
  'the facts of an inline document equal those of its instance, digit by digit',
  async () => {
    const archive = await openArchive(getPublicFilePath('filings.zip'));
    const readKindAndFactTexts = async (name: string) => {
      const { facts: taggedFacts, kind } = readXbrlReport(await archive.read(name));
      const formatFact = ({ concept, unit, start, end, value, dimensions }: TaggedFact) =>
        JSON.stringify([concept, unit, start, end, value.replace(/\.0$/, ''), dimensions]);
      return { kind, texts: [...new Set(taggedFacts.map(formatFact))].sort() };
    };
    const inlineFacts = await readKindAndFactTexts('aapl-20250329.htm');
    const instanceFacts = await readKindAndFactTexts('aapl-20250329_htm.xml');
    archive.close();
    expect([inlineFacts.kind, instanceFacts.kind]).toEqual(['inline', 'instance']);
    expect(inlineFacts.texts).toHaveLength(expectOfFiles(612, 322));
    expect(inlineFacts.texts).toEqual(instanceFacts.texts);
  },
);

// The reports are divided into two tests, because together they have fifty megabytes.
for (const halfIndex of [0, 1]) {
  testWithPublicFile(
    'instances.zip',
    `real reports have a CIK, form and period, and fewer than 150 unreadable facts (${halfIndex + 1} of 2)`,
    async () => {
      const archive = await openArchive(getPublicFilePath('instances.zip'));
      const names = archive.names.filter((entry) => /\.html$|_htm\.xml$|^msft-\d+\.xml$/.test(entry));
      expect(names).toHaveLength(expectOfFiles(29, 8));
      for (const name of names.filter((_, index) => index % 2 === halfIndex)) {
        const report = readXbrlReport(await archive.read(name));
        expect(report.cik, name).toBeGreaterThan(0);
        expect(report.form, name).toMatch(/^10-[KQ](?:\/A)?$/);
        expect(report.periodEnd, name).toMatch(/^20\d\d-\d\d-\d\d$/);
        const skippedCount = Object.values(report.skipped).reduce((sum, count) => sum + count, 0);
        expect(skippedCount, name).toBeLessThan(150);
      }
      archive.close();
    },
  );
}

const readNumberFromText = (text: string, attributes: { format?: string; scale?: string; sign?: string } = {}) =>
  readDisplayedNumber({ text, format: attributes.format, scale: attributes.scale, sign: attributes.sign });

test.each([
  ['391,035', 'ixt:num-dot-decimal', '6', undefined, '391035000000'],
  ['6.0', 'ixt:num-dot-decimal', '9', undefined, '6000000000'],
  ['16.1', 'ixt:num-dot-decimal', '-2', undefined, '0.161'],
  ['6.08', 'ixt:num-dot-decimal', undefined, undefined, '6.08'],
  ['2.30', 'ixt:num-dot-decimal', '0', '-', '-2.30'],
  ['1 234 567,8', 'ixt:num-comma-decimal', '3', undefined, '1234567800'],
  ['1.234,50', 'ixt:numcommadecimal', '0', undefined, '1234.50'],
  ['\u2014', 'ixt:fixed-zero', '6', '-', '0'],
  ['\u2014', 'ixt:zerodash', '6', undefined, '0'],
  ['three', 'ixt-sec:numwordsen', undefined, undefined, '3'],
  ['No', 'ixt-sec:numwordsen', undefined, undefined, '0'],
  [' 15,115,823,000 ', 'ixt:num-dot-decimal', '0', undefined, '15115823000'],
  ['1,000', 'ixt:num-dot-decimal', '15', undefined, '1000000000000000000'],
  ['42', undefined, undefined, undefined, '42'],
])('the text %s in format %s, scale %s and sign %s is %s', (text, format, scale, sign, value) => {
  expect(
    readNumberFromText(text, { ...(format && { format }), ...(scale && { scale }), ...(sign && { sign }) }),
  ).toEqual({
    value,
  });
});

test.each([
  ['(5,000)', 'ixt:num-dot-decimal', '6', 'an XBRL number that cannot be read'],
  ['5,000', undefined, undefined, 'an XBRL number that cannot be read'],
  ['n/a', 'ixt:num-dot-decimal', '0', 'an XBRL number that cannot be read'],
  ['', 'ixt:num-dot-decimal', '0', 'an XBRL number that cannot be read'],
  ['forty thousand', 'ixt-sec:numwordsen', undefined, 'an XBRL number in words that cannot be read'],
  ['P2Y', 'ixt-sec:durwordsen', undefined, 'an XBRL number in an unknown format'],
  ['5', 'ixt:num-dot-decimal', '999999', 'an XBRL number whose scale cannot be read'],
  ['9'.repeat(300), 'ixt:num-dot-decimal', '0', 'an XBRL number that cannot be read'],
])('the text %s in format %s and scale %s is refused', (text, format, scale, reason) => {
  expect(readNumberFromText(text, { ...(format && { format }), ...(scale && { scale }) })).toBe(reason);
});

test('every displayed digit is read', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.integer({ min: 0, max: 12 }), (value, scale) => {
      const text = value.toString().replace(/\B(?=(?:\d{3})+$)/g, ',');
      expect(readNumberFromText(text, { format: 'ixt:num-dot-decimal', scale: String(scale) })).toEqual({
        value: (value * 10n ** BigInt(scale)).toString(),
      });
    }),
  );
});
