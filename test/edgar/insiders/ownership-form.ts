/** Writes an ownership form as XML from the facts of a filing, for tests. */

export interface FormFacts {
  readonly form: string;
  readonly issuer: number;
  /** The ticker symbol as the filer typed it, such as "NASDAQ: LRCX". */
  readonly symbol?: string;
  readonly period?: string;
  readonly originalFiled?: string;
  readonly aff10b5One?: string;
  readonly owners: readonly { cik: number; name: string; roles?: string; title?: string }[];
  readonly rows: readonly TransactionFields[];
  readonly footnotes?: Readonly<Record<string, string>>;
}

export interface TransactionFields {
  readonly code?: string;
  readonly title?: string;
  readonly day?: string;
  readonly shares?: string;
  readonly price?: string;
  readonly acquiredOrDisposed?: string;
  readonly sharesOwnedAfter?: string;
  readonly nature?: string;
  readonly ownership?: string;
  /** Footnote ids by the field that cites them: shares or price. */
  readonly footnoteIdsByField?: Readonly<Record<string, readonly string[]>>;
}

/** Filing 0000796343-26-000103: a sale by Adobe's chief financial officer. */
export const ADOBE_FORM: FormFacts = {
  form: '4',
  issuer: 796343,
  period: '2026-04-20',
  aff10b5One: '0',
  owners: [{ cik: 1610062, name: 'Durn Daniel', roles: 'isOfficer', title: 'EVP & CFO' }],
  rows: [
    {
      code: 'S',
      day: '2026-04-20',
      shares: '1336',
      price: '248.0201',
      acquiredOrDisposed: 'D',
      sharesOwnedAfter: '42832.787',
    },
  ],
};

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const makeElement = (name: string, text: string | undefined): string =>
  text === undefined ? '' : `<${name}>${escapeXml(text)}</${name}>`;

export function writeOwnershipForm(facts: FormFacts): string {
  return `<?xml version="1.0"?>
<ownershipDocument>${makeElement('documentType', facts.form)}${makeElement('periodOfReport', facts.period)}
${makeElement('dateOfOriginalSubmission', facts.originalFiled)}
<issuer>${makeElement('issuerCik', String(facts.issuer).padStart(10, '0'))}${makeElement('issuerTradingSymbol', facts.symbol)}</issuer>
${facts.owners.map(makeOwnerElement).join('\n')}
${makeElement('aff10b5One', facts.aff10b5One)}
<nonDerivativeTable>${facts.rows.map(makeTransactionElement).join('\n')}</nonDerivativeTable>
<footnotes>${Object.entries(facts.footnotes ?? {})
    .map(([id, text]) => `<footnote id="${id}">${escapeXml(text)}</footnote>`)
    .join('')}</footnotes>
</ownershipDocument>`;
}

function makeOwnerElement({ cik, name, roles = '', title }: FormFacts['owners'][number]): string {
  const roleElements = roles.split(' ').map((role) => (role === '' ? '' : makeElement(role, '1')));
  return `<reportingOwner><reportingOwnerId>${makeElement('rptOwnerCik', String(cik).padStart(10, '0'))}${makeElement('rptOwnerName', name)}
</reportingOwnerId><reportingOwnerRelationship>${roleElements.join('')}${makeElement('officerTitle', title)}
</reportingOwnerRelationship></reportingOwner>`;
}

function makeTransactionElement({ footnoteIdsByField = {}, ...facts }: TransactionFields): string {
  const makeValueElement = (name: string, text: string | undefined, footnoteIds: readonly string[] = []) =>
    text === undefined && footnoteIds.length === 0
      ? ''
      : `<${name}>${makeElement('value', text)}${footnoteIds.map((id) => `<footnoteId id="${id}"/>`).join('')}</${name}>`;
  const transactionCoding =
    facts.code === undefined
      ? ''
      : `<transactionCoding>${makeElement('transactionCode', facts.code)}</transactionCoding>`;
  return `<nonDerivativeTransaction>${makeValueElement('securityTitle', facts.title ?? 'Common Stock')}
${makeValueElement('transactionDate', facts.day)}${transactionCoding}
<transactionAmounts>${makeValueElement('transactionShares', facts.shares, footnoteIdsByField.shares)}
${makeValueElement('transactionPricePerShare', facts.price, footnoteIdsByField.price)}${makeValueElement('transactionAcquiredDisposedCode', facts.acquiredOrDisposed)}
</transactionAmounts>
<postTransactionAmounts>${makeValueElement('sharesOwnedFollowingTransaction', facts.sharesOwnedAfter)}</postTransactionAmounts>
<ownershipNature>${makeValueElement('directOrIndirectOwnership', facts.ownership ?? 'D')}${makeValueElement('natureOfOwnership', facts.nature)}
</ownershipNature></nonDerivativeTransaction>`;
}
