/** Ownership filings for tests: each function fills in the fields that a test does not set. */
import type { Owner, OwnershipFiling, Trade } from '../../../src/edgar/insiders/ownership-document.ts';

export function makeOwner(cik: number, name = `Owner ${cik}`): Owner {
  const roleFlags = { isDirector: false, isOfficer: false, isTenPercentOwner: false, isOther: false };
  return { cik, name, ...roleFlags, officerTitle: null, otherText: null };
}

export function makeTrade(fields: Partial<Trade>): Trade {
  return {
    ordinal: 1,
    securityTitle: 'Common Stock',
    code: 'S',
    day: '2026-04-20',
    shares: '100',
    price: '10',
    acquiredDisposed: 'D',
    ownedFollowing: '900',
    directIndirect: 'D',
    natureOfOwnership: null,
    footnoteIds: [],
    ...fields,
  };
}

export function makeFiling(accession: string, fields: Partial<OwnershipFiling>): OwnershipFiling {
  return {
    accession,
    form: '4',
    issuerCik: 796343,
    issuerSymbol: 'ADBE',
    filed: '2026-04-22',
    periodOfReport: '2026-04-20',
    originalFiled: null,
    aff10b5One: false,
    owners: [makeOwner(1610062)],
    trades: [makeTrade({})],
    footnotes: [],
    ...fields,
  };
}
