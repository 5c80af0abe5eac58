import { expect, test } from 'vitest';
import { labelMember } from '../../../src/figures/segments/axes.ts';

test.each([
  ['country:GB', 'United Kingdom'],
  ['US', 'United States'],
  ['aapl:IPhoneMember', 'IPhone'],
  ['aapl:RestOfAsiaPacificSegmentMember', 'Rest of Asia Pacific'],
  ['nvda:OEMAndOtherMember', 'OEM and Other'],
  ['us-gaap:NonUsMember', 'Non-US'],
  ['us-gaap:AllOtherSegmentsMember', 'All Other'],
  ['PrintAndPublishing', 'Print and Publishing'],
  ['x:SegmentMember', 'Segment'],
  ['crm:MarketingandCommerceCloudMember', 'Marketing and Commerce Cloud'],
  ['pg:SkinandPersonalCareMember', 'Skin and Personal Care'],
  ['x:IndustrialandMarineMember', 'Industrial and Marine'],
  ['x:RestofWorldMember', 'Rest of World'],
  ['x:ProductsandServicesMember', 'Products and Services'],
  ['x:NewZealandMember', 'New Zealand'],
  ['x:ThailandOperationsMember', 'Thailand Operations'],
  ['x:IrelandRegionMember', 'Ireland Region'],
  ['x:BrandLicensingMember', 'Brand Licensing'],
  ['x:DemandSideMember', 'Demand Side'],
  ['x:RoofTilesMember', 'Roof Tiles'],
])('the member %s has the label %s', (member, label) => {
  expect(labelMember(member, new Map())).toBe(label);
});

test("a member has the filer's label, but a country its standard name", () => {
  expect(labelMember('aapl:IPhoneMember', new Map([['aapl:IPhoneMember', 'iPhone']]))).toBe('iPhone');
  expect(labelMember('country:US', new Map([['country:US', 'UNITED STATES']]))).toBe('United States');
});
