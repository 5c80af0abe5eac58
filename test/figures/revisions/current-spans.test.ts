import { expect, test } from 'vitest';
import { deriveCurrentSpans } from '../../../src/figures/revisions/current-spans.ts';
import { selectValueAsOf, splitIntoChains } from '../../../src/figures/revisions/revision-chain.ts';
import { openSample } from '../../service/sample.ts';

const { release } = openSample();

test('spans of current values do not overlap, and on every day the span that includes the day has the current value', async () => {
  let [revisedCount, contradictedCount] = [0, 0];
  for (const { cik } of (await release.companies()).filter((_, index) => index % 16 === 0)) {
    for (const chain of splitIntoChains(await release.reportedValues(cik))) {
      if (chain.length === 1 && chain[0]?.contradictedOn === null) continue;
      const spans = deriveCurrentSpans(chain);
      const changeDays = new Set(chain.flatMap(({ filed, contradictedOn }) => [filed, contradictedOn ?? filed]));
      for (const day of ['1990-01-01', ...changeDays, '2999-12-31']) {
        const spansOfDay = spans.filter(({ from, until }) => from <= day && (until === null || until > day));
        expect(spansOfDay.length).toBeLessThanOrEqual(1);
        if (spansOfDay[0]?.reported !== selectValueAsOf(chain, day)?.reported)
          throw new Error(`CIK ${cik}: the span of ${day} does not have the current value`);
      }
      if (spans.length > 1) revisedCount += 1;
      if (chain.some(({ contradictedOn }) => contradictedOn !== null)) contradictedCount += 1;
    }
  }
  expect(revisedCount).toBeGreaterThan(1000);
  expect(contradictedCount).toBeGreaterThan(0);
});
