/** Writes an ownership form as XML from the facts of a filing, for tests. */

export interface FormFacts {
  readonly form: string;
  readonly issuer: number;
  /** The ticker symbol as typed. */
  readonly symbol?: string;
  readonly period?: string;
  readonly originalFiled?: string;
  readonly aff10b5One?: string;
  readonly owners: readonly { cik: number; name: string; roles?: string; title?: string }[];
  readonly rows: readonly RowFacts[];
  readonly footnotes?: Readonly<Record<string, string>>;
}

export interface RowFacts {
  readonly code?: string;
  readonly title?: string;
  readonly day?: string;
  readonly shares?: string;
  readonly price?: string;
  readonly side?: string;
  readonly following?: string;
  readonly nature?: string;
  readonly direct?: string;
  /** Footnote ids by the field that cites them: shares or price. */
  readonly notes?: Readonly<Record<string, readonly string[]>>;
}

/** Filing 0000796343-26-000103: a sale by Adobe's chief financial officer. */
export const ADOBE: FormFacts = {
  form: '4',
  issuer: 796343,
  period: '2026-04-20',
  aff10b5One: '0',
  owners: [{ cik: 1610062, name: 'Durn Daniel', roles: 'isOfficer', title: 'EVP & CFO' }],
  rows: [{ code: 'S', day: '2026-04-20', shares: '1336', price: '248.0201', side: 'D', following: '42832.787' }],
};

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const tag = (name: string, text: string | undefined): string =>
  text === undefined ? '' : `<${name}>${escapeXml(text)}</${name}>`;

export function ownershipForm(facts: FormFacts): string {
  return `<?xml version="1.0"?>
<ownershipDocument>${tag('documentType', facts.form)}${tag('periodOfReport', facts.period)}
${tag('dateOfOriginalSubmission', facts.originalFiled)}
<issuer>${tag('issuerCik', String(facts.issuer).padStart(10, '0'))}${tag('issuerTradingSymbol', facts.symbol)}</issuer>
${facts.owners.map(owner).join('\n')}
${tag('aff10b5One', facts.aff10b5One)}
<nonDerivativeTable>${facts.rows.map(row).join('\n')}</nonDerivativeTable>
<footnotes>${Object.entries(facts.footnotes ?? {})
    .map(([id, text]) => `<footnote id="${id}">${escapeXml(text)}</footnote>`)
    .join('')}</footnotes>
</ownershipDocument>`;
}

function owner({ cik, name, roles = '', title }: FormFacts['owners'][number]): string {
  const flags = roles.split(' ').map((role) => (role === '' ? '' : tag(role, '1')));
  return `<reportingOwner><reportingOwnerId>${tag('rptOwnerCik', String(cik).padStart(10, '0'))}${tag('rptOwnerName', name)}
</reportingOwnerId><reportingOwnerRelationship>${flags.join('')}${tag('officerTitle', title)}
</reportingOwnerRelationship></reportingOwner>`;
}

function row({ notes = {}, ...facts }: RowFacts): string {
  const value = (name: string, text: string | undefined, ids: readonly string[] = []) =>
    text === undefined && ids.length === 0
      ? ''
      : `<${name}>${tag('value', text)}${ids.map((id) => `<footnoteId id="${id}"/>`).join('')}</${name}>`;
  const coding =
    facts.code === undefined ? '' : `<transactionCoding>${tag('transactionCode', facts.code)}</transactionCoding>`;
  return `<nonDerivativeTransaction>${value('securityTitle', facts.title ?? 'Common Stock')}
${value('transactionDate', facts.day)}${coding}
<transactionAmounts>${value('transactionShares', facts.shares, notes.shares)}
${value('transactionPricePerShare', facts.price, notes.price)}${value('transactionAcquiredDisposedCode', facts.side)}
</transactionAmounts>
<postTransactionAmounts>${value('sharesOwnedFollowingTransaction', facts.following)}</postTransactionAmounts>
<ownershipNature>${value('directOrIndirectOwnership', facts.direct ?? 'D')}${value('natureOfOwnership', facts.nature)}
</ownershipNature></nonDerivativeTransaction>`;
}
