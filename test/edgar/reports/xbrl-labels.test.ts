import { expect, test } from 'vitest';
import { openArchive } from '../../../src/edgar/files/archive.ts';
import { readLabels } from '../../../src/edgar/reports/xbrl-labels.ts';
import { getPublicFilePath, testWithPublicFile } from '../../public-files.ts';

const makeLinkbase = (
  content: string,
) => `<?xml version="1.0"?><link:linkbase xmlns:link="http://www.xbrl.org/2003/linkbase"
  xmlns:xlink="http://www.w3.org/1999/xlink"><link:labelLink>${content}</link:labelLink></link:linkbase>`;
const ROLE_PREFIX = 'http://www.xbrl.org/2003/role/';

test('the standard label of a member is used, whatever other labels it has', () => {
  const labels = readLabels(
    Buffer.from(
      makeLinkbase(`
    <link:loc xlink:label="l" xlink:href="a-20241231.xsd#a_BigThingMember"/>
    <link:label xlink:label="x" xlink:role="${ROLE_PREFIX}terseLabel">Thing</link:label>
    <link:label xlink:label="y" xlink:role="${ROLE_PREFIX}label">Big &amp;
      Thing [Member]</link:label>
    <link:label xlink:label="z" xlink:role="${ROLE_PREFIX}documentation">A thing that is big.</link:label>
    <link:labelArc xlink:from="l" xlink:to="x"/><link:labelArc xlink:from="l" xlink:to="y"/>
    <link:labelArc xlink:from="l" xlink:to="z"/>`),
    ),
  );
  expect([...labels]).toEqual([['a:BigThingMember', 'Big & Thing']]);
});

test('a label of a million spaces is read in linear time', () => {
  // In quadratic time, a text of this length would take longer than the timeout of the test.
  const label = `<link:label xlink:label="y" xlink:role="${ROLE_PREFIX}label">A${' '.repeat(1_000_000)}B</link:label>`;
  const content = `<link:loc xlink:label="l" xlink:href="#a_b"/>${label}<link:labelArc xlink:from="l" xlink:to="y"/>`;
  expect(readLabels(Buffer.from(makeLinkbase(content))).get('a:b')).toBe('A');
});

testWithPublicFile('instances.zip', "Apple's own labels are read", async () => {
  const archive = await openArchive(getPublicFilePath('instances.zip'));
  const labels = readLabels(await archive.read('aapl-20230930_lab.xml'));
  archive.close();
  expect(labels.get('aapl:IPhoneMember')).toBe('iPhone');
  expect(labels.get('aapl:WearablesHomeandAccessoriesMember')).toBe('Wearables, Home and Accessories');
  expect(labels.get('us-gaap:RestrictedStockUnitsRSUMember')).toBe('Restricted Stock Units (RSUs)');
});
