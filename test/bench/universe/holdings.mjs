/**
 * Writes quarterly data sets of institutional holdings: invented managers, two quarters, and the faults of real data
 * sets: all kinds of amendments, values in thousands, CUSIPs truncated or in lower case, positions divided between
 * managers.
 */
import { join } from 'node:path';
import { zipFile } from '../../zip-file.mjs';
import { randomFor } from './random.mjs';

const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');
const QUARTERS = [
  { name: '2022q4', period: '2022-12-31', filed: '2023-02-14' },
  { name: '2023q1', period: '2023-03-31', filed: '2023-05-15' },
];
/** Average number of positions per report. */
const POSITIONS_PER_REPORT = 420;
/** Average number of lines per position, including the lines of amendments. */
const LINES_PER_POSITION = 1.19;

/**
 * @param lineCount approximate number of lines in both data sets
 * @returns the CIK of the manager with the most lines
 */
export async function writeHoldings(directory, securities, lineCount) {
  const random = randomFor('holdings');
  const positionCount = lineCount / QUARTERS.length / LINES_PER_POSITION;
  const managers = makeManagers(
    Math.max(2, Math.round(positionCount / POSITIONS_PER_REPORT)),
    positionCount,
    securities,
    random,
  );
  for (const quarter of QUARTERS) {
    await writeDataSet(join(directory, `${quarter.name}_form13f.zip`), quarter, managers, securities);
  }
  return managers.reduce((largest, manager) => (manager.lines > largest.lines ? manager : largest)).cik;
}

/**
 * Returns managers of different sizes: a few managers hold thousands of securities; most managers hold a hundred,
 * mainly of the same few hundred securities.
 */
function makeManagers(managerCount, positionCount, securities, random) {
  const sizes = Array.from({ length: managerCount }, () => Math.exp(random() * 7.2));
  const sum = sizes.reduce((total, size) => total + size, 0);
  return sizes.map((size, index) => ({
    cik: 1_000_000 + index * 97,
    name: `MANAGER ${index} CAPITAL LLC`,
    seed: `manager ${index}`,
    lines: Math.max(1, Math.min(Math.round((size / sum) * positionCount), securities.length)),
    thousands: index % 31 === 0,
  }));
}

