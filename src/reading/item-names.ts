/**
 * The items of each form, with the days from and until which each was in use (Regulation S-K, Forms 10-K, 10-Q, 8-K,
 * 20-F).
 */

/** Returns the letters and digits, in lower case, so that letter-spaced and divided words compare equal. */
export const squeeze = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');

export interface ItemName {
  /** `I` to `IV` in 10-K and 10-Q; null in forms whose items have unique numbers. */
  readonly part: string | null;
  /** The number as the form writes it: `1A`, `5.02`. */
  readonly item: string;
  readonly title: string;
}

/** An item of a form during some years. */
export interface FormItem extends ItemName {
  /** Letters of the title and of other titles that filers use, as `squeeze` returns them. */
  readonly titles: readonly string[];
  /** First day (YYYY-MM-DD); empty if unbounded. */
  readonly from: string;
  /** Last day (YYYY-MM-DD); empty if unbounded. */
  readonly to: string;
  /** Whether a filer may leave the item out. */
  readonly isOptional: boolean;
}

/**
 * Each line is an item: its part, number, days, title and other titles (only their beginnings), separated by `|`. Days
 * are ends of periods: of the first and the last report that may have the item. `?` marks items that filers may leave
 * out. The items of 8-Ks changed on 2004-08-23; near that day, reports may have old or new items.
 */
