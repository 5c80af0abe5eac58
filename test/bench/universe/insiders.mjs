/**
 * Writes a quarterly data set of insider transactions: each filing has a few trades of a random company, some with
 * footnotes.
 */
import { join } from 'node:path';
import { openZipFile } from '../../zip-file.mjs';
import { createRandomGenerator } from './random.mjs';

const TABLE_HEADERS = {
  SUBMISSION:
    'ACCESSION_NUMBER FILING_DATE PERIOD_OF_REPORT DATE_OF_ORIG_SUB DOCUMENT_TYPE ISSUERCIK ISSUERNAME ISSUERTRADINGSYMBOL AFF10B5ONE',
  REPORTINGOWNER: 'ACCESSION_NUMBER RPTOWNERCIK RPTOWNERNAME RPTOWNER_RELATIONSHIP RPTOWNER_TITLE RPTOWNER_TXT',
  NONDERIV_TRANS:
    'ACCESSION_NUMBER NONDERIV_TRANS_SK SECURITY_TITLE TRANS_DATE TRANS_CODE TRANS_SHARES TRANS_PRICEPERSHARE TRANS_PRICEPERSHARE_FN TRANS_ACQUIRED_DISP_CD SHRS_OWND_FOLWNG_TRANS DIRECT_INDIRECT_OWNERSHIP NATURE_OF_OWNERSHIP',
  FOOTNOTES: 'ACCESSION_NUMBER FOOTNOTE_ID FOOTNOTE_TXT',
};
/** Share of purchases among insiders' trades. */
const PURCHASE_FRACTION = 0.1;

/**
 * Writes `2026q2_form345.zip`.
 * @param minTrades minimum number of trades; the filing that reaches it is the last one
 * @returns the number of trades
 */
export async function writeInsiders(directory, companies, minTrades) {
  const random = createRandomGenerator('insiders');
  const rowsByTable = Object.fromEntries(
    Object.entries(TABLE_HEADERS).map(([name, header]) => [name, [header.replaceAll(' ', '\t')]]),
  );
  let tradeCount = 0;
  for (let filingNumber = 0; tradeCount < minTrades; filingNumber += 1) {
    const company = companies[Math.floor(random() * companies.length)];
    const dayOfMonth = 1 + Math.floor(random() * 26);
    const month = ['APR', 'MAY', 'JUN'][Math.floor(random() * 3)];
    const formatDay = (daysLater) => `${String(dayOfMonth + daysLater).padStart(2, '0')}-${month}-2026`;
    const ownerCik = 1_900_000_000 + (company.cik % 9_000_000) + Math.floor(random() * 4);
    const accession = `${String(1_950_000_000 + filingNumber).padStart(10, '0')}-26-${String(filingNumber % 1_000_000).padStart(6, '0')}`;
    rowsByTable.SUBMISSION.push(
      [
        accession,
        formatDay(2),
        formatDay(0),
        '',
        '4',
        company.cik,
        company.name,
        company.ticker,
        random() < 0.3 ? 1 : 0,
      ].join('\t'),
    );
    rowsByTable.REPORTINGOWNER.push(
      [accession, ownerCik, `OWNER ${ownerCik} OF ${company.ticker}`, 'Officer', 'Chief Financial Officer', ''].join(
        '\t',
      ),
    );
    const transactionCode = random() < PURCHASE_FRACTION ? 'P' : 'S';
    const filingTradeCount = 1 + Math.floor(random() ** 3 * 12);
    const hasFootnote = random() < 0.2;
    for (let tradeIndex = 0; tradeIndex < filingTradeCount; tradeIndex += 1) {
      tradeCount += 1;
      const price = ((company.cents * (0.95 + random() * 0.1)) / 100).toFixed(2);
      const shares = Math.ceil(Math.exp(random() * 9));
      const acquiredDisposedCode = transactionCode === 'P' ? 'A' : 'D';
      rowsByTable.NONDERIV_TRANS.push(
        [
          accession,
          tradeCount,
          'Common Stock',
          formatDay(0),
          transactionCode,
          `${shares}.0`,
          price,
          hasFootnote ? 'F1' : '',
          acquiredDisposedCode,
          `${shares * 7}.0`,
          'D',
          '',
        ].join('\t'),
      );
    }
    if (hasFootnote)
      rowsByTable.FOOTNOTES.push([accession, 'F1', 'The price is a weighted average of several trades.'].join('\t'));
  }
  const zip = openZipFile(join(directory, '2026q2_form345.zip'));
  for (const [name, lines] of Object.entries(rowsByTable)) zip.whole(`${name}.tsv`, `${lines.join('\n')}\n`);
  zip.end();
  return tradeCount;
}
