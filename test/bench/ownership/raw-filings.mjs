/** Reads ownership forms and 13F reports from the public files by patterns, without a parser of XML and without fin. */
import { readTexts } from '../read-zip.mjs';

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const decode = (text) =>
  text
    .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, '$1')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (all, hex, number, name) =>
      name === undefined
        ? String.fromCodePoint(hex === undefined ? Number(number) : Number.parseInt(hex, 16))
        : (ENTITIES[name] ?? all),
    )
    .replace(/\s+/g, ' ')
    .trim();

/** Returns the contents of the elements with this name, in order. */
function listElements(text, name) {
  return [...text.matchAll(new RegExp(`<(?:\\w+:)?${name}(?:\\s[^>]*)?>([\\s\\S]*?)</(?:\\w+:)?${name}>`, 'g'))].map(
    ([, content]) => content,
  );
}

/** Returns the text of the first element with this name, or of its `value`; null if missing or empty. */
function readText(text, name) {
  const [content] = listElements(text, name);
  if (content === undefined) return null;
  const [value] = listElements(content, 'value');
  return decode(value ?? content.replace(/<footnoteId[^>]*>/g, '')) || null;
}

/** Returns what the header or the path says of the filing. */
function readIdentity(name, text) {
  const header = text.slice(0, 6000);
  const [, stated] = /ACCESSION[ -]NUMBER[:>]\s*([\d-]{20})/.exec(header) ?? [];
  const [, start, year, number] = /(?<!\d)(\d{10})-?(\d{2})-?(\d{6})(?!\d)/.exec(name) ?? [];
  const [, ...filed] = /(?:FILED AS OF DATE:|<FILING-DATE>)\s*(\d{4})(\d\d)(\d\d)/.exec(header) ?? [];
  const accession = stated ?? (start === undefined ? null : `${start}-${year}-${number}`);
  return { name, accession, filed: filed.length > 0 ? filed.join('-') : null };
}

const toFlag = (text) => (text === null ? null : /^(?:1|true)$/i.test(text));

/** Returns the Forms 4 and 5 and their amendments that have an accession number, with their purchases and sales. */
export async function readForms(zipPath) {
  const forms = [];
  for await (const { name, text } of readTexts(zipPath)) {
    const [document] = listElements(text, 'ownershipDocument');
    const identity = readIdentity(name, text);
    const form = document === undefined ? null : readText(document, 'documentType');
    if (identity.accession === null || !/^[45](?:\/A)?$/.test(form ?? '')) continue;
    const [table = ''] = listElements(document, 'nonDerivativeTable');
    const trades = listElements(table, 'nonDerivativeTransaction').map(readTrade);
    forms.push({
      ...identity,
      form,
      issuer: Number(readText(document, 'issuerCik')),
      period: readText(document, 'periodOfReport')?.slice(0, 10) ?? null,
      originalFiled: readText(document, 'dateOfOriginalSubmission')?.slice(0, 10) ?? null,
      plan: toFlag(readText(document, 'aff10b5One')),
      owners: listElements(document, 'reportingOwner').map(readOwner),
      footnotes: document.match(/<footnote\s/g)?.length ?? 0,
      trades: trades
        .map((trade, index) => ({ ordinal: index + 1, ...trade }))
        .filter(({ code }) => /^[PS]$/.test(code)),
    });
  }
  return forms;
}

function readOwner(owner) {
  const isTrue = (name) => toFlag(readText(owner, name)) ?? false;
  return {
    cik: Number(readText(owner, 'rptOwnerCik')),
    name: readText(owner, 'rptOwnerName'),
    roles: ['isDirector', 'isOfficer', 'isTenPercentOwner', 'isOther'].map(isTrue),
    title: readText(owner, 'officerTitle'),
  };
}

const readTrade = (trade) => ({
  code: readText(trade, 'transactionCode'),
  title: readText(trade, 'securityTitle') ?? '',
  day: readText(trade, 'transactionDate')?.slice(0, 10) ?? null,
  shares: readText(trade, 'transactionShares'),
  price: readText(trade, 'transactionPricePerShare'),
  direction: readText(trade, 'transactionAcquiredDisposedCode'),
  owned: readText(trade, 'sharesOwnedFollowingTransaction'),
  ownership: readText(trade, 'directOrIndirectOwnership'),
  nature: readText(trade, 'natureOfOwnership'),
  notes: [...new Set([...trade.matchAll(/<footnoteId\s+id="([^"]*)"/g)].map(([, id]) => id))],
});

/** Returns the complete 13F submissions, and the covers and tables in files of their own that state equal totals. */
export async function readReports(zipPath) {
  const reports = [];
  const [covers, tables] = [[], []];
  for await (const { name, text } of readTexts(zipPath)) {
    const [cover] = listElements(text, 'edgarSubmission');
    const [table] = listElements(text, 'informationTable');
    const lines = table === undefined ? null : listElements(table, 'infoTable').map(readLine);
    const report = cover === undefined ? null : { ...readIdentity(name, text), ...readCover(cover) };
    if (report !== null && lines !== null) reports.push({ ...report, lines });
    else if (report !== null) covers.push(report);
    else if (lines !== null) tables.push(lines);
  }
  for (const report of covers) {
    const matches = tables.filter((lines) => lines.length === report.entries && sumValues(lines) === report.total);
    if (report.total > 0n && matches.length === 1) reports.push({ ...report, lines: matches[0] });
  }
  return reports;
}

const sumValues = (lines) => lines.reduce((sum, { value }) => sum + value, 0n);

function readCover(cover) {
  const [month, day, year] = (readText(cover, 'reportCalendarOrQuarter') ?? '').split('-');
  return {
    cik: Number(readText(cover, 'cik')),
    manager: readText(listElements(cover, 'filingManager')[0] ?? '', 'name'),
    form: readText(cover, 'submissionType'),
    period: `${year}-${month}-${day}`,
    entries: Number(readText(cover, 'tableEntryTotal')),
    total: BigInt(readText(cover, 'tableValueTotal') ?? '0'),
  };
}

const readLine = (line) => ({
  issuer: readText(line, 'nameOfIssuer'),
  title: readText(line, 'titleOfClass'),
  cusip: readText(line, 'cusip').toUpperCase().padStart(9, '0'),
  value: BigInt(readText(line, 'value')),
  amount: BigInt(readText(line, 'sshPrnamt')),
  type: readText(line, 'sshPrnamtType'),
  option: readText(line, 'putCall') ?? '',
});
