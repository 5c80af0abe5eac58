import { describe, expect, test } from 'vitest';
import { readDocument } from '../../src/reading/document.ts';
import { findItems, type Item } from '../../src/reading/items.ts';
import { sectionText } from '../../src/reading/section-text.ts';
import { ANNUAL, annual, encode, filingBody, findAnnualItems, readHtml } from './filing.ts';

const statusOf = (items: ReadonlyMap<string, Item>, item: string) => items.get(item)?.status;
const kindsOf = (item: Item | undefined) => [...new Set(item?.startEvidence.map(({ kind }) => kind))];

test('a report with contents, links and pages has four kinds of evidence for each start', () => {
  const { document, items } = findAnnualItems(filingBody(ANNUAL));
  expect([...items.values()].map(({ item, status }) => `${item} ${status}`)).toEqual(
    ANNUAL.map(({ item }) => `${item} proven`),
  );
  const item = items.get('7');
  expect(kindsOf(item)).toEqual(['link', 'page', 'heading', 'order']);
  expect(sectionText(document, item ?? null, 'text')).toBe(
    'Item 7. Management’s Discussion and Analysis of Financial Condition and Results of Operations\n\n' +
      'Prose of 7, long enough to be a paragraph.',
  );
  expect(items.get('15')?.endEvidence).toMatchObject([{ kind: 'end', value: 'SIGNATURES' }]);
});

test('without links, pages prove; without contents, titles and order', () => {
  expect(kindsOf(findAnnualItems(filingBody(ANNUAL, { links: false })).items.get('3'))).toEqual([
    'page',
    'heading',
    'order',
  ]);
  expect(kindsOf(findAnnualItems(filingBody(ANNUAL, { contents: false })).items.get('3'))).toEqual([
    'heading',
    'order',
  ]);
});

describe('a missing heading', () => {
  const body = (contents: boolean) => filingBody(annual({ '3': { heading: '' } }), { contents });

  test('refuses the item that the contents list, and the one before', () => {
    const { items } = findAnnualItems(body(true));
    expect(items.get('3')?.reason).toEqual({ code: 'no_heading' });
    expect(items.get('2')?.reason).toEqual({ code: 'end_unproven', next: '3' });
    expect(statusOf(items, '4')).toBe('proven');
  });

  test('refuses the item before, if the form requires it', () => {
    const { items } = findAnnualItems(body(false));
    expect(items.has('3')).toBe(false);
    expect(items.get('2')?.reason).toEqual({ code: 'end_unproven', next: '3' });
  });
});

describe('twin headings', () => {
  const twin = '<p><b>Item 3. Legal Proceedings</b></p>';
  const sections = annual({ '9': { text: `As before.</p>${twin}<p>No proceedings.` } });

  test('refuse the item and the one before without links and pages', () => {
    const { items } = findAnnualItems(filingBody(sections, { contents: false }));
    expect(items.get('3')?.reason?.code).toBe('twin_headings');
    expect(items.get('2')?.reason).toEqual({ code: 'end_unproven', next: '3' });
    expect(items.get('9')?.reason?.code).toBe('heading_inside');
  });

  test('are distinguished by the link of the contents', () => {
    const { items } = findAnnualItems(filingBody(sections));
    expect(statusOf(items, '3')).toBe('proven');
    expect(items.get('9')?.reason).toMatchObject({ code: 'heading_inside', item: '3' });
  });

  test('are not running headers or continued headings', () => {
    const pages = [1, 2, 3].map(
      () => `</p><p>9</p><hr style="page-break-after:always">${twin}<p>More prose of the section.`,
    );
    const continued = '</p><p><b>Item 3. Legal Proceedings (continued)</b></p><p>Prose.';
    const { items } = findAnnualItems(
      filingBody(annual({ '3': { text: `Prose.${pages.join('')}${continued}` } }), { contents: false }),
    );
    expect(items.get('3')).toMatchObject({ status: 'proven', reason: null });
    expect(statusOf(items, '4')).toBe('proven');
  });
});

test('contents that name another place contradict a heading, unless the page confirms it', () => {
  const moved = annual({
    '3': { row: '<tr><td><a href="#s9">Item 3.</a></td><td>Legal Proceedings</td><td>9</td></tr>' },
  });
  expect(findAnnualItems(filingBody(moved)).items.get('3')?.reason).toMatchObject({
    code: 'contradiction',
    kind: 'link',
  });
  const elsewhere = annual({
    '3': { row: '<tr><td><a href="#s9">Item 3.</a></td><td>Legal Proceedings</td><td>5</td></tr>' },
  });
  expect(statusOf(findAnnualItems(filingBody(elsewhere)).items, '3')).toBe('proven');
});

