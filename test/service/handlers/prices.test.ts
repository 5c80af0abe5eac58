import { expect, test } from 'vitest';
import type { PriceSource } from '../../../src/figures/prices/price-observations.ts';
import { resolveDayRange } from '../../../src/service/handlers/prices/prices.ts';
import { makeAttribution } from '../../../src/service/handlers/prices/security-prices.ts';

test("a range of prices ends on the release's date, and begins a year before by default", () => {
  const selectRange = (parameters: Partial<Parameters<typeof resolveDayRange>[0]>) =>
    resolveDayRange({ range: null, from: null, to: null, ...parameters }, '2024-05-31', '2020-11-30');
  expect(selectRange({})).toEqual({ from: '2023-05-31', to: '2024-05-31' });
  expect(selectRange({ range: '3m' })).toEqual({ from: '2024-02-29', to: '2024-05-31' });
  expect(selectRange({ range: 'max' })).toEqual({ from: '2020-11-30', to: '2024-05-31' });
  expect(selectRange({ from: '2021-01-01' })).toEqual({ from: '2021-01-01', to: '2024-05-31' });
  expect(selectRange({ to: '2021-01-01' })).toEqual({ from: '2020-01-01', to: '2021-01-01' });
});

test('the attribution names exactly the sources of the prices', () => {
  const venueAttributions = [{ text: 'Data provided for free by A Venue.', url: 'https://venue.example/terms' }];
  expect(makeAttribution(new Set<PriceSource>(['fails', 'nport']), venueAttributions)).toEqual({
    text: 'Prices derived from public data of the U.S. Securities and Exchange Commission: fails-to-deliver data and fund holdings of Form N-PORT.',
    url: 'https://www.sec.gov/about/privacy-information#dissemination',
  });
  expect(makeAttribution(new Set<PriceSource>(['venue']), venueAttributions)).toEqual(venueAttributions[0]);
  expect(makeAttribution(new Set<PriceSource>(['venue', 'fails']), venueAttributions)?.text).toBe(
    'Data provided for free by A Venue. Prices derived from public data of the U.S. Securities and Exchange Commission: fails-to-deliver data.',
  );
  expect(makeAttribution(new Set(), venueAttributions)).toBeNull();
});