const TEN_K = `
I|1||Business|Description of Business|General Development of Business
I|1A|2005-10-01..|Risk Factors
I|1B?|2005-10-01..|Unresolved Staff Comments|Unresolved SEC Comments
I|1C|2023-09-01..|Cybersecurity
I|2||Properties|Property|Description of Property|Description of Properties
I|3||Legal Proceedings
I|4|..2010-02-27|Submission of Matters to a Vote of Security Holders|Submission of Matters to a Vote|Removed and Reserved|Reserved|Results of Votes|Executive Officers of the Registrant
I|4|2010-02-28..2011-12-30|[Reserved]|Removed and Reserved|Submission of Matters to a Vote|Mine Safety Disclosures|Results of Votes|Executive Officers of the Registrant
I|4|2011-12-31..|Mine Safety Disclosures|Submission of Matters to a Vote|Removed and Reserved|Reserved|Results of Votes|Executive Officers of the Registrant
II|5||Market for Registrant's Common Equity, Related Stockholder Matters and Issuer Purchases of Equity Securities|Market for the|Market for Common|Market for our|Market for|Market Price
II|6|..2021-02-09|Selected Financial Data|Reserved|Removed and Reserved|Selected Consolidated Financial|Selected Historical|Selected
II|6?|2021-02-10..|[Reserved]|Selected Financial Data|Removed and Reserved|Selected Consolidated Financial|Selected Historical|Selected
II|7||Management's Discussion and Analysis of Financial Condition and Results of Operations|Managements Discussion|Management Discussion
II|7A|1997-01-01..|Quantitative and Qualitative Disclosures About Market Risk|Qualitative and Quantitative|Quantitative and Qualitative Disclosure|Disclosures About Market Risk|Market Risk
II|8||Financial Statements and Supplementary Data|Consolidated Financial Statements|Financial Statements
II|9||Changes in and Disagreements With Accountants on Accounting and Financial Disclosure|Changes in|Disagreements|Change in Accountants
II|9A|2003-06-01..|Controls and Procedures|Disclosure Controls|Managements Report on Internal
II|9B?|2004-08-01..|Other Information
II|9C?|2021-09-01..|Disclosure Regarding Foreign Jurisdictions that Prevent Inspections|Disclosures Regarding Foreign
III|10||Directors, Executive Officers and Corporate Governance|Directors and Executive|Directors and Officers|Directors Executive|Directors
III|11||Executive Compensation|Management Remuneration
III|12||Security Ownership of Certain Beneficial Owners and Management and Related Stockholder Matters|Security Ownership|Securities Ownership|Ownership of
III|13||Certain Relationships and Related Transactions, and Director Independence|Certain Relationships|Certain Relationship|Certain Transactions|Certain Related
IV|14|..2003-07-31|Exhibits, Financial Statement Schedules, and Reports on Form 8-K|Exhibits|Financial Statement Schedules
III|14|2002-08-01..|Principal Accountant Fees and Services|Principal Accounting Fees|Principal Accountants|Principal Auditor|Principal Independent|Independent Auditor|Controls and Procedures
IV|15|2002-08-01..|Exhibits and Financial Statement Schedules|Exhibits|Exhibit|Financial Statements and Exhibits|Financial Statement Schedules
IV|16?|2016-06-01..|Form 10-K Summary|Summary|10-K Summary|10K Summary`;
const TEN_KSB = `
I|1||Description of Business|Business
I|2||Description of Property|Properties|Description of Properties|Property
I|3||Legal Proceedings
I|4||Submission of Matters to a Vote of Security Holders|Submission
II|5||Market for Common Equity, Related Stockholder Matters and Small Business Issuer Purchases of Equity Securities|Market for
II|6||Management's Discussion and Analysis or Plan of Operation|Managements Discussion|Plan of Operation
II|7||Financial Statements|Consolidated Financial Statements
II|8||Changes in and Disagreements With Accountants on Accounting and Financial Disclosure|Changes in|Disagreements
II|8A|2003-01-01..|Controls and Procedures|Disclosure Controls
II|8B?|2004-08-01..|Other Information
III|9||Directors, Executive Officers, Promoters, Control Persons and Corporate Governance|Directors
III|10||Executive Compensation
III|11||Security Ownership of Certain Beneficial Owners and Management and Related Stockholder Matters|Security Ownership
III|12||Certain Relationships and Related Transactions, and Director Independence|Certain Relationships
III|13||Exhibits|Exhibits and Reports|Exhibits List
III|14|2002-08-01..|Principal Accountant Fees and Services|Principal Accounting|Controls and Procedures`;
const PART_TWO = `
II|1||Legal Proceedings
II|1A|2005-10-01..|Risk Factors
II|2||Unregistered Sales of Equity Securities and Use of Proceeds|Changes in Securities|Unregistered Sale|Share Repurchase|Purchases of Equity|Issuer Purchases|Changes in the Rights|Repurchases of
II|3||Defaults Upon Senior Securities|Default Upon|Defaults
II|4|..2010-02-27|Submission of Matters to a Vote of Security Holders|Submission of Matters|Removed and Reserved|Reserved|Mine Safety
II|4|2010-02-28..2011-12-30|[Reserved]|Submission of Matters|Removed and Reserved|Mine Safety
II|4|2011-12-31..|Mine Safety Disclosures|Submission of Matters|Removed and Reserved|Reserved|Mine Safety
II|5||Other Information|Other Events|Other Matters
II|6||Exhibits|Exhibits and Reports on Form 8-K|Exhibit Index`;
const TEN_Q = `
I|1||Financial Statements|Consolidated Financial Statements|Condensed Consolidated|Unaudited|Interim Financial|Condensed Financial|Consolidated
I|2||Management's Discussion and Analysis of Financial Condition and Results of Operations|Managements Discussion|Management Discussion
I|3|1997-01-01..|Quantitative and Qualitative Disclosures About Market Risk|Qualitative and Quantitative|Quantitative and Qualitative Disclosure|Market Risk
I|4|2002-08-01..|Controls and Procedures|Disclosure Controls${PART_TWO}`;
const TEN_QSB = `
I|1||Financial Statements|Consolidated Financial Statements|Condensed|Unaudited
I|2||Management's Discussion and Analysis or Plan of Operation|Managements Discussion|Plan of Operation
I|3|2002-08-01..|Controls and Procedures|Disclosure Controls${PART_TWO}`;
const EIGHT_K = `
|1?|..2004-12-31|Changes in Control of Registrant|Change in Control
|2?|..2004-12-31|Acquisition or Disposition of Assets|Acquisition
|3?|..2004-12-31|Bankruptcy or Receivership
|4?|..2004-12-31|Changes in Registrant's Certifying Accountant|Change in Registrant|Changes in Certifying
|5?|..2004-12-31|Other Events and Regulation FD Disclosure|Other Events|Other Material|Other
|6?|..2004-12-31|Resignations of Registrant's Directors|Resignation
|7?|..2004-12-31|Financial Statements and Exhibits|Financial Statements|Exhibits
|8?|..2004-12-31|Change in Fiscal Year
|9?|..2004-12-31|Regulation FD Disclosure|Sales of Equity Securities Pursuant
|10?|2003-01-01..2004-12-31|Amendments to the Registrant's Code of Ethics
|11?|2003-01-01..2004-12-31|Temporary Suspension of Trading Under Registrant's Employee Benefit Plans
|12?|2003-01-01..2004-12-31|Results of Operations and Financial Condition|Disclosure of Results
|1.01?|2004-07-01..|Entry into a Material Definitive Agreement|Entry into|Entry in
|1.02?|2004-07-01..|Termination of a Material Definitive Agreement|Termination
|1.03?|2004-07-01..|Bankruptcy or Receivership
|1.04?|2012-01-01..|Mine Safety
|1.05?|2023-12-01..|Material Cybersecurity Incidents
|2.01?|2004-07-01..|Completion of Acquisition or Disposition of Assets|Completion of
|2.02?|2004-07-01..|Results of Operations and Financial Condition|Results of
|2.03?|2004-07-01..|Creation of a Direct Financial Obligation or an Obligation under an Off-Balance Sheet Arrangement of a Registrant|Creation of
|2.04?|2004-07-01..|Triggering Events That Accelerate or Increase a Direct Financial Obligation|Triggering Events
|2.05?|2004-07-01..|Costs Associated with Exit or Disposal Activities|Cost Associated
|2.06?|2004-07-01..|Material Impairments|Material Impairment
|3.01?|2004-07-01..|Notice of Delisting or Failure to Satisfy a Continued Listing Rule or Standard; Transfer of Listing|Notice of
|3.02?|2004-07-01..|Unregistered Sales of Equity Securities|Unregistered Sale
|3.03?|2004-07-01..|Material Modification to Rights of Security Holders|Material Modification|Modification
|4.01?|2004-07-01..|Changes in Registrant's Certifying Accountant|Change in Registrant|Changes in
|4.02?|2004-07-01..|Non-Reliance on Previously Issued Financial Statements or a Related Audit Report or Completed Interim Review|Non-Reliance
|5.01?|2004-07-01..|Changes in Control of Registrant|Change in Control
|5.02?|2004-07-01..|Departure of Directors or Certain Officers; Election of Directors; Appointment of Certain Officers; Compensatory Arrangements of Certain Officers|Departure of|Election of|Appointment of|Compensatory
|5.03?|2004-07-01..|Amendments to Articles of Incorporation or Bylaws; Change in Fiscal Year|Amendment|Change in Fiscal
|5.04?|2004-07-01..|Temporary Suspension of Trading Under Registrant's Employee Benefit Plans|Temporary
|5.05?|2004-07-01..|Amendments to the Registrant's Code of Ethics, or Waiver of a Provision of the Code of Ethics|Amendment
|5.06?|2005-01-01..|Change in Shell Company Status
|5.07?|2010-01-01..|Submission of Matters to a Vote of Security Holders|Submission of
|5.08?|2010-01-01..|Shareholder Director Nominations|Shareholder Nominations
|6.01?|2005-01-01..|ABS Informational and Computational Material
|6.02?|2005-01-01..|Change of Servicer or Trustee
|6.03?|2005-01-01..|Change in Credit Enhancement or Other External Support
|6.04?|2005-01-01..|Failure to Make a Required Distribution
|6.05?|2005-01-01..|Securities Act Updating Disclosure
|7.01?|2004-07-01..|Regulation FD Disclosure|Reg FD
|8.01?|2004-07-01..|Other Events|Other Event
|9.01?|2004-07-01..|Financial Statements and Exhibits|Financial Statement|Exhibits`;
const TWENTY_F = `
I|1||Identity of Directors, Senior Management and Advisers|Identity
I|2||Offer Statistics and Expected Timetable|Offer Statistics
I|3||Key Information
I|4||Information on the Company|Information on|Information about
I|4A?|2005-10-01..|Unresolved Staff Comments
I|5||Operating and Financial Review and Prospects|Operating and
I|6||Directors, Senior Management and Employees|Directors
I|7||Major Shareholders and Related Party Transactions|Major Shareholders
I|8||Financial Information
I|9||The Offer and Listing|Offer and Listing
I|10||Additional Information
I|11||Quantitative and Qualitative Disclosures About Market Risk|Quantitative|Qualitative
I|12||Description of Securities Other than Equity Securities|Description of
II|13||Defaults, Dividend Arrearages and Delinquencies|Default
II|14||Material Modifications to the Rights of Security Holders and Use of Proceeds|Material Modifications
II|15||Controls and Procedures|Disclosure Controls|Reserved for future use|Reserved
II|16?|..2003-07-14|Reserved for future use|Reserved
II|16A?|2003-01-01..|Audit Committee Financial Expert|Audit Committee
II|16B?|2003-01-01..|Code of Ethics|Code of
II|16C?|2003-01-01..|Principal Accountant Fees and Services|Principal
II|16D?|2003-01-01..|Exemptions from the Listing Standards for Audit Committees|Exemption
II|16E?|2004-01-01..|Purchases of Equity Securities by the Issuer and Affiliated Purchasers|Purchase
II|16F?|2008-12-01..|Change in Registrant's Certifying Accountant|Change
II|16G?|2008-12-01..|Corporate Governance
II|16H?|2011-12-01..|Mine Safety Disclosure
II|16I?|2021-09-01..|Disclosure Regarding Foreign Jurisdictions that Prevent Inspections|Disclosure
II|16J?|2022-12-01..|Insider Trading Policies|Insider
II|16K?|2023-09-01..|Cybersecurity
III|17?||Financial Statements
III|18?||Financial Statements
III|19||Exhibits|Exhibit|Financial Statements and Exhibits`;

