import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  makeMetricValueId,
  makeRawFactId,
  makeSecurityId,
} from '../../../../src/service/handlers/coverage/identity.ts';
import { APPLE_CIK, APPLE_REPORTED_VALUES } from '../../filed.ts';

// The expected ids were computed by another implementation of UUIDv5. Users store these ids, so they must never change.
test('ids are UUIDs of version 5 over natural keys', () => {
  const revenueValue = APPLE_REPORTED_VALUES.find((row) => row.metricKey === 'revenue' && row.value === '416161000000');
  if (revenueValue === undefined) throw new Error('the fixture has lost its revenue');
  expect(makeSecurityId(APPLE_CIK, 'AAPL')).toBe('dea5bb1c-20ca-56ae-a862-59f9f2590066');
  expect(makeMetricValueId(APPLE_CIK, revenueValue)).toBe('37d6cc25-8168-5dba-8ba2-a9139864d50c');
  expect(makeRawFactId(APPLE_CIK, revenueValue)).toBe('475186ab-b4f2-5de2-9ee8-9df24e3322a5');
});

test('the natural key of an instant has no start date', () => {
  const assetsContext = {
    metricKey: 'assets',
    unit: 'USD',
    start: null,
    end: '2025-09-27',
    periodKind: 'instant',
  } as const;
  expect(makeMetricValueId(APPLE_CIK, assetsContext)).toBe('a3e07c2a-1f90-5cea-a104-f2d6c5f7057a');
});

test('trailing twelve months and a fiscal year with the same dates have different ids', () => {
  const yearContext = { metricKey: 'revenue', unit: 'USD', start: '2024-09-29', end: '2025-09-27' };
  expect(makeMetricValueId(APPLE_CIK, { ...yearContext, periodKind: 'annual' })).toBe(
    '37d6cc25-8168-5dba-8ba2-a9139864d50c',
  );
  expect(makeMetricValueId(APPLE_CIK, { ...yearContext, periodKind: 'ttm' })).toBe(
    'e01509f6-a23f-55e9-82a3-355efbaeb584',
  );
});

test('the id of a value depends on neither its amount nor its filing', () => {
  const [firstReport, secondReport] = APPLE_REPORTED_VALUES.filter((row) => row.metricKey === 'eps_diluted');
  if (firstReport === undefined || secondReport === undefined) throw new Error('the fixture has lost its chain');
  expect(makeMetricValueId(APPLE_CIK, firstReport)).toBe(makeMetricValueId(APPLE_CIK, secondReport));
  expect(makeRawFactId(APPLE_CIK, firstReport)).not.toBe(makeRawFactId(APPLE_CIK, secondReport));
});

test('a natural key may be longer than the buffer of hashed bytes', () => {
  const unit = '株'.repeat(2000);
  const key = Buffer.from(`metric_value\n${APPLE_CIK}\nshares\n${unit}\n\n2025-09-27`);
  const namespace = Buffer.from('917e59e2d864451a9d8a394ddb019e5c', 'hex');
  const digest = createHash('sha1').update(namespace).update(key).digest('hex');
  const id = makeMetricValueId(APPLE_CIK, {
    metricKey: 'shares',
    unit,
    start: null,
    end: '2025-09-27',
    periodKind: 'instant',
  });
  expect(id.slice(0, 13)).toBe(`${digest.slice(0, 8)}-${digest.slice(8, 12)}`);
  expect(id.slice(24)).toBe(digest.slice(20, 32));
});