test('cross references and quoted titles are no headings', () => {
  const text =
    'See above.</p><p>Item 1A. Risk Factors of this report describes more.</p><p>“Item 3. Legal Proceedings” is quoted.</p>' +
    '<p>Item 7 above and Part II, Item 8, are referred to.';
  const { items } = findAnnualItems(filingBody(annual({ '2': { text } }), { contents: false }));
  expect([...items.values()].every(({ status }) => status === 'proven')).toBe(true);
});

test('a section that only names another place is by reference, with the pointer', () => {
  const text = 'The information required by this item is incorporated by reference to our proxy statement.';
  const { items } = findAnnualItems(filingBody(annual({ '11': { text }, '3': { text: 'None.' } })));
  expect(items.get('11')).toMatchObject({ status: 'by_reference', pointer: text });
  expect(statusOf(items, '3')).toBe('proven');
});

test.each([
  'Not applicable to Form 10-K filed as an annual report.',
  'This information shall not be deemed "filed" for purposes of Section 18, nor incorporated by reference in any filing.',
  'Our officers evaluated the controls as of the end of the period covered by this Annual Report on Form 10-K, and concluded that what is required to be disclosed by the company in the reports that it files is reported in time.',
  'The company has not consulted the firm on any matter that was a “disagreement,” as that term is described in Item 304(a)(1)(iv) of Regulation S-K, or a “reportable event”.',
  'On May 1 we sold a plant. The sale is part of the plan described in Item 1, and led to a loss of $3 million in this year.',
])('text that names no place is not by reference: %s', (text) => {
  expect(statusOf(findAnnualItems(filingBody(annual({ '3': { text } }))).items, '3')).toBe('proven');
});

test('the pointer leaves out denials of liability', () => {
  const denial = 'The information shall not be deemed "filed" for purposes of Section 18 of the Act.';
  const { items } = findAnnualItems(filingBody(annual({ '3': { text: `See Note 7 of Acme Inc. Notes. ${denial}` } })));
  expect(items.get('3')).toMatchObject({ status: 'by_reference', pointer: 'See Note 7 of Acme Inc. Notes.' });
});

test('a cross-reference index gives page ranges, and no text', () => {
  const rows = ANNUAL.map(({ item, title }) => `<tr><td>Item ${item}.</td><td>${title}</td><td>4-6, 12</td></tr>`).join(
    '',
  );
  const { items, document } = findAnnualItems(`<p>Our year</p><p>Prose.</p><table>${rows}</table>`);
  expect(items.get('7')).toMatchObject({
    status: 'page_ranges',
    pages: [
      { from: '4', to: '6' },
      { from: '12', to: '12' },
    ],
    start: null,
  });
  expect(() => sectionText(document, items.get('7') ?? null, 'text')).toThrow(RangeError);
});

test('an index names pages in lines below an item, and footnotes', () => {
  const rows = ANNUAL.map(({ item, title }) => {
    const page = { '7': '', '11': '(a)' }[item] ?? '12';
    const below =
      item === '7' ? '<tr><td>Liquidity</td><td>Pages 35 - 36</td></tr><tr><td>Overview</td><td>3</td></tr>' : '';
    return `<tr><td>Item ${item}.</td><td>${title}</td><td>${page}</td></tr>${below}`;
  });
  const index = `<p>Our year</p><table>${rows.join('')}</table>`;
  const { items } = findAnnualItems(`${index}<p>(a) In our proxy statement.</p>`);
  expect(items.get('7')?.pages).toEqual([
    { from: '35', to: '36' },
    { from: '3', to: '3' },
  ]);
  expect(items.get('11')).toMatchObject({ pages: [], pointer: expect.stringContaining('(a) In our proxy statement.') });
  const far = findAnnualItems(
    `${index}${'<p>Prose of the report.</p>'.repeat(30)}<p>(a) A list of something else.</p>`,
  );
  expect(far.items.get('11')?.pointer).not.toContain('(a) A list');
});

test('contents without pages are no sections, if the headings have no numbers', () => {
  const list = ANNUAL.map(({ item, title }) => `<p>Item ${item}. ${title}</p>`).join('');
  const body = ANNUAL.map(({ title }) => `<p><b>${title.toUpperCase()}</b></p><p>Prose of ${title}.</p>`).join('');
  expect([...findAnnualItems(list + body).items.values()].filter(({ start }) => start !== null)).toEqual([]);
});