const LINES = { '10-K': TEN_K, '10-KSB': TEN_KSB, '10-Q': TEN_Q, '10-QSB': TEN_QSB, '8-K': EIGHT_K, '20-F': TWENTY_F };
const FORMS = new Map(Object.entries(LINES).map(([form, lines]) => [form, lines.trim().split('\n').map(readFormItem)]));

function readFormItem(line: string): FormItem {
  const [part = '', item = '', days = '', title = '', ...otherTitles] = line.split('|');
  const [from = '', to = ''] = days.split('..');
  // Filers keep the old title of a reserved item, such as Selected Financial Data, so the old titles come first.
  const titles = title === '[Reserved]' ? [...otherTitles, title] : [title, ...otherTitles];
  const number = item.replace('?', '');
  const isOptional = item !== number;
  return { part: part || null, item: number, title, titles: titles.map(squeeze), from, to, isOptional };
}

/** Returns the form that defines the items of a form: `10-K` for `10-K405/A`. */
function getBaseForm(form: string): string {
  const name = form.toUpperCase().replace(/\/A$/, '');
  return /^10-K(?:T|405|T405)$/.test(name) ? '10-K' : name === '10-KSB40' ? '10-KSB' : name === '10-QT' ? '10-Q' : name;
}

/** Whether items are known for the form: `10-K`, `10-K405`, `10-KSB`, `10-Q`, `8-K`, `20-F` and their amendments. */
export const hasItems = (form: string): boolean => FORMS.has(getBaseForm(form));

