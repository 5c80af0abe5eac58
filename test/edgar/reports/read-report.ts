import { readXbrlReports } from '../../../src/edgar/reports/xbrl-report.ts';
import { assertDefined } from '../../../src/platform/collections.ts';

/** Reads a report that consists of one document. */
export const readXbrlReport = (bytes: Buffer) => assertDefined(readXbrlReports([bytes])[0]);