test('a heading that moved elsewhere refuses the item before its place', () => {
  const { items } = findAnnualItems(
    filingBody(
      annual({
        '2': { text: 'A plant.</p><p>Legal prose without its heading.' },
        '3': { heading: '', text: '' },
        '9': { text: 'None.</p><p><b>Item 3. Legal Proceedings</b></p><p>Prose.' },
      }),
    ),
  );
  expect([items.get('2')?.reason?.code, statusOf(items, '3')]).toEqual(['end_unproven', 'refused']);
});

test('a running header of several parts is no combined heading', () => {
  const header = '<p>PART I, II</p><p>Item 3, 4, 5</p>';
  const { items } = findAnnualItems(filingBody(annual({ '4': { heading: `${header}<p><b>Safety in Mines</b></p>` } })));
  expect(items.get('3')?.sharedWith).not.toEqual(['4', '5']);
});

test('the last row of the contents does not swallow the first heading', () => {
  const rows = ANNUAL.map(({ item, title }, index) => `<p>Item ${item}. ${title} ${index + 1}</p>`).join('');
  const { items } = findAnnualItems(`${rows}${filingBody(ANNUAL, { contents: false })}`);
  expect(items.get('1')?.status).toBe('proven');
  expect(items.get('1')?.heading).toBe('Item 1. Business');
});

describe('headings as filed', () => {
  const headings: [string, string, string][] = [
    ['split over cells', '3', '<table><tr><td>Item 3.</td><td>Legal Proceedings</td></tr></table>'],
    ['split over lines', '3', '<p><b>Item 3.</b></p><p><b>Legal Proceedings</b></p>'],
    ['letter-spaced', '3', '<p><b>I T E M 3. L E G A L P R O C E E D I N G S</b></p>'],
    ['with a typing error', '3', '<p><b>Item 3. Legal Procedings</b></p>'],
    ['with a suffix', '9A', '<p><b>Item 9A(T). Controls and Procedures</b></p>'],
    ['with its part', '3', '<p><b>PART I, ITEM 3. LEGAL PROCEEDINGS</b></p>'],
    [
      'with the name of the company',
      '8',
      '<p><b>Item 8: Example Corporation Financial Statements and Supplementary Data</b></p>',
    ],
    ['over two lines', '9', '<p><b>ITEM 9. CHANGES IN AND DISAGREEMENTS WITH</b></p><p><b>ACCOUNTANTS</b></p>'],
    ['with a letter less', '7A', '<p>Item 7A. Quantitative and Qualitative Disclosure about Market Risk</p>'],
    ['without Item', '3', '<p><b>3. Legal Proceedings</b></p>'],
    ['with a title only', '3', '<p><b>LEGAL PROCEEDINGS</b></p>'],
  ];
  test.each(headings)('%s', (_, item, heading) => {
    const { items } = findAnnualItems(filingBody(annual({ [item]: { heading } })));
    expect([...items.values()].filter(({ status }) => status !== 'proven')).toEqual([]);
  });
});

test('combined items share a section', () => {
  const sections = annual({
    '1': { heading: '<p><b>Items 1 and 2. Business and Properties</b></p>' },
    '2': { heading: '', text: 'More.' },
  });
  const { items } = findAnnualItems(
    filingBody(sections.filter(({ item }) => item !== '2' && item !== '1A' && item !== '1B')),
  );
  expect(items.get('1')).toMatchObject({ status: 'proven', sharedWith: ['2'] });
  expect(items.get('2')).toMatchObject({ status: 'proven', sharedWith: ['1'], start: items.get('1')?.start });
});

test('the unnumbered part about executive officers stays in its section, and is listed', () => {
  const officers = 'None.</p><p><b>Executive Officers of the Registrant</b></p><p>The officers are listed here.';
  const { items, document } = findAnnualItems(filingBody(annual({ '4': { text: officers } })));
  expect(sectionText(document, items.get('4') ?? null, 'text')).toContain('The officers are listed here.');
  expect(sectionText(document, items.get('EO') ?? null, 'text')).toBe(
    'Executive Officers of the Registrant\n\nThe officers are listed here.',
  );
});