/**
 * Returns the items of a form on a day (YYYY-MM-DD, of the period or filing), in the form's order; empty if unknown.
 */
export function itemNames(form: string, day: string): readonly FormItem[] {
  const items = FORMS.get(getBaseForm(form)) ?? [];
  return items.filter(({ from, to }) => from <= day && (to === '' || day <= to));
}

/** The unnumbered part that follows the last item of Part I of a 10-K. */
export const EXECUTIVE_OFFICERS = { part: 'I', item: 'EO', title: 'Information about our Executive Officers' };

/** Beginnings of statutory titles, by usual names of items that are not the beginning of a title. */
const SHORT_NAMES: Readonly<Record<string, readonly string[]>> = {
  mda: ['managementsdiscussion', 'operatingandfinancialreview'],
  marketrisk: ['quantitativeandqualitative'],
  business: ['descriptionofbusiness', 'informationonthecompany'],
  riskfactors: ['keyinformation'],
  financials: ['financialstatements'],
  // The third beginning is longer than the others to exclude Item 3.02 of 8-Ks, which has sales only.
  buybacks: ['marketfor', 'unregisteredsalesofequitysecuritiesanduse', 'purchasesofequity'],
};

/**
 * Returns the items that a user's words may name: `1A`, `Item 1A`, `II.1A`, `Part II, Item 1A`, a title or its
 * beginning (`risk factors`), or a usual name (`MD&A`). Returns several items if the words are ambiguous, such as `1`
 * for a 10-Q, and none if no item has the name.
 */
export function resolveItem(words: string, form: string, day: string): readonly ItemName[] {
  const names = itemNames(form, day);
  const [, part, number] =
    /^(?:part ?)?(?:(i{1,3}|iv)[.,: ] ?)?(?:item ?)?(\d{1,2}[a-k]?|\d\.\d\d)\.?$/i.exec(words.trim()) ?? [];
  if (number !== undefined) {
    const numbered = names.filter(({ item }) => item === number.toUpperCase());
    return part === undefined ? numbered : numbered.filter((name) => name.part === part.toUpperCase());
  }
  const title = squeeze(words);
  if (title === '') return [];
  const isOfficers = /^(?:eo$|executiveofficer|information(?:about|regarding).*executiveofficers)/.test(title);
  if (isOfficers && getBaseForm(form) === '10-K') return [EXECUTIVE_OFFICERS];
  const findByBeginning = (beginnings: readonly string[]) =>
    names.filter((name) => beginnings.some((beginning) => squeeze(name.title).startsWith(beginning)));
  const exact = names.filter((name) => squeeze(name.title) === title);
  const titled = exact.length > 0 ? exact : findByBeginning([title]);
  return titled.length > 0 ? titled : findByBeginning(SHORT_NAMES[title] ?? []);
}

/** Returns an item's name as users type it: `II.1A` if the parts of the form repeat numbers (10-Q), else `1A`. */
export const formatItem = ({ part, item }: Pick<ItemName, 'part' | 'item'>, form: string): string =>
  part !== null && getBaseForm(form).startsWith('10-Q') ? `${part}.${item}` : item;