async function writeDataSet(path, quarter, managers, securities) {
  const zip = zipFile(path);
  const accessionOf = (index, amendment = 0) =>
    `${String(1_000_000 + index * 97).padStart(10, '0')}-23-${String((quarter.name === '2022q4' ? 100 : 200) + amendment).padStart(6, '0')}`;
  const formatDate = (day) => `${day.slice(8)}-${MONTHS[Number(day.slice(5, 7)) - 1]}-${day.slice(0, 4)}`;
  const shuffledIndexes = managers.map((_, index) => (index * 7907) % managers.length);
  const managerIndexes =
    new Set(shuffledIndexes).size === managers.length ? shuffledIndexes : managers.map((_, index) => index);
  const tables = { submission: [], cover: [], summary: [] };
  const infoTable = await zip.member('INFOTABLE.tsv');
  await infoTable.write(
    'ACCESSION_NUMBER\tINFOTABLE_SK\tNAMEOFISSUER\tTITLEOFCLASS\tCUSIP\tFIGI\tVALUE\tSSHPRNAMT\tSSHPRNAMTTYPE\tPUTCALL\tINVESTMENTDISCRETION\tOTHERMANAGER\tVOTING_AUTH_SOLE\tVOTING_AUTH_SHARED\tVOTING_AUTH_NONE\n',
  );
  let lineNumber = 0;
  for (const index of managerIndexes) {
    const manager = managers[index];
    // A report followed by a restatement, by new holdings, or by an amendment without a type.
    const amendmentTypes =
      index % 40 === 7
        ? ['', 'RESTATEMENT']
        : index % 40 === 17
          ? ['', 'NEW HOLDINGS']
          : index % 200 === 27
            ? ['', ' ']
            : [''];
    for (const [amendmentNumber, amendmentType] of amendmentTypes.entries()) {
      const accession = accessionOf(index, amendmentNumber);
      const form = amendmentType === '' ? '13F-HR' : '13F-HR/A';
      const random = randomFor(manager.seed);
      let entryCount = 0;
      let totalValue = 0n;
      const tableLines = [];
      const positionCount = amendmentType === 'NEW HOLDINGS' ? Math.ceil(manager.lines / 50) : manager.lines;
      for (let position = 0; position < positionCount; position += 1) {
        const security = securities[Math.floor(securities.length * random() ** 2.2)];
        const [kindRandom, sizeRandom, changeRandom] = [random(), random(), random()];
        // Opens a twentieth of all positions, and closes a twentieth, between the two quarters.
        if (kindRandom < 0.1 && kindRandom < 0.05 === (quarter.name === '2022q4')) continue;
        const shares = BigInt(
          Math.ceil(Math.exp(sizeRandom * 14) * (quarter.name === '2022q4' ? 1 : 0.9 + changeRandom * 0.2)),
        );
        const cents = BigInt(security.cents);
        const partCount = changeRandom > 0.9 ? 3 : 1;
        const [type, putCall] =
          kindRandom > 0.99
            ? ['PRN', '']
            : kindRandom > 0.96
              ? ['SH', kindRandom > 0.975 ? 'Put' : 'CALL']
              : ['SH', ''];
        for (let part = 0; part < partCount; part += 1) {
          const amount = shares + BigInt(part);
          const dollars = (amount * cents + 50n) / 100n;
          const value =
            manager.thousands || (quarter.name === '2022q4' && index % 50 === 3) ? (dollars + 500n) / 1000n : dollars;
          lineNumber += 1;
          // Gives these faults to only a few managers, because the totals of a cover page include such lines.
          const hasInvalidCusip = index % 61 === 11 && entryCount % 50 === 0;
          const cusip =
            lineNumber % 211 === 0
              ? security.cusip.replace(/^0+/, '')
              : lineNumber % 307 === 0
                ? security.cusip.toLowerCase()
                : security.cusip;
          entryCount += 1;
          totalValue += value;
          tableLines.push(
            `${accession}\t${90_000_000 + lineNumber}\t${security.name.slice(0, 24)}\t${index % 3 === 0 ? 'COM' : 'Common Stock'}\t${hasInvalidCusip ? 'N/A' : cusip}\t\t${value}\t${amount}\t${type}\t${putCall}\t${partCount > 1 ? 'DFND' : 'SOLE'}\t${partCount > 1 ? part + 1 : ''}\t${amount}\t0\t0`,
          );
        }
      }
      if (tableLines.length > 0) await infoTable.write(`${tableLines.join('\n')}\n`);
      tables.submission.push([
        accession,
        formatDate(amendmentType === '' ? quarter.filed : `${quarter.filed.slice(0, 8)}28`),
        form,
        String(manager.cik),
        formatDate(quarter.period),
      ]);
      tables.cover.push([
        accession,
        formatDate(quarter.period),
        amendmentType === '' ? '' : 'Y',
        amendmentType === '' ? '' : String(amendmentNumber),
        amendmentType.trim(),
        manager.name,
      ]);
      tables.summary.push([accession, '0', String(entryCount), String(totalValue)]);
    }
  }
  await infoTable.end();
  const writeTable = async (name, header, rows) => {
    const member = await zip.member(name);
    await member.write(`${[header.split(' '), ...rows].map((row) => row.join('\t')).join('\n')}\n`);
    await member.end();
  };
  await writeTable(
    'SUBMISSION.tsv',
    'ACCESSION_NUMBER FILING_DATE SUBMISSIONTYPE CIK PERIODOFREPORT',
    tables.submission,
  );
  await writeTable(
    'COVERPAGE.tsv',
    'ACCESSION_NUMBER REPORTCALENDARORQUARTER ISAMENDMENT AMENDMENTNO AMENDMENTTYPE FILINGMANAGER_NAME',
    tables.cover,
  );
  await writeTable(
    'SUMMARYPAGE.tsv',
    'ACCESSION_NUMBER OTHERINCLUDEDMANAGERSCOUNT TABLEENTRYTOTAL TABLEVALUETOTAL',
    tables.summary,
  );
  zip.end();
}