test('an amendment may have one item', () => {
  const amendment = readHtml(
    '<p>Amendment No. 1</p><p><b>Item 9B. Other Information</b></p><p>Prose.</p><p>SIGNATURE</p>',
  );
  expect(findItems(amendment, '10-K/A', '2022-12-31')).toMatchObject([{ item: '9B', status: 'proven' }]);
});

test('items of 10-Qs are found by title and part, also in another order', () => {
  const body =
    '<table><tr><td>Item 1.</td><td>Financial Statements</td><td>3</td></tr><tr><td>Item 2.</td><td>Management’s Discussion</td><td>1</td></tr>' +
    '<tr><td>Item 4.</td><td>Controls and Procedures</td><td>4</td></tr><tr><td>Item 1.</td><td>Legal Proceedings</td><td>5</td></tr>' +
    '<tr><td>Item 6.</td><td>Exhibits</td><td>6</td></tr></table><hr>' +
    [
      'Item 2. Management’s Discussion',
      'Other prose',
      'Item 1. Financial Statements',
      'Item 4. Controls and Procedures',
      'Item 1. Legal Proceedings',
      'Item 6. Exhibits',
    ]
      .map((heading, index) => `<p><b>${heading}</b></p><p>Prose.</p><p>${index + 1}</p><hr>`)
      .join('');
  const items = findItems(readHtml(body), '10-Q', '2023-06-30');
  expect(items.map(({ part, item, status }) => `${part}.${item} ${status}`)).toEqual([
    'I.1 proven',
    'I.2 proven',
    'I.4 proven',
    'II.1 proven',
    'II.6 proven',
  ]);
});

test('a 10-Q may leave out items of Part II, but no text may follow its heading', () => {
  const find = (text: string) =>
    findItems(
      readHtml(
        `<p><b>Item 1. Financial Statements</b></p><p>Sales.</p><p><b>Item 2. Management’s Discussion and Analysis</b></p>
        <p>Prose.</p><p><b>PART II</b></p>${text}<p><b>Item 6. Exhibits</b></p><p>None.</p><p>SIGNATURES</p>`,
      ),
      '10-Q',
      '1996-06-30',
    ).find(({ part, item }) => part === 'I' && item === '2');
  expect(find('')?.status).toBe('proven');
  const text = '<p>The company is a party to several lawsuits, none of which is material to it.</p>';
  expect(find(text)?.reason).toEqual({ code: 'end_unproven', next: '1' });
});

test('8-Ks have items of two lists, by day', () => {
  const old = readHtml(
    '<p>ITEM 5. OTHER EVENTS</p><p>Prose.</p><p>ITEM 7. FINANCIAL STATEMENTS AND EXHIBITS</p><p>(c) Item 8 of Part I</p><p>SIGNATURES</p>',
  );
  expect(findItems(old, '8-K', '2003-05-01').map(({ item, status }) => `${item} ${status}`)).toEqual([
    '5 proven',
    '7 proven',
  ]);
  const recent = readHtml(
    '<p><b>Item 5.02(e) Compensatory Arrangements</b></p><p>Prose.</p><p><b>Item 9.01 Financial Statements and Exhibits</b></p>',
  );
  expect(findItems(recent, '8-K', '2010-05-01').map(({ item, status }) => `${item} ${status}`)).toEqual([
    '5.02 proven',
    '9.01 proven',
  ]);
});

test('text-only filings have the same items', () => {
  const lines = [
    'PART I\n\nITEM 1.  BUSINESS\n     The company makes things. It makes\nmany of them.\n',
    'ITEM 2.  PROPERTIES\n     A plant.\n\nITEM 3.  LEGAL PROCEEDINGS\n     None.\n',
    'ITEM 4.  SUBMISSION OF MATTERS TO A VOTE OF SECURITY HOLDERS\n     None.\n\nSIGNATURES\n',
  ];
  const document = readDocument(encode(lines.join('\n')), 'a.txt');
  const items = findItems(document, '10-K405', '1997-12-31');
  expect(items.map(({ item, status }) => `${item} ${status}`)).toEqual([
    '1 proven',
    '2 proven',
    '3 proven',
    '4 refused',
  ]);
  expect(sectionText(document, items[0] ?? null, 'text')).toBe(
    'ITEM 1. BUSINESS\n\nThe company makes things. It makes many of them.',
  );
});

describe('short sections are no contents', () => {
  const find = (body: string, form: string, day: string) =>
    findItems(readHtml(`${body}<p>SIGNATURES</p>`), form, day).map(({ part, item, status }) =>
      [part, `${item} ${status}`].filter((name) => name !== null).join('.'),
    );
  const section = (heading: string, text: string) =>
    `<p><b>Item ${heading}</b></p>${text === '' ? '' : `<p>${text}</p>`}`;

  test.each(['N/A', 'Nil', 'Not required', 'No changes', 'Nothing to report'])('of Part II: %s', (text) => {
    const partOne = [
      section('1. Financial Statements', 'Sales grew.'),
      section('2. Management’s Discussion and Analysis', 'Prose of the discussion.'),
      section('3. Quantitative and Qualitative Disclosures About Market Risk', text),
      section('4. Controls and Procedures', 'The controls are effective.'),
    ];
    const partTwo = [
      '1. Legal Proceedings',
      '1A. Risk Factors',
      '2. Unregistered Sales of Equity Securities and Use of Proceeds',
      '3. Defaults Upon Senior Securities',
      '4. Mine Safety Disclosures',
      '5. Other Information',
      '6. Exhibits',
    ].map((heading) => section(heading, text));
    const body = `<p><b>PART I</b></p>${partOne.join('')}<p><b>PART II</b></p>${partTwo.join('')}`;
    const names = ['I.1', 'I.2', 'I.3', 'I.4', 'II.1', 'II.1A', 'II.2', 'II.3', 'II.4', 'II.5', 'II.6'];
    expect(find(body, '10-Q', '2022-06-30')).toEqual(names.map((name) => `${name} proven`));
  });

  test('of an 8-K, also headings above one text', () => {
    const pointing = [
      '2.02 Results of Operations and Financial Condition',
      '7.01 Regulation FD Disclosure',
      '8.01 Other Events',
    ];
    const exhibits = section('9.01 Financial Statements and Exhibits', 'The exhibits are listed here.');
    const body = pointing.map((heading) => section(heading, 'See exhibit 99.1')).join('') + exhibits;
    expect(find(body, '8-K', '2022-06-30')).toEqual([
      ...['2.02 by_reference', '7.01 by_reference', '8.01 by_reference', '9.01 proven'],
    ]);
    const stacked = [
      '1.01 Entry into a Material Definitive Agreement',
      '2.03 Creation of a Direct Financial Obligation',
      '3.02 Unregistered Sales of Equity Securities',
      '5.03 Amendments to Articles of Incorporation or Bylaws',
    ].map((heading) => section(heading, ''));
    expect(
      find(`${stacked.join('')}<p>On May 1 the company sold notes.</p>`, '8-K', '2022-06-30').map((name) =>
        name.slice(0, 4),
      ),
    ).toEqual([...['1.01', '2.03', '3.02', '5.03']]);
  });

  test('but a list is, if the headings follow or the text has none', () => {
    const list = ANNUAL.map(({ item, title }) => `<p>Item ${item}. ${title}</p>`).join('');
    const { items } = findAnnualItems(list + filingBody(ANNUAL, { contents: false }));
    expect([...items.values()].every(({ status }) => status === 'proven')).toBe(true);
    expect(
      sectionText(readHtml(list + filingBody(ANNUAL, { contents: false })), items.get('3') ?? null, 'text'),
    ).toContain('Prose of 3');
    expect(findAnnualItems(`${list}<p>The whole report without headings.</p>`).items.size).toBe(0);
  });
});

test('a pointer may begin with a part, and follow a rule under its heading', () => {
  const text = 'Part II, Item 7 of this report, under the caption “Market Risk”, is incorporated by reference.';
  expect(findAnnualItems(filingBody(annual({ '7A': { text } }))).items.get('7A')).toMatchObject({
    ...{ status: 'by_reference', pointer: text },
  });
  const lines = [
    'ITEM 9. CHANGES IN AND DISAGREEMENTS WITH ACCOUNTANTS\n-------\nNone.',
    'ITEM 10. DIRECTORS AND EXECUTIVE OFFICERS\n--------\nThe information required by this item is incorporated by\nreference to our proxy statement.',
    'ITEM 11. EXECUTIVE COMPENSATION\n--------\n\nThe information required by this item is incorporated by\nreference to our proxy statement.',
    'SIGNATURES',
  ];
  const items = findItems(readDocument(encode(lines.join('\n\n')), 'a.txt'), '10-K', '1997-12-31');
  expect(items.map(({ item, status }) => `${item} ${status}`)).toEqual(['9 proven', '10 by_reference', '11 refused']);
  expect(items[1]?.pointer).toBe(
    'The information required by this item is incorporated by reference to our proxy statement.',
  );
});
